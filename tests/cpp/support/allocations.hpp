// Counts what the whole test program asks the memory allocator for: the linker's --wrap option
// leads malloc and its relatives here, and operator new is replaced. In the test program only.
#pragma once

#include <cstddef>

namespace headlights::test {

// Calls of malloc, calloc, realloc, aligned_alloc and operator new until now.
[[nodiscard]] std::size_t allocations() noexcept;

// While it lives, the aligned_alloc call number `place` (from 0, counted from its beginning) gives
// null, as if memory had run out there; the others work.
class FailingAllocation {
public:
    explicit FailingAllocation(std::size_t place) noexcept;
    ~FailingAllocation();
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;

    // Whether that call has come.
    [[nodiscard]] bool happened() const noexcept;
};

}  // namespace headlights::test
