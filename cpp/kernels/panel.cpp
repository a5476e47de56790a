#include "kernels/panel.hpp"

#include <algorithm>
#include <cstring>

#include "simd/madd.hpp"
#include "simd/transpose.hpp"

namespace headlights::kernels {

namespace {

using simd::kLanes;
using simd::vec;

constexpr std::size_t kVectors = kPanelColumns / kLanes;
static_assert(kVectors * kLanes == kPanelColumns);

// Rows of a tile. 6 x 8 sums in 12 vectors of 4 lanes, two of the panel and one of `a` fill the 15
// vector registers that V8 uses on x86-64; a product that is rounded before it is added needs one
// more, so that fewer rows fit. Measured in Chromium 156 on
// one core of a Xeon: 6 rows 54.8 GFLOP/s relaxed (the tiles of 2 x 4 dot products before it 46.7),
// 4 rows 37-40 baseline.
constexpr std::size_t kTileRows = simd::kMaddIsOne ? 6 : 4;

// The sums of M rows and eight columns. A function of its own, called often: V8 replaces a function
// by its optimised form only between calls.
template <std::size_t M>
[[gnu::noinline]] void tile(ConstMatrixView a, const float* panel, Sums ends,
                            MatrixView y) noexcept {
    vec sums[M][kVectors];
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t v = 0; v < kVectors; ++v)
            sums[r][v] = ends.from_target ? simd::load(y.row(r) + v * kLanes)
                         : ends.bias      ? simd::load(ends.bias + v * kLanes)
                                          : simd::broadcast(0.0f);
    const float* const end = panel + a.columns * kPanelColumns;
    for (const float* left = a.data; panel != end; panel += kPanelColumns, ++left) {
        vec right[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) right[v] = simd::load(panel + v * kLanes);
        for (std::size_t r = 0; r < M; ++r) {
            const vec factor = simd::load_broadcast(left + r * a.stride);
            for (std::size_t v = 0; v < kVectors; ++v)
                sums[r][v] = simd::madd(factor, right[v], sums[r][v]);
        }
    }
    const vec scale = simd::broadcast(ends.scale);
    for (std::size_t r = 0; r < M; ++r)
        for (std::size_t v = 0; v < kVectors; ++v)
            simd::store(y.row(r) + v * kLanes, sums[r][v] * scale);
}

// Any number of rows up to a tile's, eight columns.
void tile_of(ConstMatrixView a, const float* panel, Sums ends, MatrixView y) noexcept {
    static_assert(kTileRows <= 6);
    switch (a.rows) {
    case 6: return tile<6>(a, panel, ends, y);
    case 5: return tile<5>(a, panel, ends, y);
    case 4: return tile<4>(a, panel, ends, y);
    case 3: return tile<3>(a, panel, ends, y);
    case 2: return tile<2>(a, panel, ends, y);
    case 1: return tile<1>(a, panel, ends, y);
    default: break;
    }
}

// Fewer than eight columns: by way of a whole tile beside the target.
void narrow_tile(ConstMatrixView a, const float* panel, Sums ends, MatrixView y) noexcept {
    float sums[kTileRows * kPanelColumns] = {};
    float bias[kPanelColumns] = {};
    const MatrixView whole = dense(sums, a.rows, kPanelColumns);
    const auto copy = [&](const float* source, float* target) {
        std::memcpy(target, source, y.columns * sizeof(float));
    };
    if (ends.from_target)
        for (std::size_t r = 0; r < a.rows; ++r) copy(y.row(r), whole.row(r));
    if (ends.bias != nullptr) copy(ends.bias, bias);
    tile_of(a, panel, {ends.bias != nullptr ? bias : nullptr, ends.from_target, ends.scale}, whole);
    for (std::size_t r = 0; r < a.rows; ++r) copy(whole.row(r), y.row(r));
}

}  // namespace

void panel_of_rows(ConstMatrixView rows, float* panel) noexcept {
    if (rows.rows == kPanelColumns) {
        std::size_t k = 0;
        for (; k + kLanes <= rows.columns; k += kLanes)
            simd::transpose_eight(rows.data + k, rows.stride, panel + k * kPanelColumns);
        for (; k < rows.columns; ++k)
            for (std::size_t c = 0; c < kPanelColumns; ++c)
                panel[k * kPanelColumns + c] = rows.row(c)[k];
        return;
    }
    std::fill(panel, panel + rows.columns * kPanelColumns, 0.0f);
    for (std::size_t c = 0; c < rows.rows; ++c)
        for (std::size_t k = 0; k < rows.columns; ++k)
            panel[k * kPanelColumns + c] = rows.row(c)[k];
}

void panel_of_columns(ConstMatrixView columns, float* panel) noexcept {
    for (std::size_t k = 0; k < columns.rows; ++k, panel += kPanelColumns) {
        const float* row = columns.row(k);
        if (columns.columns == kPanelColumns) {
            for (std::size_t v = 0; v < kVectors; ++v)
                simd::store(panel + v * kLanes, simd::load(row + v * kLanes));
        } else {
            std::fill(panel, panel + kPanelColumns, 0.0f);
            std::copy(row, row + columns.columns, panel);
        }
    }
}

void multiply_panel(ConstMatrixView a, const float* panel, Sums ends, MatrixView y) noexcept {
    // Rows spread evenly over the tiles: 13 rows are 5 + 4 + 4, not 6 + 6 + 1.
    const std::size_t tiles = (a.rows + kTileRows - 1) / kTileRows;
    for (std::size_t t = 0, first = 0; t < tiles; ++t) {
        const std::size_t rows = a.rows / tiles + (t < a.rows % tiles ? 1 : 0);
        const ConstMatrixView left = a.rows_from(first, rows);
        const MatrixView target = y.rows_from(first, rows);
        if (y.columns == kPanelColumns)
            tile_of(left, panel, ends, target);
        else
            narrow_tile(left, panel, ends, target);
        first += rows;
    }
}

}  // namespace headlights::kernels
