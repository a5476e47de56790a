// Moving numbers between memory and vectors, the multiply-add, and the orders of the reductions.
#include "simd/vec.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "simd/bytes.hpp"
#include "simd/half.hpp"
#include "simd/madd.hpp"
#include "simd/reduce.hpp"
#include "simd/transpose.hpp"
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
            const Lanes row = random_lanes(random);
            REQUIRE(std::bit_cast<std::uint32_t>(simd::sum_lanes(simd::load(row.data()))) ==
                    std::bit_cast<std::uint32_t>(pairwise(row)));
        }
    }

    TEST_CASE("widen_halves is exact for each of the 65,536 numbers, NaN and infinity among them") {
        std::size_t wrong = 0;
        for (std::uint32_t first = 0; first < 0x10000; first += simd::kHalfGroup) {
            std::array<std::uint16_t, simd::kHalfGroup> halves;
            for (std::size_t i = 0; i < halves.size(); ++i)
                halves[i] = static_cast<std::uint16_t>(first + i);
            vec vectors[simd::kHalfGroup / kLanes];
            simd::widen_halves(reinterpret_cast<const unsigned char*>(halves.data()), vectors);
            std::array<float, simd::kHalfGroup> numbers;
            for (std::size_t v = 0; v < std::size(vectors); ++v)
                simd::store(numbers.data() + v * kLanes, vectors[v]);
            for (std::size_t i = 0; i < halves.size(); ++i) {
                const float expected = float_from_f16(halves[i]);
                wrong += std::isnan(expected) ? !std::isnan(numbers[i])
                                              : std::bit_cast<std::uint32_t>(numbers[i]) !=
                                                    std::bit_cast<std::uint32_t>(expected);
            }
        }
        CHECK(wrong == 0);
    }

    TEST_CASE("transpose_eight turns eight rows into columns, whatever their distance") {
        for (const std::size_t stride : {kLanes, kLanes + 3}) {
            std::vector<float> rows(8 * stride);
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
            std::vector<float> columns(8 * kLanes);
            simd::transpose_eight(rows.data(), stride, columns.data());
            for (std::size_t k = 0; k < kLanes; ++k)
                for (std::size_t r = 0; r < 8; ++r)
                    CHECK(columns[k * 8 + r] == rows[r * stride + k]);
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
