// a * b + c. The only difference between the two WebAssembly modules: with relaxed SIMD it is one
// instruction that may round once or twice, as the host likes; with baseline SIMD and SSE it is a
// product, then a sum, each rounded; with AVX2 it is a fused multiply-add.
#pragma once

#include "simd/vec.hpp"

#ifdef __wasm_relaxed_simd__
#include <wasm_simd128.h>
#endif

namespace headlights::simd {

// True where a multiply-add is one instruction, which needs no register for the product.
#if defined(__wasm_relaxed_simd__) || defined(__FMA__)
inline constexpr bool kMaddIsOne = true;
#else
inline constexpr bool kMaddIsOne = false;
#endif

// xsimd has no relaxed-SIMD architecture: its fma would be mul and add there.
[[nodiscard]] inline vec madd(vec a, vec b, vec c) noexcept {
#if defined(__wasm_relaxed_simd__)
    return vec(wasm_f32x4_relaxed_madd(a, b, c));
#elif defined(__FMA__)
    return xsimd::fma(a, b, c);
#else
    return a * b + c;
#endif
}

}  // namespace headlights::simd
