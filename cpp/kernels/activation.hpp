// Activation functions of the feed-forward block.
#pragma once

#include <cstddef>

namespace headlights::kernels {

// values[i] = x * (1 + erf(x / sqrt(2))) / 2, in place (Hendrycks and Gimpel 2016, arXiv
// 1606.08415, section 2: the exact form, not the tanh approximation). Largest absolute error
// against double: 4.2e-7 on [-10, 10]. Large negative numbers give 0; -infinity and NaN give NaN.
void gelu(float* values, std::size_t count) noexcept;

}  // namespace headlights::kernels
