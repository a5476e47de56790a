// Stored weights to fp32: one row, or one row into a panel. The only place that knows the block
// formats; GEMM calls it panel by panel, so that no second copy of the weights exists.
#pragma once

#include <cstddef>

#include "core/element_type.hpp"

namespace headlights::kernels {

// A stored matrix [rows, columns], rows one after the other in `type`. Data may be unaligned.
struct StoredMatrix {
    const unsigned char* data = nullptr;
    ElementType type = ElementType::F32;
    std::size_t rows = 0;
    std::size_t columns = 0;

    [[nodiscard]] const unsigned char* row(std::size_t index) const noexcept {
        return data + index * row_bytes(type, columns);
    }
};

// Writes the `columns` numbers of stored row `row` to `target` (must not overlap). Exact for every
// type.
void decode_row(const StoredMatrix& matrix, std::size_t row, float* target) noexcept;

// Columns rounded up to whole vectors: how long a packed row is.
[[nodiscard]] std::size_t packed_columns(std::size_t columns) noexcept;

// Writes stored row `row` as lane `slot` of a panel of `slots` rows: vector v of the row goes to
// target + (v * slots + slot) * lanes, the last one filled up with zeros. A GEMM's inner loop then
// walks one pointer. target: slots * packed_columns numbers.
void decode_row_packed(const StoredMatrix& matrix, std::size_t row, std::size_t slot,
                       std::size_t slots, float* target) noexcept;

}  // namespace headlights::kernels
