// CRC-32 as in IEEE 802.3 and zlib: finds altered bytes of a model pack as they arrive. No
// cryptography.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlights {

// CRC-32 of `bytes` bytes (reflected polynomial 0xedb88320, start and end inverted); 0 for none.
[[nodiscard]] std::uint32_t crc32(const void* data, std::size_t bytes) noexcept;

}  // namespace headlights
