#include "kernels/decode.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/panel.hpp"
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

// Every panel of the matrix, whole and in parts of 32, against its numbers in rows.
void check_panels(const test::Stored& stored, const std::vector<float>& numbers) {
    const std::size_t columns = stored.columns;
    for (std::size_t row = 0; row < stored.rows; row += kernels::kPanelColumns)
        for (std::size_t first = 0; first < columns; first += 32)
            for (const std::size_t depth :
                 {std::min<std::size_t>(32, columns - first), columns - first}) {
                Fenced target(1, depth * kernels::kPanelColumns);
                const float* panel =
                    kernels::decode_panel(stored.view(), row, first, depth, target.data());
                std::size_t wrong = 0;
                for (std::size_t k = 0; k < depth; ++k)
                    for (std::size_t c = 0; c < kernels::kPanelColumns; ++c) {
                        const bool there = row + c < stored.rows;
                        wrong += panel[k * kernels::kPanelColumns + c] !=
                                 (there ? numbers[(row + c) * columns + first + k] : 0.0f);
                    }
                CHECK(wrong == 0);
                CHECK(target.intact());
            }
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

    TEST_CASE(
        "decode_panel: eight rows side by side, 0 for missing ones, from rows and from panels") {
        test::Random random(11);
        for (const ElementType type : test::kElementTypes)
            for (const std::size_t columns : lengths_of(type))
                for (const std::size_t rows : {1, 7, 8, 9, 16, 21})
                    for (const std::size_t shift : {0, 1, 4}) {
                        if (!test::kThorough && random.below(8) != 0) continue;
                        INFO(test::name_of(type), " columns ", columns, " rows ", rows, " shift ",
                             shift);
                        const test::Stored stored =
                            test::random_stored(type, rows, columns, random, 0, shift);
                        check_panels(stored, stored.decoded());
                        check_panels(stored.arranged(), stored.decoded());
                    }
    }

    TEST_CASE("decode_row reads the same numbers from rows and from panels") {
        test::Random random(12);
        for (const ElementType type : test::kElementTypes)
            for (const std::size_t columns : lengths_of(type)) {
                INFO(test::name_of(type), " columns ", columns);
                const test::Stored stored = test::random_stored(type, 19, columns, random);
                const std::vector<float> expected = stored.decoded();
                const test::Stored panels = stored.arranged();
                for (std::size_t row = 0; row < 19; ++row) {
                    Fenced target(1, columns);
                    kernels::decode_row(panels.view(), row, target.data());
                    CHECK(test::same_bits(target.values(), row_of(expected, row, columns)));
                    CHECK(target.intact());
                }
            }
    }

    TEST_CASE(
        "panels take the bytes of the rows, each once, and leave the last rows % 8 as they are") {
        for (const ElementType type : test::kElementTypes) {
            test::Random random(13);
            const test::Stored stored = test::random_stored(type, 21, 64, random);
            const test::Stored panels = stored.arranged();
            const auto tail = static_cast<std::ptrdiff_t>(16 * row_bytes(type, 64));
            CHECK(std::equal(stored.bytes.begin() + tail, stored.bytes.end(),
                             panels.bytes.begin() + tail, panels.bytes.end()));
            CHECK(stored.bytes != panels.bytes);
            CHECK(std::is_permutation(stored.bytes.begin(), stored.bytes.end(),
                                      panels.bytes.begin(), panels.bytes.end()));
        }
    }
}
