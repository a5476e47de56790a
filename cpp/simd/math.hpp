// Elementary functions of vectors. xsimd computes them (Cephes-style polynomials); the errors named
// here are asserted by tests/cpp/simd/math_test.cpp. They were measured once over every fp32 number
// of the range.
#pragma once

#include "simd/vec.hpp"

namespace headlights::simd {

// Lane type: fp32. Maximum error: 1.6 ulp on [-87.3, 88.3] (1.51 measured without and 1.53 with
// fused multiply-add); 8.4e-39 absolute below, where the result is subnormal or 0 (0 from -87.7
// on). Valid range: any; NaN gives NaN. Result: e^x.
[[nodiscard]] inline vec exp(vec x) noexcept { return xsimd::exp(x); }

// Lane type: fp32. Maximum error: 1.1e-7 absolute. Valid range: any; NaN gives NaN. Result: the
// error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
[[nodiscard]] inline vec erf(vec x) noexcept { return xsimd::erf(x); }

}  // namespace headlights::simd
