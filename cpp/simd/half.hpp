// Eight IEEE binary16 numbers to fp32 lanes, exact for every input: the vector form of
// core/float16.hpp, for scales and weights that are stored in 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/float16.hpp"
#include "simd/vec.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace headlights::simd {

inline constexpr std::size_t kHalfGroup = 8;  // numbers that are widened together

// vectors[v] lane l = number v * kLanes + l of the eight 16-bit numbers at `source` (any
// alignment).
inline void widen_halves(const unsigned char* source,
                         vec (&vectors)[kHalfGroup / kLanes]) noexcept {
#if defined(__wasm_simd128__)
    const v128_t halves = wasm_v128_load(source);
    const auto widen = [](v128_t bits) {
        const v128_t magnitude = wasm_v128_and(bits, wasm_i32x4_splat(0x7fff));
        const v128_t sign = wasm_i32x4_shl(wasm_v128_and(bits, wasm_i32x4_splat(0x8000)), 16);
        const v128_t scaled =
            wasm_f32x4_mul(wasm_i32x4_shl(magnitude, 13), wasm_f32x4_splat(0x1p112f));
        const v128_t special = wasm_v128_and(wasm_i32x4_gt(magnitude, wasm_i32x4_splat(0x7bff)),
                                             wasm_i32x4_splat(0x7f800000));
        return vec(wasm_v128_or(wasm_v128_or(scaled, special), sign));
    };
    vectors[0] = widen(wasm_u32x4_extend_low_u16x8(halves));
    vectors[1] = widen(wasm_u32x4_extend_high_u16x8(halves));
#else
    float lanes[kHalfGroup];
    for (std::size_t i = 0; i < kHalfGroup; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, source + 2 * i, 2);
        lanes[i] = float_from_f16(bits);
    }
    for (std::size_t v = 0; v < kHalfGroup / kLanes; ++v) vectors[v] = load(lanes + v * kLanes);
#endif
}

}  // namespace headlights::simd
