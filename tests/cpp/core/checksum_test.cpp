#include "core/checksum.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/random.hpp"

using headlights::crc32;

namespace {

// The definition, a bit at a time.
std::uint32_t crc32_by_bits(const unsigned char* bytes, std::size_t count) {
    std::uint32_t crc = 0xffffffffu;
    for (std::size_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

std::uint32_t crc32_of(const std::string& text) { return crc32(text.data(), text.size()); }

}  // namespace

TEST_SUITE("core") {
    TEST_CASE("crc32 gives the published check values") {
        CHECK(crc32_of("123456789") == 0xcbf43926u);
        CHECK(crc32_of("") == 0u);
        CHECK(crc32(nullptr, 0) == 0u);
        CHECK(crc32_of("a") == 0xe8b7be43u);
        CHECK(crc32_of("The quick brown fox jumps over the lazy dog") == 0x414fa339u);
        CHECK(crc32_of(std::string(32, '\0')) == 0x190a55adu);
        CHECK(crc32_of(std::string(32, '\xff')) == 0xff6cab0bu);
    }

    TEST_CASE("crc32 equals its definition for every length and start to 40 bytes") {
        headlights::test::Random random(1);
        std::vector<unsigned char> bytes(64);
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.bits());
        std::size_t wrong = 0;
        for (std::size_t start = 0; start < 9; ++start)
            for (std::size_t count = 0; count <= 40; ++count)
                wrong += crc32(bytes.data() + start, count) !=
                         crc32_by_bits(bytes.data() + start, count);
        CHECK(wrong == 0);
    }

    TEST_CASE("crc32 notices every single altered bit") {
        std::vector<unsigned char> bytes(37, 0x5a);
        const std::uint32_t before = crc32(bytes.data(), bytes.size());
        std::size_t missed = 0;
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
            missed += crc32(bytes.data(), bytes.size()) == before;
            bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
        }
        CHECK(missed == 0);
    }
}
