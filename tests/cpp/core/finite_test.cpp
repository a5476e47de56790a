#include "core/finite.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

using namespace headlights;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_SUITE("core") {
    TEST_CASE("count_non_finite counts NaN and both infinities, nothing else") {
        const std::vector<float> numbers{0.0f,
                                         -0.0f,
                                         std::numeric_limits<float>::max(),
                                         kNaN,
                                         -kNaN,
                                         std::numeric_limits<float>::denorm_min(),
                                         kInfinity,
                                         1.0f,
                                         -kInfinity,
                                         -std::numeric_limits<float>::max()};
        CHECK(count_non_finite(numbers.data(), numbers.size()) == 4);
        CHECK(count_non_finite(numbers.data(), 3) == 0);
        CHECK(count_non_finite(nullptr, 0) == 0);
    }

    TEST_CASE("count_non_finite finds one bad number at every place of every length") {
        for (std::size_t count = 1; count <= 20; ++count)
            for (std::size_t place = 0; place < count; ++place) {
                std::vector<float> numbers(count, 1.0f);
                numbers[place] = kNaN;
                CHECK(count_non_finite(numbers.data(), count) == 1);
            }
    }

    TEST_CASE("of the 65,536 binary16 numbers 2,048 are not finite, of bfloat16 256") {
        std::vector<std::uint16_t> all(65536);
        for (std::size_t bits = 0; bits < all.size(); ++bits)
            all[bits] = static_cast<std::uint16_t>(bits);
        CHECK(count_non_finite_in_row(all.data(), ElementType::F16, all.size()) == 2048);
        CHECK(count_non_finite_in_row(all.data(), ElementType::BF16, all.size()) == 256);
    }

    TEST_CASE("rows of fp32 may start at any byte") {
        std::vector<unsigned char> bytes(1 + 3 * 4);
        const float numbers[] = {1.0f, kInfinity, kNaN};
        std::memcpy(bytes.data() + 1, numbers, sizeof numbers);
        CHECK(count_non_finite_in_row(bytes.data() + 1, ElementType::F32, 3) == 2);
    }

    TEST_CASE("a Q8_0 block with a scale that is not finite counts as 32 numbers") {
        std::vector<unsigned char> blocks(3 * kBlockQ8Bytes, 0x7f);
        const auto set_scale = [&](std::size_t block, std::uint16_t bits) {
            std::memcpy(blocks.data() + block * kBlockQ8Bytes, &bits, 2);
        };
        set_scale(0, 0x3c00);
        set_scale(1, 0x7c00);
        set_scale(2, 0x3c00);
        CHECK(count_non_finite_in_row(blocks.data(), ElementType::Q8_0, 96) == 32);
        set_scale(2, 0xfe00);
        CHECK(count_non_finite_in_row(blocks.data(), ElementType::Q8_0, 96) == 64);
        CHECK(count_non_finite_in_row(blocks.data(), ElementType::Q8_0, 64) == 32);
    }

    TEST_CASE("row_bytes: 4, 2, 2 bytes a number, 34 bytes for 32 numbers, 0 where none fits") {
        CHECK(row_bytes(ElementType::F32, 5) == 20);
        CHECK(row_bytes(ElementType::F16, 5) == 10);
        CHECK(row_bytes(ElementType::BF16, 5) == 10);
        CHECK(row_bytes(ElementType::Q8_0, 64) == 68);
        CHECK(row_bytes(ElementType::Q8_0, 63) == 0);
        CHECK(row_bytes(static_cast<ElementType>(99), 64) == 0);
    }
}
