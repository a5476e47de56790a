#include "kernels/decode.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/fenced.hpp"
#include "support/stored.hpp"

using namespace headlights;
using test::Fenced;

namespace {

const std::size_t kLanes = test::lanes();

// Row lengths that a type can hold: 0..2N+1 and more, or whole blocks.
std::vector<std::size_t> lengths_of(ElementType type) {
    if (type == ElementType::Q8_0) return {0, 32, 64, 96, 384};
    std::vector<std::size_t> lengths;
    for (std::size_t columns = 0; columns <= 2 * kLanes + 1; ++columns) lengths.push_back(columns);
    lengths.insert(lengths.end(), {31, 32, 33, 63, 65, 100});
    return lengths;
}

std::vector<float> row_of(const std::vector<float>& numbers, std::size_t row, std::size_t columns) {
    return {numbers.begin() + static_cast<std::ptrdiff_t>(row * columns),
            numbers.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns)};
}

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("decode_row is exact for every type, length, alignment, and writes nothing else") {
        test::Random random(10);
        for (const ElementType type : test::kElementTypes)
            for (const std::size_t columns : lengths_of(type))
                for (std::size_t shift = 0; shift < 5; ++shift) {
                    const test::Stored stored =
                        test::random_stored(type, 3, columns, random, 0, shift);
                    const std::vector<float> expected = stored.decoded();
                    for (std::size_t row = 0; row < 3; ++row) {
                        INFO(test::name_of(type), " columns ", columns, " shift ", shift);
                        Fenced target(1, columns, {.shift = shift});
                        kernels::decode_row(stored.view(), row, target.data());
                        CHECK(test::same_bits(target.values(), row_of(expected, row, columns)));
                        CHECK(target.intact());
                    }
                }
    }

    TEST_CASE("decode_row passes NaN and infinity on") {
        const std::uint16_t half[] = {0x7c00, 0xfc00, 0x7e00, 0x0001};
        std::vector<unsigned char> bytes(sizeof half);
        std::memcpy(bytes.data(), half, sizeof half);
        std::vector<float> numbers(4);
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
        kernels::decode_row({bytes.data(), ElementType::F16, 1, 4}, 0, numbers.data());
        CHECK(test::same_bits(numbers, std::vector{kInfinity, -kInfinity, kNaN, 0x1p-24f}));
    }

    TEST_CASE("a Q8_0 block uses all of -128 .. 127 and its own scale") {
        std::vector<unsigned char> row(2 * kBlockQ8Bytes, 0);
        row[1] = 0x3c;                  // scale 1
        row[kBlockQ8Bytes + 1] = 0xc0;  // scale -2
        row[2] = 0x80;
        row[3] = 0x7f;
        row[kBlockQ8Bytes + 33] = 0x81;
        std::vector<float> numbers(64);
        kernels::decode_row({row.data(), ElementType::Q8_0, 1, 64}, 0, numbers.data());
        CHECK(numbers[0] == -128.0f);
        CHECK(numbers[1] == 127.0f);
        CHECK(numbers[2] == 0.0f);
        CHECK(numbers[63] == 254.0f);
    }

    TEST_CASE("decode_row_packed puts vectors of the rows side by side and zeros at the end") {
        test::Random random(11);
        for (const ElementType type : test::kElementTypes)
            for (const std::size_t columns : lengths_of(type))
                for (const std::size_t slots : {1, 2, 4}) {
                    INFO(test::name_of(type), " columns ", columns, " slots ", slots);
                    const std::size_t packed = kernels::packed_columns(columns);
                    CHECK(packed % kLanes == 0);
                    CHECK(packed >= columns);
                    CHECK(packed < columns + kLanes);
                    const test::Stored stored = test::random_stored(type, slots, columns, random);
                    const std::vector<float> numbers = stored.decoded();
                    Fenced target(1, slots * packed);
                    std::vector<float> expected(slots * packed, 0.0f);
                    for (std::size_t slot = 0; slot < slots; ++slot) {
                        kernels::decode_row_packed(stored.view(), slot, slot, slots, target.data());
                        for (std::size_t c = 0; c < columns; ++c)
                            expected[(c / kLanes * slots + slot) * kLanes + c % kLanes] =
                                numbers[slot * columns + c];
                    }
                    CHECK(test::same_bits(target.values(), expected));
                    CHECK(target.intact());
                }
    }
}
