// One vector of fp32 lanes and the ways to move it to and from memory. This folder is the only
// place that includes xsimd or names an instruction set; kernels are written once in terms of
// `vec`.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace headlights::simd {

using vec = xsimd::batch<float>;
inline constexpr std::size_t kLanes = vec::size;

[[nodiscard]] inline vec load(const float* source) noexcept { return vec::load_unaligned(source); }
inline void store(float* target, vec value) noexcept { value.store_unaligned(target); }
[[nodiscard]] inline vec broadcast(float value) noexcept { return vec(value); }

// The number at `source` in every lane: one instruction where a load and a broadcast would be two.
[[nodiscard]] inline vec load_broadcast(const float* source) noexcept {
#if defined(__wasm_simd128__)
    return vec(wasm_v128_load32_splat(source));
#else
    return vec(*source);
#endif
}

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
