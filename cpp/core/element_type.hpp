// The forms in which weights stay in memory. JavaScript knows the same list by position.
// F16: IEEE 754 binary16. BF16: upper half of binary32. Q8_0 (ggml): blocks of 32 numbers, each
// block an F16 scale and 32 signed bytes, number = scale * byte, 34 bytes a block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlights {

enum class ElementType : std::int32_t { F32, F16, BF16, Q8_0 };

inline constexpr std::size_t kBlockQ8 = 32;
inline constexpr std::size_t kBlockQ8Bytes = 34;

// Bytes of one row of `columns` numbers; 0 if the type cannot hold such a row.
[[nodiscard]] constexpr std::size_t row_bytes(ElementType type, std::size_t columns) noexcept {
    switch (type) {
    case ElementType::F32: return columns * 4;
    case ElementType::F16:
    case ElementType::BF16: return columns * 2;
    case ElementType::Q8_0: return columns % kBlockQ8 == 0 ? columns / kBlockQ8 * kBlockQ8Bytes : 0;
    }
    return 0;
}

}  // namespace headlights
