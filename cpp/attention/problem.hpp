// One multi-head attention problem: sizes, where the inputs lie, the mask, and where the results
// go. Vaswani et al. 2017 (arXiv 1706.03762), equation 1, for H heads at once.
#pragma once

#include <cstddef>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix_view.hpp"

namespace headlights::attention {

// Query head h reads key/value head h / (H / Hkv), rounded down (grouped-query attention).
struct Shape {
    std::size_t H = 0;
    std::size_t Hkv = 0;
    std::size_t Tq = 0;
    std::size_t Tk = 0;
    std::size_t dk = 0;
    std::size_t dv = 0;
};

// Heads of one tensor: head h starts at data + h * head_stride, its row i at + i * row_stride.
template <class T> struct HeadsView {
    T* data = nullptr;
    std::size_t head_stride = 0;
    std::size_t row_stride = 0;

    [[nodiscard]] BasicMatrixView<T> head(std::size_t h, std::size_t rows,
                                          std::size_t columns) const noexcept {
        return {data + h * head_stride, rows, columns, row_stride};
    }
};

struct Problem {
    Shape shape;
    HeadsView<const float> q;  // [H, Tq, dk]
    HeadsView<const float> k;  // [Hkv, Tk, dk]
    HeadsView<const float> v;  // [Hkv, Tk, dv]
    float scale = 1.0f;        // usually 1 / sqrt(dk)
    Mask mask;

    [[nodiscard]] ConstMatrixView queries(std::size_t h) const noexcept {
        return q.head(h, shape.Tq, shape.dk);
    }
    // Which key/value head query head h reads.
    [[nodiscard]] std::size_t kv_head(std::size_t h) const noexcept {
        return h / (shape.H / shape.Hkv);
    }
    [[nodiscard]] ConstMatrixView keys(std::size_t h) const noexcept {
        return k.head(kv_head(h), shape.Tk, shape.dk);
    }
    [[nodiscard]] ConstMatrixView values(std::size_t h) const noexcept {
        return v.head(kv_head(h), shape.Tk, shape.dv);
    }
};

// Null pointers are results that nobody wants; `context` is always written.
struct Result {
    float* scores = nullptr;   // [H, Tq, Tk] dense: scale * q k^T before the mask
    float* weights = nullptr;  // [H, Tq, Tk] dense: softmax over the keys; 0 where masked
    HeadsView<float> context;  // [H, Tq, dv]: weights times values
};

// Ok, or BadArgument (scale not finite, an unknown pattern), BadShape (no head, H not a multiple of
// Hkv, a given pattern missing), OutOfMemory (the bytes of a tensor overflow). Tq, Tk, dk and dv
// may be 0.
[[nodiscard]] Error validate(const Problem& problem) noexcept;

}  // namespace headlights::attention
