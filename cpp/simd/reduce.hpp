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

}  // namespace headlights::simd
