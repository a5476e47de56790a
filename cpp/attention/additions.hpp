// What each head adds to a block's output. The concatenation times W_O is a sum over the heads, of
// each head's context times its own rows of W_O (Elhage et al. 2021, "A Mathematical Framework for
// Transformer Circuits", "Attention heads are independent and additive").
#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"

namespace headlights::attention {

// What is added to one token, one after the other in memory. Head h's share is the projection of
// its addition on the output, over the output's squared norm: all shares sum to 1, and are 0 where
// the output is 0. Sums are taken in double.
struct Additions {
    float* parts = nullptr;          // [N, d]: each head's addition, then the bias
    float* output = nullptr;         // [d]: their sum
    float* norms = nullptr;          // [N]
    float* shares = nullptr;         // [N]
    float* output_norm = nullptr;    // [1]
    float* residual_norm = nullptr;  // [1]: of what the output is added to
    float* concat = nullptr;         // [H dv]: the contexts side by side, gains included
};

[[nodiscard]] constexpr std::size_t additions_size(std::size_t N, std::size_t d,
                                                   std::size_t contexts) noexcept {
    return N * d + d + 2 * N + 2 + contexts;
}
[[nodiscard]] Additions additions_at(std::size_t N, std::size_t d, float* numbers) noexcept;

// From `parts` and the token's numbers in the residual stream to all the rest.
void complete(const Additions& additions, std::size_t N, std::size_t d, const float* residual,
              std::size_t residual_size) noexcept;

// x [H, H dv]: row h holds head h's context in its own place and 0 elsewhere, so that x times W_O
// gives each head's addition with the product that serves for all.
void spread_contexts(const float* concat, std::size_t H, std::size_t dv, MatrixView x) noexcept;

// All of it for one token of a block without bias (N = H): concat [H dv] its contexts side by side,
// w_o [H dv, d], its residual. The first additions_size(H, d, H dv) numbers of target are the
// result; the H * H * dv after them are scratch.
void head_additions(const float* concat, std::size_t H, ConstMatrixView w_o, const float* residual,
                    std::size_t residual_size, float* target) noexcept;

}  // namespace headlights::attention
