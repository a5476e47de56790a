// Softmax of one masked row, and weighted sums that never let a masked value through. Internal to
// attention/.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

// weights[0, Tk) of query i from its scaled scores; 0 where masked, all 0 if nothing may be seen.
// scores and weights may be the same array; scores outside the mask's geometry are not read.
void masked_softmax(const Mask& mask, std::size_t i, std::size_t Tq, std::size_t Tk,
                    const float* scores, float* weights) noexcept;

// y [M, dv] = w [M, Tk] v [Tk, dv] for queries first..first+M-1, for a v that holds NaN or
// infinity: masked keys are left out one by one, since 0 * NaN would be NaN.
void masked_context(const Mask& mask, std::size_t first, std::size_t Tq, ConstMatrixView weights,
                    ConstMatrixView v, MatrixView y) noexcept;

// True if no number of v is NaN or infinite.
[[nodiscard]] bool all_finite(ConstMatrixView v) noexcept;

}  // namespace headlights::attention
