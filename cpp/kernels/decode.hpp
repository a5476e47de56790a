// Stored weights: how they lie in memory, and their way to fp32. The only place that knows the
// block formats; GEMM asks for a panel at a time, so that no second copy of the weights exists.
#pragma once

#include <cstddef>

#include "core/element_type.hpp"

namespace headlights::kernels {

// Rows: one row after the other, as files hold them; single rows are cheap to read (embeddings).
// Panels: eight rows interleaved, as matrix products read them, in as many bytes; the last
// rows % 8 stay rows. For each k of eight rows F32, F16 and BF16 hold eight numbers; Q8_0 holds for
// each 32 k the eight scales, then eight bytes for each k.
enum class Layout { Rows, Panels };

// A stored matrix [rows, columns] in `type`. Data may be unaligned.
struct StoredMatrix {
    const unsigned char* data = nullptr;
    ElementType type = ElementType::F32;
    std::size_t rows = 0;
    std::size_t columns = 0;
    Layout layout = Layout::Rows;

    // Where a row begins or, in panels, where the eight rows from `index` on begin.
    [[nodiscard]] const unsigned char* row(std::size_t index) const noexcept {
        return data + index * row_bytes(type, columns);
    }
};

// Bytes of scratch that arrange_in_panels() needs.
[[nodiscard]] std::size_t arrange_scratch(ElementType type, std::size_t columns) noexcept;

// Turns the `rows` rows at `data` into panels where they lie.
void arrange_in_panels(unsigned char* data, ElementType type, std::size_t rows, std::size_t columns,
                       unsigned char* scratch) noexcept;

// Writes the `columns` numbers of stored row `row` to `target` (must not overlap). Exact for every
// type and layout.
void decode_row(const StoredMatrix& matrix, std::size_t row, float* target) noexcept;

// Numbers [first, first + depth) of the eight rows from `row` on (a multiple of 8) as a panel
// [depth, 8] for kernels/panel.hpp, 0 for rows that are not there. `first` is a multiple of 32, and
// so is depth unless it reaches the last column. The panel is `target`, 8 * depth numbers, or the
// stored matrix itself where that already is one.
[[nodiscard]] const float* decode_panel(const StoredMatrix& matrix, std::size_t row,
                                        std::size_t first, std::size_t depth,
                                        float* target) noexcept;

}  // namespace headlights::kernels
