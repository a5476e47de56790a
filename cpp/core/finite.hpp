// Counting numbers that are NaN or infinite: results are reported with the count, model files
// refused.
#pragma once

#include <cstddef>

#include "core/element_type.hpp"

namespace headlights {

// How many of `count` fp32 numbers are NaN or infinite.
[[nodiscard]] std::size_t count_non_finite(const float* data, std::size_t count) noexcept;

// The same for one stored row of `columns` numbers (Q8_0: counts the numbers of blocks with such a
// scale).
[[nodiscard]] std::size_t count_non_finite_in_row(const void* row, ElementType type,
                                                  std::size_t columns) noexcept;

}  // namespace headlights
