#include "core/checked.hpp"

#include <doctest/doctest.h>

using headlights::checked_product;

TEST_SUITE("core") {
    constexpr std::size_t kMost = static_cast<std::size_t>(-1);

    TEST_CASE("checked_product multiplies what fits") {
        CHECK(checked_product({}) == 1u);
        CHECK(checked_product({7}) == 7u);
        CHECK(checked_product({3, 5, 7}) == 105u);
        CHECK(checked_product({kMost}) == kMost);
        CHECK(checked_product({kMost / 3, 3}) == kMost / 3 * 3);
    }

    TEST_CASE("checked_product gives nothing when the product overflows") {
        CHECK_FALSE(checked_product({kMost, 2}));
        CHECK_FALSE(checked_product({2, kMost}));
        CHECK_FALSE(checked_product({kMost / 3 + 1, 3}));
        const std::size_t half = std::size_t{1} << (4 * sizeof(std::size_t));
        CHECK_FALSE(checked_product({half, half}));
        CHECK_FALSE(checked_product({half, half / 2, 2}));
    }

    TEST_CASE("checked_product: a factor of 0 makes 0, unless the others overflowed before it") {
        CHECK(checked_product({0, kMost, kMost}) == 0u);
        CHECK(checked_product({kMost, 0}) == 0u);
        CHECK_FALSE(checked_product({kMost, 2, 0}));
    }
}
