#include "kernels/gemm.hpp"

#include <algorithm>
#include <cstring>

#include "simd/madd.hpp"
#include "simd/reduce.hpp"

namespace headlights::kernels {

namespace {

using simd::kLanes;
using simd::vec;

// Tiles of 2 x 4 dot products: 8 sums, 2 + 1 operands and a product fit the 15 vector registers
// that V8 uses on x86-64. In Chromium 156, compiled by TurboFan, relaxed / baseline: 2 x 4 61 / 31,
// 3 x 3 46 / 35, 3 x 4 26 / 23 GFLOP/s (it spills), on one core of a busy machine.
constexpr std::size_t kTileRows = 2;
constexpr std::size_t kTileColumns = 4;

// Rows of x that are packed together and meet every decoded panel: about 96 KB, so that they stay
// in the second-level cache while a panel of weights stays in the first.
constexpr std::size_t kBlockBytes = 96 * 1024;

std::size_t block_rows(std::size_t columns) noexcept {
    const std::size_t row_size = std::max<std::size_t>(packed_columns(columns), 1) * sizeof(float);
    return std::max<std::size_t>(kTileRows, kBlockBytes / row_size / kTileRows * kTileRows);
}

// dots[r][c] = a_row(r) . b_row(c), summed in kLanes partial sums, then pairwise over the lanes.
// Row r's vector v lies at a + (v * M + r) * kLanes in a packed tile, else at a + r * stride_a + v
// * kLanes. Short and called often, because V8 replaces a function by its optimised form only
// between calls.
template <std::size_t M>
inline void dot_packed(const float* a, const float* b, std::size_t vectors,
                       float (&dots)[M][kTileColumns]) noexcept {
    vec sums[M][kTileColumns];
    for (auto& row : sums)
        for (vec& sum : row) sum = simd::broadcast(0.0f);
    for (std::size_t v = 0; v < vectors; ++v, a += M * kLanes, b += kTileColumns * kLanes) {
        vec left[M];
        for (std::size_t r = 0; r < M; ++r) left[r] = simd::load(a + r * kLanes);
        for (std::size_t c = 0; c < kTileColumns; ++c) {
            const vec right = simd::load(b + c * kLanes);
            for (std::size_t r = 0; r < M; ++r) sums[r][c] = simd::madd(left[r], right, sums[r][c]);
        }
    }
    for (std::size_t r = 0; r < M; ++r) simd::sum_lanes_of_four(sums[r], dots[r]);
}

template <std::size_t M, std::size_t N>
inline void dot_strided(const float* a, std::size_t stride_a, const float* b, std::size_t stride_b,
                        std::size_t columns, float (&dots)[M][kTileColumns]) noexcept {
    vec sums[M][kTileColumns];
    for (auto& row : sums)
        for (vec& sum : row) sum = simd::broadcast(0.0f);
    std::size_t k = 0;
    for (; k + kLanes <= columns; k += kLanes) {
        vec left[M];
        for (std::size_t r = 0; r < M; ++r) left[r] = simd::load(a + r * stride_a + k);
        for (std::size_t c = 0; c < N; ++c) {
            const vec right = simd::load(b + c * stride_b + k);
            for (std::size_t r = 0; r < M; ++r) sums[r][c] = simd::madd(left[r], right, sums[r][c]);
        }
    }
    if (const std::size_t rest = columns - k; rest > 0) {
        for (std::size_t c = 0; c < N; ++c) {
            const vec right = simd::load_partial(b + c * stride_b + k, rest);
            for (std::size_t r = 0; r < M; ++r) {
                const vec left = simd::load_partial(a + r * stride_a + k, rest);
                sums[r][c] = simd::madd(left, right, sums[r][c]);
            }
        }
    }
    for (std::size_t r = 0; r < M; ++r) simd::sum_lanes_of_four(sums[r], dots[r]);
}

// One row of x into its place in a tile of `slots` rows; the last vector is filled up with zeros.
void pack_row(const float* source, std::size_t columns, std::size_t slot, std::size_t slots,
              float* target) noexcept {
    float* cursor = target + slot * kLanes;
    std::size_t c = 0;
    for (; c + kLanes <= columns; c += kLanes, cursor += slots * kLanes)
        simd::store(cursor, simd::load(source + c));
    if (c < columns) simd::store(cursor, simd::load_partial(source + c, columns - c));
}

// y [M, count] = dots + bias for the `count` <= 4 columns of a panel.
template <std::size_t M>
void panel_tile(const float* packed_x, const float* panel, std::size_t vectors, const float* bias,
                std::size_t count, float* y, std::size_t stride_y) noexcept {
    float dots[M][kTileColumns];
    dot_packed<M>(packed_x, panel, vectors, dots);
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < count; ++c)
            y[r * stride_y + c] = bias == nullptr ? dots[r][c] : dots[r][c] + bias[c];
}

// The rows of one packed block against one panel.
void panel_rows(const float* packed_x, std::size_t rows, const float* panel, std::size_t columns,
                const float* bias, std::size_t count, float* y, std::size_t stride_y) noexcept {
    const std::size_t vectors = columns / kLanes;
    std::size_t r = 0;
    for (; r + kTileRows <= rows; r += kTileRows)
        panel_tile<kTileRows>(packed_x + r * columns, panel, vectors, bias, count, y + r * stride_y,
                              stride_y);
    if (r < rows)
        panel_tile<1>(packed_x + r * columns, panel, vectors, bias, count, y + r * stride_y,
                      stride_y);
}

void pack_block(ConstMatrixView x, std::size_t columns, float* target) noexcept {
    std::size_t r = 0;
    for (; r + kTileRows <= x.rows; r += kTileRows)
        for (std::size_t slot = 0; slot < kTileRows; ++slot)
            pack_row(x.row(r + slot), x.columns, slot, kTileRows, target + r * columns);
    if (r < x.rows) pack_row(x.row(r), x.columns, 0, 1, target + r * columns);
}

template <std::size_t M, std::size_t N>
void scaled_tile(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept {
    float dots[M][kTileColumns];
    dot_strided<M, N>(a.data, a.stride, b.data, b.stride, a.columns, dots);
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < N; ++c) y.row(r)[c] = dots[r][c] * scale;
}

template <std::size_t N>
void scaled_rows(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept {
    std::size_t r = 0;
    for (; r + kTileRows <= a.rows; r += kTileRows)
        scaled_tile<kTileRows, N>(a.rows_from(r, kTileRows), b, scale, y.rows_from(r, kTileRows));
    if (r < a.rows) scaled_tile<1, N>(a.rows_from(r, 1), b, scale, y.rows_from(r, 1));
}

// y rows [0, M) += w v for `V` vectors of columns: M x V sums stay in registers over all of J.
template <std::size_t M, std::size_t V>
void weighted_tile(ConstMatrixView w, ConstMatrixView v, std::size_t column, std::size_t partial,
                   bool accumulate, MatrixView y) noexcept {
    vec sums[M][V];
    const auto load = [partial](const float* source) {
        return partial == 0 ? simd::load(source) : simd::load_partial(source, partial);
    };
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < V; ++c)
            sums[r][c] = accumulate ? load(y.row(r) + column + c * kLanes) : simd::broadcast(0.0f);
    for (std::size_t j = 0; j < v.rows; ++j) {
        vec values[V];
        for (std::size_t c = 0; c < V; ++c) values[c] = load(v.row(j) + column + c * kLanes);
        for (std::size_t r = 0; r < M; ++r) {
            const vec weight = simd::broadcast(w.row(r)[j]);
            for (std::size_t c = 0; c < V; ++c)
                sums[r][c] = simd::madd(weight, values[c], sums[r][c]);
        }
    }
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < V; ++c) {
            float* target = y.row(r) + column + c * kLanes;
            if (partial == 0)
                simd::store(target, sums[r][c]);
            else
                simd::store_partial(target, sums[r][c], partial);
        }
}

