// How much tests do. Without optimisation and with sanitizers (native-debug) everything takes
// thirty times as long: there the same cases run with fewer seeds and smaller sizes.
#pragma once

#include <cstddef>

namespace headlights::test {

#ifdef NDEBUG
inline constexpr bool kThorough = true;
#else
inline constexpr bool kThorough = false;
#endif

// Lanes of a vector in this build. Known here without the vector library, which is slow to compile.
[[nodiscard]] std::size_t lanes() noexcept;

}  // namespace headlights::test
