// The comparers can fail: each way in which two arrays can differ is shown to be found.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/compare.hpp"
#include "support/fenced.hpp"

using namespace headlights;
using namespace headlights::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

}  // namespace

TEST_SUITE("support") {
    TEST_CASE("within: a NaN where a number is expected fails, and the other way round") {
        CHECK_FALSE(within(Floats{1, kNaN}, Doubles{1, 2}, 1e9));
        CHECK_FALSE(within(Floats{1, 2}, Doubles{1, kNaN}, 1e9));
        CHECK(within(Floats{kNaN}, Doubles{kNaN}, 0));
    }

    TEST_CASE("within: an infinity fails against numbers and the other infinity") {
        CHECK_FALSE(within(Floats{kInfinity}, Doubles{3e38}, 1e300));
        CHECK_FALSE(within(Floats{3e38f}, Doubles{kInfinity}, 1e300));
        CHECK_FALSE(within(Floats{kInfinity}, Doubles{-kInfinity}, 1e300));
        CHECK_FALSE(within(Floats{kInfinity}, Doubles{kNaN}, 1e300));
        CHECK(within(Floats{-kInfinity}, Doubles{-kInfinity}, 0));
    }

    TEST_CASE("within: the limit itself passes, one ulp more fails") {
        const float above = std::nextafter(1.5f, 2.0f);
        CHECK(within(Floats{1.5f}, Doubles{1.0}, 0.5));
        CHECK_FALSE(within(Floats{above}, Doubles{1.0}, 0.5));
        CHECK_FALSE(within(Floats{-above}, Doubles{-1.0}, 0.5));
        CHECK(within(Floats{1.5f}, Floats{1.0f}, 0.5));
        CHECK_FALSE(within(Floats{above}, Floats{1.0f}, 0.5));
    }

    TEST_CASE("within: sizes that differ fail, even where the common part agrees") {
        CHECK_FALSE(within(Floats{1, 2}, Doubles{1}, 1));
        CHECK_FALSE(within(Floats{1}, Doubles{1, 2}, 1));
        CHECK_FALSE(within(Floats{}, Doubles{1}, 1));
        CHECK(within(Floats{}, Doubles{}, 0));
    }

    TEST_CASE("within: one place among many is enough, and the message names the worst") {
        Floats actual(100, 1.0f);
        actual[7] = 1.1f;
        actual[42] = 2.0f;
        const Comparison comparison = within(actual, Doubles(100, 1.0), 1e-3);
        CHECK_FALSE(comparison);
        CHECK(comparison.message.find("[42] is 2, expected 1") == 0);
        CHECK(comparison.message.find("2 of 100") != std::string::npos);
    }

    TEST_CASE("same_bits: one ulp, the sign of zero, NaN against a number and sizes fail") {
        CHECK(same_bits(Floats{1, -0.0f, kNaN}, Floats{1, -0.0f, -kNaN}));
        CHECK_FALSE(same_bits(Floats{1}, Floats{std::nextafter(1.0f, 2.0f)}));
        CHECK_FALSE(same_bits(Floats{0.0f}, Floats{-0.0f}));
        CHECK_FALSE(same_bits(Floats{kNaN}, Floats{0.0f}));
        CHECK_FALSE(same_bits(Floats{1}, Floats{1, 2}));
    }

    TEST_CASE("largest_difference passes over what is not finite and finds the rest") {
        CHECK(largest_difference(Floats{1, kNaN, 3}, Doubles{1, 0, 3.5}) == 0.5);
        CHECK(largest_of(Doubles{1, -4, 3}) == 4);
    }

    TEST_CASE("a fenced matrix notices a write before it, after it and in a gap") {
        for (const std::size_t gap : {0, 3}) {
            Fenced matrix(2, 5, {.shift = 1, .gap = gap});
            const MatrixView view = matrix.view();
            std::fill_n(view.row(0), 5, 1.0f);
            std::fill_n(view.row(1), 5, 1.0f);
            CHECK(matrix.intact());
            CHECK(matrix.values() == Floats(10, 1.0f));

            Fenced before = matrix;
            before.data()[-1] = 0.0f;
            CHECK_FALSE(before.intact());
            Fenced after = matrix;
            after.view().row(1)[5] = 0.0f;
            CHECK_FALSE(after.intact());
            if (gap == 0) continue;
            Fenced between = matrix;
            between.view().row(0)[5] = kNaN;
            CHECK_FALSE(between.intact());
        }
    }
}
