// Eight columns side by side: the form in which every matrix product reads its right-hand side. The
// inner loop walks such a panel from top to bottom while a tile of sums stays in registers.
#pragma once

#include <cstddef>

#include "core/matrix_view.hpp"

namespace headlights::kernels {

inline constexpr std::size_t kPanelColumns = 8;

// Columns rounded up to whole panels.
[[nodiscard]] constexpr std::size_t panelled(std::size_t columns) noexcept {
    return (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

// Rows become columns: panel[k * 8 + c] = rows[c][k], 0 for c >= rows.rows.  rows [<= 8, K], panel
// [K, 8]; they do not overlap.
void panel_of_rows(ConstMatrixView rows, float* panel) noexcept;

// panel[k * 8 + c] = columns[k][c], 0 for c >= columns.columns.  columns [K, <= 8], panel [K, 8].
void panel_of_columns(ConstMatrixView columns, float* panel) noexcept;

// How the sums of a product begin and end.
struct Sums {
    const float* bias = nullptr;  // [y.columns], where they begin; null: at 0
    bool from_target = false;     // true: they begin at what y holds, and there is no bias
    float scale = 1.0f;           // multiplies them at the end
};

// y = scale * (beginning + a panel).  a [M, K], panel [K, 8], y [M, <= 8], which overlaps neither.
// Each number is summed over k in rising order, one product after the other, whatever the sizes: it
// depends on its row and its column alone.
void multiply_panel(ConstMatrixView a, const float* panel, Sums ends, MatrixView y) noexcept;

}  // namespace headlights::kernels
