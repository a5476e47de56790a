#include "kernels/activation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/fenced.hpp"
#include "support/figures.hpp"
#include "support/random.hpp"

using namespace headlights;
using test::Fenced;

namespace {

const std::size_t kLanes = test::lanes();

double gelu_in_double(double x) { return x * 0.5 * (1 + std::erf(x * 0.70710678118654752440)); }

float gelu_of(float x) {
    kernels::gelu(&x, 1);
    return x;
}

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("gelu: the stated error on [-10, 10], every 0.0001 (or 0.001 without optimisation)") {
        std::vector<float> x;
        std::vector<double> expected;
        for (int i = -100000; i <= 100000; i += test::kThorough ? 1 : 10) {
            x.push_back(static_cast<float>(i * 1e-4));
            expected.push_back(gelu_in_double(x.back()));
        }
        kernels::gelu(x.data(), x.size());
        test::figure("gelu, absolute, [-10, 10]", test::largest_difference(x, expected));
        CHECK(test::within(x, expected, 4.2e-7));
    }

    TEST_CASE("gelu: every count and start, nothing written outside") {
        test::Random random(50);
        for (std::size_t count = 0; count <= 2 * kLanes + 1; ++count)
            for (std::size_t shift = 0; shift < 4; ++shift) {
                const std::vector<float> numbers = random.uniforms(count, -4, 4);
                std::vector<double> expected;
                for (const float x : numbers) expected.push_back(gelu_in_double(x));
                Fenced values(1, count, {.shift = shift});
                std::copy(numbers.begin(), numbers.end(), values.data());
                kernels::gelu(values.data(), count);
                CHECK(test::within(values.values(), expected, 4.2e-7));
                CHECK(values.intact());
            }
    }

    TEST_CASE("gelu: it is the exact form, not the one with tanh") {
        // The two differ by 4.7e-4 at x = 2.7.
        const double with_tanh =
            1.35 * (1 + std::tanh(0.7978845608 * (2.7 + 0.044715 * 2.7 * 2.7 * 2.7)));
        CHECK(std::abs(gelu_of(2.7f) - gelu_in_double(2.7)) < 1e-6);
        CHECK(std::abs(gelu_of(2.7f) - with_tanh) > 1e-4);
    }

    TEST_CASE("gelu: 0 for large negative numbers, x for large ones, the documented rest") {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        CHECK(gelu_of(0.0f) == 0.0f);
        for (const float x : {10.0f, 1e4f, 1e30f}) {
            CHECK(gelu_of(x) == x);
            CHECK(gelu_of(-x) == 0.0f);
        }
        CHECK(gelu_of(kInfinity) == kInfinity);
        CHECK(std::isnan(gelu_of(-kInfinity)));
        CHECK(std::isnan(gelu_of(std::numeric_limits<float>::quiet_NaN())));
    }
}
