#include "kernels/elementwise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/fenced.hpp"
#include "support/random.hpp"

using namespace headlights;

namespace {

const std::size_t kLanes = test::lanes();

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("add: one rounded sum a number, for every count and start") {
        test::Random random(60);
        for (std::size_t count = 0; count <= 2 * kLanes + 1; ++count)
            for (std::size_t shift = 0; shift < 4; ++shift) {
                const std::vector<float> a = random.bells(count);
                const std::vector<float> b = random.bells(count);
                std::vector<float> expected = a;
                for (std::size_t i = 0; i < count; ++i) expected[i] = a[i] + b[i];
                test::Fenced target(1, count, {.shift = shift});
                const test::Fenced source(b, 1, count, {.shift = 3 - shift});
                std::copy(a.begin(), a.end(), target.data());
                kernels::add(target.data(), source.data(), count);
                CHECK(test::same_bits(target.values(), expected));
                CHECK(target.intact());
            }
    }

    TEST_CASE("add: an array to itself doubles it") {
        std::vector<float> numbers(2 * kLanes + 1, 1.5f);
        kernels::add(numbers.data(), numbers.data(), numbers.size());
        CHECK(numbers == std::vector<float>(2 * kLanes + 1, 3.0f));
    }
}
