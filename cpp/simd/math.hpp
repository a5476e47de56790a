// Elementary functions of vectors. xsimd computes them (Cephes-style polynomials); the errors named
// here are asserted by tests/cpp/math_test.cpp.
#pragma once

#include "simd/vec.hpp"

namespace headlights::simd {

// Lane type: fp32. Maximum error: 2 ulp on [-87, 0]. Valid range: any; below -88.4 the result is 0
// or subnormal, NaN gives NaN. Result: e^x.
[[nodiscard]] inline vec exp(vec x) noexcept { return xsimd::exp(x); }

// Lane type: fp32. Maximum error: 1.5e-7 absolute. Valid range: any finite. Result: the error
// function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
[[nodiscard]] inline vec erf(vec x) noexcept { return xsimd::erf(x); }

}  // namespace headlights::simd
