// Stored matrices of random numbers in every element type, and what they stand for by the
// definition of the type, worked out apart from the code under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/element_type.hpp"
#include "kernels/decode.hpp"
#include "support/random.hpp"

namespace headlights::test {

inline constexpr ElementType kElementTypes[] = {ElementType::F32, ElementType::F16,
                                                ElementType::BF16, ElementType::Q8_0};

[[nodiscard]] const char* name_of(ElementType type) noexcept;

struct Stored {
    ElementType type = ElementType::F32;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<unsigned char> bytes;  // `shift` unused bytes, then the rows; nothing after them
    std::size_t shift = 0;
    kernels::Layout layout = kernels::Layout::Rows;

    [[nodiscard]] kernels::StoredMatrix view() const noexcept {
        return {bytes.data() + shift, type, rows, columns, layout};
    }
    // The same matrix in panels.
    [[nodiscard]] Stored arranged() const;
    // Dense [rows, columns]; every type is exact in fp32. Of a matrix in rows.
    [[nodiscard]] std::vector<float> decoded() const;
};

// Numbers below 2^exponent in size; `columns` must fit the type. `shift` misaligns the bytes.
[[nodiscard]] Stored random_stored(ElementType type, std::size_t rows, std::size_t columns,
                                   Random& random, int exponent = 0, std::size_t shift = 0);

}  // namespace headlights::test
