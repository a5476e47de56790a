#include "kernels/activation.hpp"

#include "simd/madd.hpp"
#include "simd/math.hpp"

namespace headlights::kernels {

using simd::kLanes;
using simd::vec;

void gelu(float* values, std::size_t count) noexcept {
    const vec half = simd::broadcast(0.5f);
    const vec inverse_root_two = simd::broadcast(0.70710678118654752f);
    const auto activated = [&](vec x) {
        const vec halved = x * half;
        return simd::madd(halved, simd::erf(x * inverse_root_two), halved);
    };
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        simd::store(values + i, activated(simd::load(values + i)));
    if (const std::size_t rest = count - i; rest > 0)
        simd::store_partial(values + i, activated(simd::load_partial(values + i, rest)), rest);
}

}  // namespace headlights::kernels
