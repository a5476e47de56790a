// Softmax of one row, in place or not, with the maximum subtracted. Masks are the caller's
// business.
#pragma once

#include <cstddef>

namespace headlights::kernels {

// weights[j] = e^(scores[j] - max) / sum over `count` > 0 numbers; both may be the same array.
// -infinity gives 0 beside a finite score. A NaN, +infinity or a row of only -infinity gives NaN.
void softmax_row(const float* scores, std::size_t count, float* weights) noexcept;

// Largest of `count` numbers, -infinity for none; NaN may be passed over.
[[nodiscard]] float max_of(const float* values, std::size_t count) noexcept;

// weights[j] = e^(scores[j] - shift); returns their sum. NaN propagates into the sum.
float exponentials(const float* scores, std::size_t count, float shift, float* weights) noexcept;

// values[j] = values[j] / divisor.
void divide(float* values, std::size_t count, float divisor) noexcept;

// values[j] = values[j] * factor.
void multiply(float* values, std::size_t count, float factor) noexcept;

}  // namespace headlights::kernels
