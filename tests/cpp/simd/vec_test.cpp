// Moving numbers between memory and vectors, the multiply-add, and the orders of the reductions.
#include "simd/vec.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "simd/bytes.hpp"
#include "simd/madd.hpp"
#include "simd/reduce.hpp"
#include "support/compare.hpp"
#include "support/fenced.hpp"
#include "support/random.hpp"

using namespace headlights;
using simd::kLanes;
using simd::vec;
using Lanes = std::array<float, kLanes>;

namespace {

Lanes lanes_of(vec value) {
    Lanes lanes;
    simd::store(lanes.data(), value);
    return lanes;
}

Lanes random_lanes(test::Random& random) {
    Lanes lanes;
    for (float& lane : lanes) lane = random.uniform(-1, 1);
    return lanes;
}

// The stated order: lane i meets lane i + half, then the halves shrink.
float pairwise(Lanes lanes) {
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) lanes[i] = lanes[i] + lanes[i + half];
    return lanes[0];
}

}  // namespace

TEST_SUITE("simd") {
    TEST_CASE("partial loads read and partial stores write `count` numbers, nothing else") {
        for (std::size_t count = 1; count < kLanes; ++count)
            for (std::size_t shift = 0; shift < 4; ++shift) {
                std::vector<float> numbers(count);
                for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i + 1);
                const test::Fenced source(numbers, 1, count, {.shift = shift});
                const Lanes lanes = lanes_of(simd::load_partial(source.data(), count, -7.0f));
                for (std::size_t i = 0; i < kLanes; ++i)
                    CHECK(lanes[i] == (i < count ? static_cast<float>(i + 1) : -7.0f));

                test::Fenced target(1, count, {.shift = shift});
                simd::store_partial(target.data(), simd::load(lanes.data()), count);
                CHECK(target.intact());
                CHECK(target.values() == numbers);
            }
    }

    TEST_CASE("madd is a product and a sum: each rounded, or rounded once where it is fused") {
        test::Random random(4);
        std::size_t neither = 0;
        std::size_t apart = 0;  // where the two roundings differ
        std::size_t fused = 0;
        for (int round = 0; round < 2000; ++round) {
            const Lanes a = random_lanes(random);
            const Lanes b = random_lanes(random);
            const Lanes c = random_lanes(random);
            const Lanes sums = lanes_of(
                simd::madd(simd::load(a.data()), simd::load(b.data()), simd::load(c.data())));
            for (std::size_t i = 0; i < kLanes; ++i) {
                const float product = a[i] * b[i];
                const float twice = product + c[i];
                const float once = std::fma(a[i], b[i], c[i]);
                neither += sums[i] != twice && sums[i] != once;
                if (twice == once) continue;
                ++apart;
                fused += sums[i] == once;
            }
        }
        CHECK(neither == 0);
        CHECK(apart > 100);
        // Never a mixture. Which of the two it is on relaxed WebAssembly is the host's choice.
        CHECK((fused == 0 || fused == apart));
#if defined(__FMA__)
        CHECK(fused == apart);
#elif !defined(__wasm_relaxed_simd__)
        CHECK(fused == 0);
#endif
    }

    TEST_CASE("sums over the lanes are taken in the stated order, to the last bit") {
        test::Random random(5);
        for (int round = 0; round < 500; ++round) {
            const Lanes rows[4] = {random_lanes(random), random_lanes(random), random_lanes(random),
                                   random_lanes(random)};
            const vec values[4] = {simd::load(rows[0].data()), simd::load(rows[1].data()),
                                   simd::load(rows[2].data()), simd::load(rows[3].data())};
            float four[4];
            simd::sum_lanes_of_four(values, four);
            std::array<float, 4> expected;
            std::array<float, 4> alone;
            for (std::size_t i = 0; i < 4; ++i) {
                expected[i] = pairwise(rows[i]);
                alone[i] = simd::sum_lanes(values[i]);
            }
            REQUIRE(test::same_bits(alone, expected));
            REQUIRE(test::same_bits(four, expected));
        }
    }

    TEST_CASE("widen_bytes is exact for each of the 256 bytes and reads eight of them") {
        for (int first = -128; first < 128; first += 8) {
            std::vector<std::int8_t> bytes(simd::kByteGroup);
            std::vector<float> expected(simd::kByteGroup);
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                bytes[i] = static_cast<std::int8_t>(first + static_cast<int>(i));
                expected[i] = static_cast<float>(bytes[i]);
            }
            vec vectors[simd::kByteGroup / kLanes];
            simd::widen_bytes(bytes.data(), vectors);
            std::vector<float> numbers(simd::kByteGroup);
            for (std::size_t v = 0; v < std::size(vectors); ++v)
                simd::store(numbers.data() + v * kLanes, vectors[v]);
            CHECK(test::same_bits(numbers, expected));
        }
    }

    TEST_CASE("max_lanes finds the largest wherever it stands") {
        for (std::size_t place = 0; place < kLanes; ++place) {
            Lanes lanes;
            lanes.fill(-std::numeric_limits<float>::infinity());
            lanes[place] = -3.0f;
            CHECK(simd::max_lanes(simd::load(lanes.data())) == -3.0f);
        }
    }
}
