#include "core/finite.hpp"

#include <cstdint>
#include <cstring>

namespace headlights {

namespace {

constexpr bool non_finite_f32(std::uint32_t bits) noexcept {
    return (bits & 0x7f800000u) == 0x7f800000u;
}
constexpr bool non_finite_f16(std::uint16_t bits) noexcept { return (bits & 0x7c00u) == 0x7c00u; }
constexpr bool non_finite_bf16(std::uint16_t bits) noexcept { return (bits & 0x7f80u) == 0x7f80u; }

template <class Bits, class Predicate>
std::size_t count_where(const void* data, std::size_t count, Predicate predicate) noexcept {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::size_t found = 0;
    for (std::size_t index = 0; index < count; ++index) {
        Bits bits;
        std::memcpy(&bits, bytes + index * sizeof(Bits), sizeof(Bits));
        found += predicate(bits) ? 1 : 0;
    }
    return found;
}

}  // namespace

std::size_t count_non_finite(const float* data, std::size_t count) noexcept {
    return count_where<std::uint32_t>(data, count, non_finite_f32);
}

std::size_t count_non_finite_in_row(const void* row, ElementType type,
                                    std::size_t columns) noexcept {
    switch (type) {
    case ElementType::F32: return count_where<std::uint32_t>(row, columns, non_finite_f32);
    case ElementType::F16: return count_where<std::uint16_t>(row, columns, non_finite_f16);
    case ElementType::BF16: return count_where<std::uint16_t>(row, columns, non_finite_bf16);
    case ElementType::Q8_0: {
        const auto* blocks = static_cast<const unsigned char*>(row);
        std::size_t found = 0;
        for (std::size_t block = 0; block < columns / kBlockQ8; ++block)
            found += kBlockQ8 *
                     count_where<std::uint16_t>(blocks + block * kBlockQ8Bytes, 1, non_finite_f16);
        return found;
    }
    }
    return 0;
}

}  // namespace headlights
