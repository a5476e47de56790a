// Matrix products. Three forms are enough for a Transformer: x times stored weights (transposed,
// with bias), rows against rows (query times key), and weighted sums of rows (attention weights
// times value).
#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"
#include "kernels/decode.hpp"

namespace headlights::kernels {

// Numbers of workspace that gemm_stored needs for weights of `columns` columns.
[[nodiscard]] std::size_t gemm_workspace(std::size_t columns) noexcept;

// y = x W^T + bias.  x [T, K], W stored [N, K], bias [N] or null, y [T, N]; y overlaps nothing.
// workspace: gemm_workspace(K) numbers. Any size may be 0.
void gemm_stored(ConstMatrixView x, const StoredMatrix& weights, const float* bias, MatrixView y,
                 float* workspace) noexcept;

// y = scale * a b^T.  a [M, K], b [N, K], y [M, N]: every dot product of a row of a with a row of
// b.
void gemm_rows(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept;

// y = w v, or y += w v if `accumulate`.  w [M, J], v [J, N], y [M, N]: weighted sums of the rows of
// v.
void gemm_weighted_sum(ConstMatrixView w, ConstMatrixView v, bool accumulate,
                       MatrixView y) noexcept;

}  // namespace headlights::kernels
