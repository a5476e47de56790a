#include "kernels/gemm.hpp"

#include <algorithm>

#include "kernels/panel.hpp"

namespace headlights::kernels {

namespace {

// Rows of a panel that are multiplied in one go: 16 KB, half of the smallest first-level cache. The
// sums wait in y meanwhile, which changes no bit of them.
constexpr std::size_t kDepth = 512;

// Rows of x that meet every panel before the next rows do: at most 384 KB of x, which stays in the
// second-level cache. More rows than this decode a panel anew.
constexpr std::size_t kRows = 192;

// Depth of the panels that gemm_rows and gemm_weighted_sum make on the stack (4 KB).
constexpr std::size_t kStackDepth = 128;

// y = scale * (beginning + a b) for b [K, y.columns], panel by panel and at most `kChunk` deep:
// make_panel(first column of b, columns, first k, depth) gives the panel.
template <std::size_t kChunk, class MakePanel>
void multiply(ConstMatrixView a, MakePanel make_panel, Sums ends, MatrixView y) noexcept {
    std::size_t first = 0;
    do {
        const std::size_t depth = std::min(kChunk, a.columns - first);
        const bool last = first + depth == a.columns;
        for (std::size_t t = 0; t < a.rows; t += kRows) {
            const std::size_t rows = std::min(kRows, a.rows - t);
            const ConstMatrixView left = a.rows_from(t, rows).columns_from(first, depth);
            for (std::size_t n = 0; n < y.columns; n += kPanelColumns) {
                const std::size_t columns = std::min(kPanelColumns, y.columns - n);
                const float* bias = first > 0 || ends.bias == nullptr ? nullptr : ends.bias + n;
                multiply_panel(left, make_panel(n, columns, first, depth),
                               {bias, first > 0 || ends.from_target, last ? ends.scale : 1.0f},
                               y.rows_from(t, rows).columns_from(n, columns));
            }
        }
        first += depth;
    } while (first < a.columns);
}

}  // namespace

std::size_t gemm_workspace(std::size_t columns) noexcept {
    return kPanelColumns * std::min(kDepth, columns);
}

void gemm_stored(ConstMatrixView x, const StoredMatrix& weights, const float* bias, MatrixView y,
                 float* workspace) noexcept {
    multiply<kDepth>(
        x,
        [&](std::size_t n, std::size_t, std::size_t first, std::size_t depth) noexcept {
            return decode_panel(weights, n, first, depth, workspace);
        },
        {bias, false, 1.0f}, y);
}

void gemm_rows(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView y) noexcept {
    float panel[kStackDepth * kPanelColumns];
    multiply<kStackDepth>(
        a,
        [&](std::size_t n, std::size_t count, std::size_t first, std::size_t depth) noexcept {
            panel_of_rows(b.rows_from(n, count).columns_from(first, depth), panel);
            return panel;
        },
        {nullptr, false, scale}, y);
}

void gemm_weighted_sum(ConstMatrixView w, ConstMatrixView v, bool accumulate,
                       MatrixView y) noexcept {
    float panel[kStackDepth * kPanelColumns];
    multiply<kStackDepth>(
        w,
        [&](std::size_t n, std::size_t count, std::size_t first, std::size_t depth) noexcept {
            panel_of_columns(v.rows_from(first, depth).columns_from(n, count), panel);
            return panel;
        },
        {nullptr, accumulate, 1.0f}, y);
}

}  // namespace headlights::kernels
