#include "kernels/softmax.hpp"

#include <limits>

#include "simd/math.hpp"
#include "simd/reduce.hpp"

namespace headlights::kernels {

using simd::kLanes;
using simd::vec;

float max_of(const float* values, std::size_t count) noexcept {
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    vec largest = simd::broadcast(kLowest);
    std::size_t j = 0;
    for (; j + kLanes <= count; j += kLanes) largest = xsimd::max(largest, simd::load(values + j));
    if (j < count)
        largest = xsimd::max(largest, simd::load_partial(values + j, count - j, kLowest));
    return simd::max_lanes(largest);
}

float exponentials(const float* scores, std::size_t count, float shift, float* weights) noexcept {
    const vec shifts = simd::broadcast(shift);
    vec sums = simd::broadcast(0.0f);
    std::size_t j = 0;
    for (; j + kLanes <= count; j += kLanes) {
        const vec powers = simd::exp(simd::load(scores + j) - shifts);
        simd::store(weights + j, powers);
        sums = sums + powers;
    }
    if (j < count) {
        // The idle lanes hold -infinity, so they add e^(-infinity) = 0 (or NaN where the shift is
        // not finite, where the row is NaN anyhow).
        constexpr float kLowest = -std::numeric_limits<float>::infinity();
        const vec powers = simd::exp(simd::load_partial(scores + j, count - j, kLowest) - shifts);
        simd::store_partial(weights + j, powers, count - j);
        sums = sums + powers;
    }
    return simd::sum_lanes(sums);
}

void divide(float* values, std::size_t count, float divisor) noexcept {
    const vec divisors = simd::broadcast(divisor);
    std::size_t j = 0;
    for (; j + kLanes <= count; j += kLanes)
        simd::store(values + j, simd::load(values + j) / divisors);
    for (; j < count; ++j) values[j] /= divisor;
}

void multiply(float* values, std::size_t count, float factor) noexcept {
    const vec factors = simd::broadcast(factor);
    std::size_t j = 0;
    for (; j + kLanes <= count; j += kLanes)
        simd::store(values + j, simd::load(values + j) * factors);
    for (; j < count; ++j) values[j] *= factor;
}

void softmax_row(const float* scores, std::size_t count, float* weights) noexcept {
    const float sum = exponentials(scores, count, max_of(scores, count), weights);
    divide(weights, count, sum);
}

}  // namespace headlights::kernels
