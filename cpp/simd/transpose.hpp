// Eight rows turned into columns, a vector of each at a time.
#pragma once

#include "simd/vec.hpp"

namespace headlights::simd {

// target[k * 8 + r] = source[r * stride + k] for eight rows r and kLanes numbers k of each.
inline void transpose_eight(const float* source, std::size_t stride, float* target) noexcept {
    if constexpr (kLanes == 4) {
        for (std::size_t half = 0; half < 2; ++half, source += 4 * stride, target += 4) {
            const vec a = load(source);
            const vec b = load(source + stride);
            const vec c = load(source + 2 * stride);
            const vec d = load(source + 3 * stride);
            const vec ac_low = xsimd::zip_lo(a, c);   // a0 c0 a1 c1
            const vec bd_low = xsimd::zip_lo(b, d);   // b0 d0 b1 d1
            const vec ac_high = xsimd::zip_hi(a, c);  // a2 c2 a3 c3
            const vec bd_high = xsimd::zip_hi(b, d);
            store(target, xsimd::zip_lo(ac_low, bd_low));  // a0 b0 c0 d0
            store(target + 8, xsimd::zip_hi(ac_low, bd_low));
            store(target + 16, xsimd::zip_lo(ac_high, bd_high));
            store(target + 24, xsimd::zip_hi(ac_high, bd_high));
        }
    } else {
        for (std::size_t k = 0; k < kLanes; ++k)
            for (std::size_t r = 0; r < 8; ++r) target[k * 8 + r] = source[r * stride + k];
    }
}

}  // namespace headlights::simd
