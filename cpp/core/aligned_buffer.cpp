#include "core/aligned_buffer.hpp"

#include <cstdlib>
#include <cstring>

namespace headlights {

namespace {

// The size of each allocation stands in the alignment gap before its first byte.
std::size_t live_bytes = 0;

}  // namespace

void* allocate_bytes(std::size_t bytes) noexcept {
    if (bytes == 0 || bytes > static_cast<std::size_t>(-1) - 2 * kAlignment) return nullptr;
    const std::size_t padded = (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
    auto* block = static_cast<unsigned char*>(std::aligned_alloc(kAlignment, padded));
    if (block == nullptr) return nullptr;
    std::memset(block, 0, padded);
    std::memcpy(block, &bytes, sizeof bytes);
    live_bytes += bytes;
    return block + kAlignment;
}

void release_bytes(void* address) noexcept {
    if (address == nullptr) return;
    unsigned char* block = static_cast<unsigned char*>(address) - kAlignment;
    std::size_t bytes = 0;
    std::memcpy(&bytes, block, sizeof bytes);
    live_bytes -= bytes;
    std::free(block);
}

std::size_t bytes_in_use() noexcept { return live_bytes; }

}  // namespace headlights
