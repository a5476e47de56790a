#include "core/numpy_random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/number_lists.hpp"

using headlights::NumpyRandom;

TEST_SUITE("core") {
    TEST_CASE("RandomState: the first words of seed 5489 are those of the reference generator") {
        // mt19937ar.c, init_genrand(5489), as every C++ library's std::mt19937 starts.
        NumpyRandom random(5489);
        CHECK(random.bits() == 3499211612u);
        for (int n = 1; n < 9999; ++n) static_cast<void>(random.bits());
        CHECK(random.bits() == 4123659995u);  // the 10,000th, given in the C++ standard
    }

    TEST_CASE("RandomState: uniform numbers lie in [0, 1) and fill it evenly") {
        NumpyRandom random(1);
        std::vector<int> tenths(10);
        for (int n = 0; n < 100'000; ++n) {
            const double number = random.uniform();
            REQUIRE(number >= 0.0);
            REQUIRE(number < 1.0);
            ++tenths[static_cast<std::size_t>(number * 10)];
        }
        for (const int count : tenths) CHECK(std::abs(count - 10'000) < 500);  // 5 deviations
    }

    TEST_CASE("randn: the first numbers of seeds 42 and 7 are NumPy's within 1e-15") {
        for (const auto& [seed, key] : {std::pair{42u, "first_randn_42"}, {7u, "first_randn_7"}}) {
            INFO("seed ", seed);
            NumpyRandom random(seed);
            for (const double expected :
                 headlights::test::number_list("demos/demo3_batched.json", key))
                CHECK(std::abs(random.gaussian() - expected) <= 1e-15);
        }
    }
}
