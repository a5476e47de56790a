#include "kernels/elementwise.hpp"

#include "simd/vec.hpp"

namespace headlights::kernels {

void add(float* target, const float* source, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + simd::kLanes <= count; i += simd::kLanes)
        simd::store(target + i, simd::load(target + i) + simd::load(source + i));
    for (; i < count; ++i) target[i] += source[i];
}

}  // namespace headlights::kernels
