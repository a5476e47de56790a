#include "core/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace headlights {

namespace {

static_assert(std::endian::native == std::endian::little);

// Eight tables, "slicing by 8" (Kounavis and Berry 2005): table[k][b] is byte b followed by k zero
// bytes.
constexpr auto kTables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0u);
        tables[0][byte] = value;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 255];
        }
    return tables;
}();

}  // namespace

std::uint32_t crc32(const void* data, std::size_t bytes) noexcept {
    const auto* cursor = static_cast<const unsigned char*>(data);
    std::uint32_t crc = 0xffffffffu;
    for (; bytes >= 8; bytes -= 8, cursor += 8) {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, cursor, 4);
        std::memcpy(&high, cursor + 4, 4);
        low ^= crc;
        crc = kTables[7][low & 255] ^ kTables[6][(low >> 8) & 255] ^ kTables[5][(low >> 16) & 255] ^
              kTables[4][low >> 24] ^ kTables[3][high & 255] ^ kTables[2][(high >> 8) & 255] ^
              kTables[1][(high >> 16) & 255] ^ kTables[0][high >> 24];
    }
    for (; bytes > 0; --bytes, ++cursor) crc = (crc >> 8) ^ kTables[0][(crc ^ *cursor) & 255];
    return ~crc;
}

}  // namespace headlights
