// The errors that simd/math.hpp states, against the C library in double.
#include "simd/math.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "support/effort.hpp"
#include "support/figures.hpp"
#include "support/random.hpp"

using namespace headlights;
using test::figure;

namespace {

constexpr std::size_t kSamples = test::kThorough ? 1 << 20 : 1 << 15;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <simd::vec (*function)(simd::vec) noexcept> float one(float x) {
    std::array<float, simd::kLanes> lanes;
    simd::store(lanes.data(), function(simd::broadcast(x)));
    return lanes[0];
}

// Calls visit(x, function(x)) for evenly spaced numbers of [low, high], both ends included.
template <simd::vec (*function)(simd::vec) noexcept, class Visit>
void sample(double low, double high, Visit visit) {
    std::array<float, simd::kLanes> x;
    std::array<float, simd::kLanes> y;
    for (std::size_t i = 0; i < kSamples; i += simd::kLanes) {
        for (std::size_t lane = 0; lane < simd::kLanes; ++lane)
            x[lane] = static_cast<float>(low + (high - low) * static_cast<double>(i + lane) /
                                                   static_cast<double>(kSamples - 1));
        simd::store(y.data(), function(simd::load(x.data())));
        for (std::size_t lane = 0; lane < simd::kLanes; ++lane) visit(x[lane], y[lane]);
    }
}

// Distance of two neighbouring fp32 numbers at `value`.
double ulp(double value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

}  // namespace

TEST_SUITE("simd") {
    TEST_CASE("exp is within 1.6 ulp on [-87.3, 88.3]") {
        double largest = 0;
        sample<simd::exp>(-87.3, 88.3, [&](float x, float y) {
            const double expected = std::exp(static_cast<double>(x));
            largest = std::max(largest, std::abs(y - expected) / ulp(expected));
        });
        figure("simd::exp, ulp, [-87.3, 88.3]", largest);
        CHECK(largest <= 1.6);
    }

    TEST_CASE("exp near 0, where most weights come from, is within 1.6 ulp") {
        double largest = 0;
        sample<simd::exp>(-2, 0, [&](float x, float y) {
            const double expected = std::exp(static_cast<double>(x));
            largest = std::max(largest, std::abs(y - expected) / ulp(expected));
        });
        figure("simd::exp, ulp, [-2, 0]", largest);
        CHECK(largest <= 1.6);
    }

    TEST_CASE("exp between the normal numbers and 0 is off by 8.4e-39 at most") {
        double largest = 0;
        sample<simd::exp>(-110, -87.3, [&](float x, float y) {
            largest = std::max(largest, std::abs(y - std::exp(static_cast<double>(x))));
        });
        figure("simd::exp, absolute, [-110, -87.3]", largest);
        CHECK(largest <= 8.4e-39);
    }

    TEST_CASE("exp of 0 is 1, of the infinities 0 and infinity, of NaN NaN") {
        CHECK(one<simd::exp>(0.0f) == 1.0f);
        CHECK(one<simd::exp>(-0.0f) == 1.0f);
        CHECK(std::bit_cast<std::uint32_t>(one<simd::exp>(-kInfinity)) == 0u);
        CHECK(std::bit_cast<std::uint32_t>(one<simd::exp>(-88.4f)) == 0u);
        CHECK(std::bit_cast<std::uint32_t>(one<simd::exp>(-3e38f)) == 0u);
        CHECK(one<simd::exp>(kInfinity) == kInfinity);
        CHECK(one<simd::exp>(3e38f) == kInfinity);
        CHECK(std::isnan(one<simd::exp>(kNaN)));
        CHECK(std::isnan(one<simd::exp>(-kNaN)));
    }

    TEST_CASE("exp is never above 1 for numbers of at most 0") {
        float largest = 0;
        sample<simd::exp>(-1e-3, 0, [&](float, float y) { largest = std::max(largest, y); });
        CHECK(largest == 1.0f);
    }

    TEST_CASE("erf is within 1.1e-7 on [-10, 10] and never beyond -1 and 1") {
        double largest = 0;
        float furthest = 0;
        const auto visit = [&](float x, float y) {
            largest = std::max(largest, std::abs(y - std::erf(static_cast<double>(x))));
            furthest = std::max(furthest, std::abs(y));
        };
        sample<simd::erf>(-10, 10, visit);
        sample<simd::erf>(-1, 1, visit);
        figure("simd::erf, absolute, [-10, 10]", largest);
        CHECK(largest <= 1.1e-7);
        CHECK(furthest == 1.0f);
    }

    TEST_CASE("erf of large numbers and infinities is -1 or 1, of 0 it is 0, of NaN NaN") {
        for (const float x : {10.0f, 1e10f, 3e38f, kInfinity}) {
            CHECK(one<simd::erf>(x) == 1.0f);
            CHECK(one<simd::erf>(-x) == -1.0f);
        }
        CHECK(one<simd::erf>(0.0f) == 0.0f);
        CHECK(std::isnan(one<simd::erf>(kNaN)));
    }

    TEST_CASE("each lane's result is the same whatever the other lanes hold") {
        test::Random random(3);
        std::size_t wrong = 0;
        for (int round = 0; round < 1000; ++round) {
            std::array<float, simd::kLanes> x;
            for (float& lane : x) lane = random.uniform(-4, 4);
            if (round % 4 == 0) x[random.below(simd::kLanes)] = kNaN;
            std::array<float, simd::kLanes> exps;
            std::array<float, simd::kLanes> erfs;
            simd::store(exps.data(), simd::exp(simd::load(x.data())));
            simd::store(erfs.data(), simd::erf(simd::load(x.data())));
            for (std::size_t lane = 0; lane < simd::kLanes; ++lane) {
                if (std::isnan(x[lane])) continue;
                wrong += exps[lane] != one<simd::exp>(x[lane]);
                wrong += erfs[lane] != one<simd::erf>(x[lane]);
            }
        }
        CHECK(wrong == 0);
    }
}
