#include "support/stored.hpp"

#include <cmath>
#include <cstring>

namespace headlights::test {

namespace {

std::uint16_t word_at(const unsigned char* bytes) {
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

void put_word(unsigned char* bytes, std::uint64_t word) {
    bytes[0] = static_cast<unsigned char>(word);
    bytes[1] = static_cast<unsigned char>(word >> 8);
}

// A finite, normal number of a 16-bit form with `fraction` fraction bits.
double number_of(std::uint16_t word, int fraction) {
    const int bias = (1 << (14 - fraction)) - 1;
    const int exponent = (word & 0x7fff) >> fraction;
    const double mantissa = 1 + std::ldexp(word & ((1 << fraction) - 1), -fraction);
    return (word & 0x8000 ? -1 : 1) * std::ldexp(mantissa, exponent - bias);
}

// Random sign and fraction, an exponent of `exponent` - 4 .. `exponent` - 1.
std::uint64_t random_word(Random& random, int exponent, int fraction) {
    const int bias = (1 << (14 - fraction)) - 1;
    const auto power =
        static_cast<std::uint64_t>(bias + exponent - 1 - static_cast<int>(random.below(4)));
    return (random.bits() & 0x8000) | power << fraction |
           (random.bits() & ((std::uint64_t{1} << fraction) - 1));
}

void fill_row(unsigned char* row, ElementType type, std::size_t columns, Random& random,
              int exponent) {
    switch (type) {
    case ElementType::F32:
        for (std::size_t c = 0; c < columns; ++c) {
            const float number = random.uniform(-1, 1) * std::ldexp(1.0f, exponent);
            std::memcpy(row + 4 * c, &number, 4);
        }
        break;
    case ElementType::F16:
    case ElementType::BF16:
        for (std::size_t c = 0; c < columns; ++c)
            put_word(row + 2 * c, random_word(random, exponent, type == ElementType::F16 ? 10 : 7));
        break;
    case ElementType::Q8_0:
        for (std::size_t c = 0; c < columns; c += kBlockQ8, row += kBlockQ8Bytes) {
            put_word(row, random_word(random, exponent - 7, 10));
            for (std::size_t i = 0; i < kBlockQ8; ++i)
                row[2 + i] = static_cast<unsigned char>(random.bits());
        }
        break;
    }
}

float decoded_number(const unsigned char* row, ElementType type, std::size_t c) {
    if (type == ElementType::F32) {
        float number = 0;
        std::memcpy(&number, row + 4 * c, 4);
        return number;
    }
    if (type == ElementType::F16) return static_cast<float>(number_of(word_at(row + 2 * c), 10));
    if (type == ElementType::BF16) return static_cast<float>(number_of(word_at(row + 2 * c), 7));
    const unsigned char* block = row + c / 32 * 34;
    const int byte = block[2 + c % 32];
    return static_cast<float>(number_of(word_at(block), 10) * (byte < 128 ? byte : byte - 256));
}

}  // namespace

const char* name_of(ElementType type) noexcept {
    switch (type) {
    case ElementType::F32: return "F32";
    case ElementType::F16: return "F16";
    case ElementType::BF16: return "BF16";
    case ElementType::Q8_0: return "Q8_0";
    }
    return "?";
}

Stored Stored::arranged() const {
    Stored panels = *this;
    panels.layout = kernels::Layout::Panels;
    std::vector<unsigned char> scratch(kernels::arrange_scratch(type, columns));
    kernels::arrange_in_panels(panels.bytes.data() + shift, type, rows, columns, scratch.data());
    return panels;
}

std::vector<float> Stored::decoded() const {
    std::vector<float> numbers;
    numbers.reserve(rows * columns);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            numbers.push_back(decoded_number(view().row(r), type, c));
    return numbers;
}

Stored random_stored(ElementType type, std::size_t rows, std::size_t columns, Random& random,
                     int exponent, std::size_t shift) {
    Stored stored{type, rows, columns, {}, shift, kernels::Layout::Rows};
    const std::size_t row_size = row_bytes(type, columns);
    stored.bytes.resize(shift + rows * row_size);
    for (std::size_t r = 0; r < rows; ++r)
        fill_row(stored.bytes.data() + shift + r * row_size, type, columns, random, exponent);
    return stored;
}

}  // namespace headlights::test