template <std::size_t M>
void weighted_rows(ConstMatrixView w, ConstMatrixView v, bool accumulate, MatrixView y) noexcept {
    std::size_t column = 0;
    for (; column + 2 * kLanes <= v.columns; column += 2 * kLanes)
        weighted_tile<M, 2>(w, v, column, 0, accumulate, y);
    if (column + kLanes <= v.columns) {
        weighted_tile<M, 1>(w, v, column, 0, accumulate, y);
        column += kLanes;
    }
    if (column < v.columns) weighted_tile<M, 1>(w, v, column, v.columns - column, accumulate, y);
}

}  // namespace

std::size_t gemm_workspace(std::size_t columns) noexcept {
    return (kTileColumns + block_rows(columns)) * packed_columns(columns);
}

void gemm_stored(ConstMatrixView x, const StoredMatrix& weights, const float* bias, MatrixView y,
                 float* workspace) noexcept {
    const std::size_t columns = packed_columns(weights.columns);
    const std::size_t block = block_rows(weights.columns);
    float* panel = workspace;
    float* packed_x = workspace + kTileColumns * columns;
    for (std::size_t t = 0; t < x.rows; t += block) {
        const std::size_t rows = std::min(block, x.rows - t);
        pack_block(x.rows_from(t, rows), columns, packed_x);
        for (std::size_t n = 0; n < weights.rows; n += kTileColumns) {
            // A last panel of fewer rows keeps the old numbers in its idle slots; they are not
            // stored.
            const std::size_t count = std::min(kTileColumns, weights.rows - n);
            for (std::size_t c = 0; c < count; ++c)
                decode_row_packed(weights, n + c, c, kTileColumns, panel);
            panel_rows(packed_x, rows, panel, columns, bias == nullptr ? nullptr : bias + n, count,
                       y.row(t) + n, y.stride);
        }
    }
}

void gemm_rows(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept {
    std::size_t n = 0;
    for (; n + kTileColumns <= b.rows; n += kTileColumns)
        scaled_rows<kTileColumns>(a, b.rows_from(n, kTileColumns), scale,
                                  y.columns_from(n, kTileColumns));
    for (; n < b.rows; ++n) scaled_rows<1>(a, b.rows_from(n, 1), scale, y.columns_from(n, 1));
}

void gemm_weighted_sum(ConstMatrixView w, ConstMatrixView v, bool accumulate,
                       MatrixView y) noexcept {
    std::size_t r = 0;
    for (; r + 4 <= w.rows; r += 4)
        weighted_rows<4>(w.rows_from(r, 4), v, accumulate, y.rows_from(r, 4));
    for (; r < w.rows; ++r) weighted_rows<1>(w.rows_from(r, 1), v, accumulate, y.rows_from(r, 1));
}

}  // namespace headlights::kernels
