#include "support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);
std::size_t calls = 0;
std::size_t until_failure = kNever;  // aligned_alloc calls that still work
bool failed = false;

}  // namespace

// The names that the linker gives: __real_x is what x was, __wrap_x is what callers of x get.
extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* address, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);

void* __wrap_malloc(std::size_t bytes) {
    ++calls;
    return __real_malloc(bytes);
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
    ++calls;
    return __real_calloc(count, bytes);
}
void* __wrap_realloc(void* address, std::size_t bytes) {
    ++calls;
    return __real_realloc(address, bytes);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    ++calls;
    if (until_failure == 0) {
        until_failure = kNever;
        failed = true;
        return nullptr;
    }
    if (until_failure != kNever) --until_failure;
    return __real_aligned_alloc(alignment, bytes);
}
}

void* operator new(std::size_t bytes) {
    ++calls;
    if (void* address = __real_malloc(bytes == 0 ? 1 : bytes)) return address;
    std::abort();
}
void operator delete(void* address) noexcept { std::free(address); }
void operator delete(void* address, std::size_t) noexcept { std::free(address); }

namespace headlights::test {

std::size_t allocations() noexcept { return calls; }

FailingAllocation::FailingAllocation(std::size_t place) noexcept {
    until_failure = place;
    failed = false;
}
FailingAllocation::~FailingAllocation() { until_failure = kNever; }
bool FailingAllocation::happened() const noexcept { return failed; }

}  // namespace headlights::test
