// Multi-head attention from the words up: projections of X, attention head by head, the heads'
// contexts side by side, output projection. Vaswani et al. 2017 (arXiv 1706.03762), section 3.2.2,
// without biases. Weights are [in, out] as in that paper: head h reads columns h dk .. (h + 1) dk
// of W_Q, columns g dk .. of W_K and g dv .. of W_V for its key/value head g, and rows h dv .. of
// W_O.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

struct MultiHead {
    Shape shape;
    std::size_t d = 0;       // columns of x; rows of W_Q, W_K, W_V
    std::size_t d_out = 0;   // columns of W_O
    ConstMatrixView x;       // [Tq, d], asks
    ConstMatrixView memory;  // [Tk, d], is looked at: x again for self-attention
    ConstMatrixView w_q;     // [d, H dk]
    ConstMatrixView w_k;     // [d, Hkv dk]
    ConstMatrixView w_v;     // [d, Hkv dv]
    ConstMatrixView w_o;     // [H dv, d_out]
    float scale = 1.0f;      // usually 1 / sqrt(dk)
    Mask mask;
};

// All are written, dense.
struct MultiHeadResult {
    float* queries = nullptr;  // [Tq, H dk]
    float* keys = nullptr;     // [Tk, Hkv dk]
    float* values = nullptr;   // [Tk, Hkv dv]
    float* scores = nullptr;   // [H, Tq, Tk], scaled, before the mask; may be null
    float* weights = nullptr;  // [H, Tq, Tk]; may be null
    float* concat = nullptr;   // [Tq, H dv]: the contexts side by side
    float* output = nullptr;   // [Tq, d_out]: concat W_O
};

// In one go: one product for all heads of each projection. Or in a loop over the heads, each with
// its own slices of the weights, as many a tutorial writes it. Equal up to rounding.
enum class Projection { Batched, Looped };

// As validate(Problem), and BadShape where a width overflows.
[[nodiscard]] Error validate(const MultiHead& block) noexcept;

// The attention problem inside, over projected queries, keys and values.
[[nodiscard]] Problem problem_of(const MultiHead& block, const MultiHeadResult& result) noexcept;

// Numbers of workspace for multi_head().
[[nodiscard]] std::size_t multi_head_workspace(const Shape& shape) noexcept;

// The block must be valid. Allocates nothing.
void multi_head(const MultiHead& block, Projection projection, const MultiHeadResult& result,
                float* workspace) noexcept;

}  // namespace headlights::attention
