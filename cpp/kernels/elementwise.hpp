// Sums of matrices: residual connections and embeddings.
#pragma once

#include <cstddef>

namespace headlights::kernels {

// target[i] = target[i] + source[i]; the arrays are the same or do not overlap.
void add(float* target, const float* source, std::size_t count) noexcept;

}  // namespace headlights::kernels
