// One head and one query taken apart: every number between the query's and a key's vectors and the
// head's context, in the order in which a reader would compute them by hand. Vaswani et al. 2017
// (arXiv 1706.03762), equation 1, for one row. The numbers are those of explained(): the same sums
// in the same order.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

// Where the steps go; all are written.
struct Steps {
    float* products = nullptr;      // [dk]: q_i[c] k_j[c] for the one key j
    float* dots = nullptr;          // [Tk]: q_i . k for every key, before the scale
    float* scores = nullptr;        // [Tk]: scaled, before the mask
    float* allowed = nullptr;       // [Tk]: 1 where the mask lets the query look, else 0
    float* exponentials = nullptr;  // [Tk]: e^(score - maximum), 0 where masked
    float* weights = nullptr;       // [Tk]: exponentials / sum, 0 where masked
    float* running = nullptr;       // [Tk, dv]: the context after keys 0..j
    float* weighted = nullptr;      // [dv]: what the one key j adds, weight times v_j
    float* maximum = nullptr;       // [1]: of the allowed scores; -infinity where there is none
    float* sum = nullptr;           // [1]: of the exponentials; 0 where nothing is allowed
};

// All of them one after the other in the order above, in numbers; and where each begins.
[[nodiscard]] constexpr std::size_t steps_size(const Shape& shape) noexcept {
    return shape.dk + 5 * shape.Tk + shape.Tk * shape.dv + shape.dv + 2;
}
[[nodiscard]] Steps steps_at(const Shape& shape, float* numbers) noexcept;

// The problem must be valid, h < H, i < Tq, j < Tk.
void steps(const Problem& problem, std::size_t h, std::size_t i, std::size_t j,
           const Steps& target) noexcept;

}  // namespace headlights::attention
