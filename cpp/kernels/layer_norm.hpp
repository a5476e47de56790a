// Layer normalisation over the last dimension (Ba, Kiros and Hinton 2016, arXiv 1607.06450,
// equation 3).
#pragma once

#include "core/matrix_view.hpp"

namespace headlights::kernels {

// y = (x - mean) / sqrt(variance + epsilon) * weight + bias, row by row; the variance divides by d.
// x [T, d], weight [d], bias [d], y [T, d]; y may be x. d = 0 does nothing.
void layer_norm(ConstMatrixView x, const float* weight, const float* bias, float epsilon,
                MatrixView y) noexcept;

}  // namespace headlights::kernels
