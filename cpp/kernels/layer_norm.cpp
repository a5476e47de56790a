#include "kernels/layer_norm.hpp"

#include <cmath>

#include "simd/madd.hpp"
#include "simd/reduce.hpp"

namespace headlights::kernels {

using simd::kLanes;
using simd::vec;

namespace {

float mean_of(const float* x, std::size_t columns) noexcept {
    vec sums = simd::broadcast(0.0f);
    std::size_t c = 0;
    for (; c + kLanes <= columns; c += kLanes) sums = sums + simd::load(x + c);
    if (c < columns) sums = sums + simd::load_partial(x + c, columns - c);
    return simd::sum_lanes(sums) / static_cast<float>(columns);
}

float variance_of(const float* x, std::size_t columns, float mean) noexcept {
    const vec means = simd::broadcast(mean);
    vec sums = simd::broadcast(0.0f);
    std::size_t c = 0;
    for (; c + kLanes <= columns; c += kLanes) {
        const vec centred = simd::load(x + c) - means;
        sums = simd::madd(centred, centred, sums);
    }
    if (c < columns) {
        const vec centred = simd::load_partial(x + c, columns - c, mean) - means;
        sums = simd::madd(centred, centred, sums);
    }
    return simd::sum_lanes(sums) / static_cast<float>(columns);
}

}  // namespace

void layer_norm(ConstMatrixView x, const float* weight, const float* bias, float epsilon,
                MatrixView y) noexcept {
    const std::size_t columns = x.columns;
    if (columns == 0) return;
    for (std::size_t t = 0; t < x.rows; ++t) {
        const float* source = x.row(t);
        float* target = y.row(t);
        const float mean = mean_of(source, columns);
        const float inverse = 1.0f / std::sqrt(variance_of(source, columns, mean) + epsilon);
        const vec means = simd::broadcast(mean);
        const vec inverses = simd::broadcast(inverse);
        const auto normalised = [&](vec value, vec gain, vec offset) {
            return simd::madd((value - means) * inverses, gain, offset);
        };
        std::size_t c = 0;
        for (; c + kLanes <= columns; c += kLanes)
            simd::store(target + c, normalised(simd::load(source + c), simd::load(weight + c),
                                               simd::load(bias + c)));
        if (const std::size_t rest = columns - c; rest > 0)
            simd::store_partial(target + c,
                                normalised(simd::load_partial(source + c, rest),
                                           simd::load_partial(weight + c, rest),
                                           simd::load_partial(bias + c, rest)),
                                rest);
    }
}

}  // namespace headlights::kernels
