#include "attention/masked_row.hpp"

#include <algorithm>
#include <limits>

#include "core/finite.hpp"
#include "kernels/gemm.hpp"
#include "kernels/softmax.hpp"

namespace headlights::attention {

void masked_softmax(const Mask& mask, std::size_t i, std::size_t Tq, std::size_t Tk,
                    const float* scores, float* weights) noexcept {
    const KeyRange range = mask.key_range(i, Tq, Tk);
    const std::size_t count = range.end - range.begin;
    if (!mask.has_bytes()) {
        if (count > 0) kernels::softmax_row(scores + range.begin, count, weights + range.begin);
    } else {
        bool any = false;
        for (std::size_t j = range.begin; j < range.end; ++j) {
            const bool allowed = mask.byte_allows(i, j, Tk);
            weights[j] = allowed ? scores[j] : -std::numeric_limits<float>::infinity();
            any = any || allowed;
        }
        if (any) kernels::softmax_row(weights + range.begin, count, weights + range.begin);
        for (std::size_t j = range.begin; j < range.end; ++j)
            if (!mask.byte_allows(i, j, Tk)) weights[j] = 0.0f;
    }
    std::fill(weights, weights + range.begin, 0.0f);
    std::fill(weights + range.end, weights + Tk, 0.0f);
}

void masked_context(const Mask& mask, std::size_t first, std::size_t Tq, ConstMatrixView weights,
                    ConstMatrixView v, MatrixView y) noexcept {
    const std::size_t Tk = v.rows;
    for (std::size_t r = 0; r < weights.rows; ++r) {
        const std::size_t i = first + r;
        const KeyRange range = mask.key_range(i, Tq, Tk);
        std::fill(y.row(r), y.row(r) + v.columns, 0.0f);
        for (std::size_t j = range.begin; j < range.end; ++j) {
            if (!mask.byte_allows(i, j, Tk)) continue;
            kernels::gemm_weighted_sum({weights.row(r) + j, 1, 1, 1}, v.rows_from(j, 1),
                                       /*accumulate=*/true, y.rows_from(r, 1));
        }
    }
}

bool all_finite(ConstMatrixView v) noexcept {
    for (std::size_t j = 0; j < v.rows; ++j)
        if (count_non_finite(v.row(j), v.columns) > 0) return false;
    return true;
}

}  // namespace headlights::attention
