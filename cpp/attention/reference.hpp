// Attention in double precision with plain loops: what the fast algorithms are measured against.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

// Numbers of fp32 workspace (used as double, 8-byte aligned).
[[nodiscard]] std::size_t reference_workspace(const Shape& shape) noexcept;

// Same contract as explained(); every sum is taken in double and rounded once when stored.
void reference(const Problem& problem, const Result& result, float* workspace) noexcept;

}  // namespace headlights::attention
