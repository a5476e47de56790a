// Sums and maxima over the lanes of vectors, in one stated order for every instruction set of a
// width: that is what makes the SSE and the baseline WebAssembly results equal to the last bit.
#pragma once

#include <array>

#include "simd/vec.hpp"

namespace headlights::simd {

// Pairwise: lane i meets lane i + half, then the halves shrink. (l0 + l2) + (l1 + l3) for four
// lanes.
[[nodiscard]] inline float sum_lanes(vec value) noexcept {
    std::array<float, kLanes> lanes;
    store(lanes.data(), value);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    return lanes[0];
}

// NaN in any lane may be ignored: a caller that must see it sums as well.
[[nodiscard]] inline float max_lanes(vec value) noexcept {
    std::array<float, kLanes> lanes;
    store(lanes.data(), value);
    float result = lanes[0];
    for (const float lane : lanes) result = lane > result ? lane : result;
    return result;
}

// target[i] = sum_lanes(values[i]) for four vectors, in the same order of additions.
inline void sum_lanes_of_four(const vec (&values)[4], float (&target)[4]) noexcept {
    if constexpr (kLanes == 4) {
        // [a0 c0 a1 c1] + [a2 c2 a3 c3]; the same with b, d; then interleave and add.
        const vec ac = xsimd::zip_lo(values[0], values[2]) + xsimd::zip_hi(values[0], values[2]);
        const vec bd = xsimd::zip_lo(values[1], values[3]) + xsimd::zip_hi(values[1], values[3]);
        store(target, xsimd::zip_lo(ac, bd) + xsimd::zip_hi(ac, bd));
    } else {
        for (std::size_t i = 0; i < 4; ++i) target[i] = sum_lanes(values[i]);
    }
}

}  // namespace headlights::simd
