// Memory for tensors: aligned for any vector width, zeroed, counted, and never throwing.
// Not for small objects; those live in ordinary members.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/checked.hpp"

namespace headlights {

inline constexpr std::size_t kAlignment = 64;

// Aligned, zeroed bytes; null when they cannot be had or `bytes` is 0. Give back with
// release_bytes.
[[nodiscard]] void* allocate_bytes(std::size_t bytes) noexcept;
void release_bytes(void* address) noexcept;

// Sum of the sizes of all live allocations: flat over runs and loads unless something leaks.
[[nodiscard]] std::size_t bytes_in_use() noexcept;

// Owns `count` values of trivial type T. Empty after a failed allocation: test with `valid()`.
template <class T> class AlignedBuffer {
public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t count) noexcept
        // A size that overflows counts as 0 bytes: no memory, and so not valid().
        : data_(static_cast<T*>(allocate_bytes(checked_product({count, sizeof(T)}).value_or(0)))),
          size_(data_ ? count : 0),
          wanted_(count) {}
    AlignedBuffer(AlignedBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          wanted_(std::exchange(other.wanted_, 0)) {}
    AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
        if (this != &other) {
            release_bytes(data_);
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
            wanted_ = std::exchange(other.wanted_, 0);
        }
        return *this;
    }
    AlignedBuffer(const AlignedBuffer&) = delete;
    AlignedBuffer& operator=(const AlignedBuffer&) = delete;
    ~AlignedBuffer() { release_bytes(data_); }

    [[nodiscard]] bool valid() const noexcept { return size_ == wanted_; }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::span<T> span() const noexcept { return {data_, size_}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t wanted_ = 0;
};

}  // namespace headlights
