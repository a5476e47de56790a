// One vector of fp32 lanes and the ways to move it to and from memory. This folder is the only
// place that includes xsimd or names an instruction set; kernels are written once in terms of
// `vec`.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include <xsimd/xsimd.hpp>

namespace headlights::simd {

using vec = xsimd::batch<float>;
inline constexpr std::size_t kLanes = vec::size;

[[nodiscard]] inline vec load(const float* source) noexcept { return vec::load_unaligned(source); }
inline void store(float* target, vec value) noexcept { value.store_unaligned(target); }
[[nodiscard]] inline vec broadcast(float value) noexcept { return vec(value); }

// The first `count` < kLanes numbers; the other lanes are `rest`. Reads nothing beyond `count`.
[[nodiscard]] inline vec load_partial(const float* source, std::size_t count,
                                      float rest = 0.0f) noexcept {
    std::array<float, kLanes> lanes;
    lanes.fill(rest);
    std::memcpy(lanes.data(), source, count * sizeof(float));
    return load(lanes.data());
}

// Writes the first `count` < kLanes lanes and nothing else.
inline void store_partial(float* target, vec value, std::size_t count) noexcept {
    std::array<float, kLanes> lanes;
    store(lanes.data(), value);
    std::memcpy(target, lanes.data(), count * sizeof(float));
}

}  // namespace headlights::simd
