#include "core/float16.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace headlights;

namespace {

// The definition in IEEE 754, in double: sign * mantissa * 2^exponent.
double f16_by_definition(std::uint32_t bits) {
    const double sign = bits & 0x8000u ? -1.0 : 1.0;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double fraction = static_cast<double>(bits & 1023) / 1024;
    if (exponent == 31)
        return fraction == 0 ? sign * HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(fraction, -14);
    return sign * std::ldexp(1 + fraction, exponent - 15);
}

double bf16_by_definition(std::uint32_t bits) {
    const double sign = bits & 0x8000u ? -1.0 : 1.0;
    const int exponent = static_cast<int>(bits >> 7 & 255);
    const double fraction = static_cast<double>(bits & 127) / 128;
    if (exponent == 255)
        return fraction == 0 ? sign * HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(fraction, -126);
    return sign * std::ldexp(1 + fraction, exponent - 127);
}

bool same(float actual, double expected) {
    if (std::isnan(expected)) return std::isnan(actual);
    return static_cast<double>(actual) == expected &&
           std::signbit(actual) == std::signbit(expected);
}

}  // namespace

TEST_SUITE("core") {
    TEST_CASE("each of the 65,536 binary16 numbers converts exactly") {
        std::uint32_t wrong = 0;
        for (std::uint32_t bits = 0; bits < 65536; ++bits)
            wrong +=
                !same(float_from_f16(static_cast<std::uint16_t>(bits)), f16_by_definition(bits));
        CHECK(wrong == 0);
    }

    TEST_CASE("each of the 65,536 bfloat16 numbers converts exactly") {
        std::uint32_t wrong = 0;
        for (std::uint32_t bits = 0; bits < 65536; ++bits)
            wrong +=
                !same(float_from_bf16(static_cast<std::uint16_t>(bits)), bf16_by_definition(bits));
        CHECK(wrong == 0);
    }

    TEST_CASE("binary16 numbers that are easy to get wrong") {
        CHECK(float_from_f16(0x3c00) == 1.0f);
        CHECK(float_from_f16(0x7bff) == 65504.0f);
        CHECK(float_from_f16(0x0001) == 0x1p-24f);    // smallest subnormal
        CHECK(float_from_f16(0x03ff) == 0x3ffp-24f);  // largest subnormal
        CHECK(float_from_f16(0x0400) == 0x1p-14f);    // smallest normal
        CHECK(std::bit_cast<std::uint32_t>(float_from_f16(0x8000)) == 0x80000000u);
        CHECK(float_from_f16(0xfc00) == -std::numeric_limits<float>::infinity());
    }
}
