#include "kernels/gemm.hpp"

#include <algorithm>
#include <cstring>

#include "simd/madd.hpp"
#include "simd/reduce.hpp"

namespace headlights::kernels {

namespace {

using simd::kLanes;
using simd::vec;

// Rows of x that meet one decoded panel before the next panel is decoded: about 96 KB of x, so that
// it stays in the second-level cache.
constexpr std::size_t kBlockBytes = 96 * 1024;

// dots[r][c] = a_row(r) . b_row(c), summed over K in kLanes partial sums, then pairwise over the
// lanes. Short and called often, because V8 replaces a function by its optimised form only between
// calls.
template <std::size_t M, std::size_t N>
inline void dot_tile(const float* a, std::size_t stride_a, const float* b, std::size_t stride_b,
                     std::size_t columns, float (&dots)[M][4]) noexcept {
    vec sums[M][4];
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < 4; ++c) sums[r][c] = simd::broadcast(0.0f);
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

constexpr std::size_t kTileRows =
    3;  // 3 x 4 sums, 3 + 1 operands: the 16 vector registers of x86-64

// How a finished dot product becomes an output: + bias, or times scale.
struct AddBias {
    const float* bias;  // of the tile's first column, or null
    [[nodiscard]] float operator()(float dot, std::size_t column) const noexcept {
        return bias == nullptr ? dot : dot + bias[column];
    }
};
struct Scale {
    float scale;
    [[nodiscard]] float operator()(float dot, std::size_t) const noexcept { return dot * scale; }
};

template <std::size_t M, std::size_t N, class Finish>
void product_tile(const float* a, std::size_t stride_a, const float* b, std::size_t stride_b,
                  std::size_t columns, Finish finish, float* y, std::size_t stride_y) noexcept {
    float dots[M][4];
    dot_tile<M, N>(a, stride_a, b, stride_b, columns, dots);
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t c = 0; c < N; ++c) y[r * stride_y + c] = finish(dots[r][c], c);
}

template <std::size_t N, class Finish>
void product_panel(ConstMatrixView a, const float* b, std::size_t stride_b, Finish finish, float* y,
                   std::size_t stride_y) noexcept {
    std::size_t r = 0;
    for (; r + kTileRows <= a.rows; r += kTileRows)
        product_tile<kTileRows, N>(a.row(r), a.stride, b, stride_b, a.columns, finish,
                                   y + r * stride_y, stride_y);
    if (a.rows - r == 2)
        product_tile<2, N>(a.row(r), a.stride, b, stride_b, a.columns, finish, y + r * stride_y,
                           stride_y);
    if (a.rows - r == 1)
        product_tile<1, N>(a.row(r), a.stride, b, stride_b, a.columns, finish, y + r * stride_y,
                           stride_y);
}

template <class Finish>
void product_columns(ConstMatrixView a, const float* b, std::size_t stride_b, std::size_t count,
                     Finish finish, float* y, std::size_t stride_y) noexcept {
    switch (count) {
    case 4: product_panel<4>(a, b, stride_b, finish, y, stride_y); break;
    case 3: product_panel<3>(a, b, stride_b, finish, y, stride_y); break;
    case 2: product_panel<2>(a, b, stride_b, finish, y, stride_y); break;
    case 1: product_panel<1>(a, b, stride_b, finish, y, stride_y); break;
    default: break;
    }
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

void gemm_stored(ConstMatrixView x, const StoredMatrix& weights, const float* bias, MatrixView y,
                 float* workspace) noexcept {
    const std::size_t columns = weights.columns;
    if (x.rows == 0 || weights.rows == 0) return;
    const std::size_t row_size = std::max<std::size_t>(columns, 1) * sizeof(float);
    const std::size_t block =
        std::max<std::size_t>(kTileRows, kBlockBytes / row_size / kTileRows * kTileRows);
    for (std::size_t t = 0; t < x.rows; t += block) {
        const ConstMatrixView part = x.rows_from(t, std::min(block, x.rows - t));
        for (std::size_t n = 0; n < weights.rows; n += kPanelRows) {
            const std::size_t count = std::min(kPanelRows, weights.rows - n);
            for (std::size_t c = 0; c < count; ++c)
                decode_row(weights, n + c, workspace + c * columns);
            product_columns(part, workspace, columns, count,
                            AddBias{bias == nullptr ? nullptr : bias + n}, y.row(t) + n, y.stride);
        }
    }
}

void gemm_rows(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept {
    if (a.rows == 0) return;
    for (std::size_t n = 0; n < b.rows; n += kPanelRows) {
        const std::size_t count = std::min(kPanelRows, b.rows - n);
        product_columns(a, b.row(n), b.stride, count, Scale{scale}, y.data + n, y.stride);
    }
}

void gemm_weighted_sum(ConstMatrixView w, ConstMatrixView v, bool accumulate,
                       MatrixView y) noexcept {
    std::size_t r = 0;
    for (; r + 4 <= w.rows; r += 4)
        weighted_rows<4>(w.rows_from(r, 4), v, accumulate, y.rows_from(r, 4));
    for (; r < w.rows; ++r) weighted_rows<1>(w.rows_from(r, 1), v, accumulate, y.rows_from(r, 1));
}

}  // namespace headlights::kernels
