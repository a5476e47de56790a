#include "support/effort.hpp"

#include "simd/vec.hpp"

namespace headlights::test {

std::size_t lanes() noexcept { return simd::kLanes; }

}  // namespace headlights::test
