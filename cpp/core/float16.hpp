// Conversions from the 16-bit floating point forms to fp32, exact for every input.
#pragma once

#include <bit>
#include <cstdint>

namespace headlights {

// IEEE binary16 -> binary32, exact, subnormal numbers, infinities and NaN included. The 15
// magnitude bits are placed 13 higher and scaled by 2^112, which also normalises subnormals (2^-24
// steps).
[[nodiscard]] inline float float_from_f16(std::uint16_t half) noexcept {
    const std::uint32_t magnitude = half & 0x7fffu;
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    const std::uint32_t special =
        magnitude >= 0x7c00u ? 0x7f800000u : 0u;  // infinity or NaN keep their exponent
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

[[nodiscard]] inline float float_from_bf16(std::uint16_t bits) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace headlights
