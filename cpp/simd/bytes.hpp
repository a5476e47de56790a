// Signed bytes to fp32 lanes: the inner step of decoding 8-bit weights. Exact for every byte.
#pragma once

#include <cstdint>
#include <cstring>

#include "simd/vec.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE4_1__)
#include <immintrin.h>
#endif

namespace headlights::simd {

inline constexpr std::size_t kByteGroup = 8;  // bytes that are widened together

// vectors[v] lane l = bytes[v * kLanes + l] for the eight bytes of a group. Reads exactly eight.
// Every instruction set has a widening load for this that no portable loop reliably becomes.
inline void widen_bytes(const std::int8_t* bytes, vec (&vectors)[kByteGroup / kLanes]) noexcept {
#if defined(__wasm_simd128__)
    const v128_t wide = wasm_i16x8_load8x8(bytes);
    vectors[0] = vec(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(wide)));
    vectors[1] = vec(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(wide)));
#elif defined(__AVX2__)
    const __m128i group = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
    vectors[0] = vec(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(group)));
#elif defined(__SSE4_1__)
    const __m128i group = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
    vectors[0] = vec(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(group)));
    vectors[1] = vec(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(_mm_srli_si128(group, 4))));
#else
    float lanes[kByteGroup];
    for (std::size_t i = 0; i < kByteGroup; ++i) lanes[i] = static_cast<float>(bytes[i]);
    for (std::size_t v = 0; v < kByteGroup / kLanes; ++v) vectors[v] = load(lanes + v * kLanes);
#endif
}

}  // namespace headlights::simd
