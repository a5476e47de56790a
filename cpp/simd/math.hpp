// Elementary functions of vectors. xsimd computes them (Cephes-style polynomials); the errors named
// here are asserted by tests/cpp/simd/math_test.cpp. They were measured once over every fp32 number
// of the range.
#pragma once

#include "simd/vec.hpp"

namespace headlights::simd {

// function(x) with x brought into [low, high] first, and NaN put back after. xsimd converts to
// integers on the way, which C++ leaves undefined for NaN and for what does not fit: a compiler
// that knows such a number may fold the call into anything.
template <class Function>
[[nodiscard]] inline vec in_range(vec x, float low, float high, Function function) noexcept {
    const vec above = xsimd::select(x > vec(low), x, vec(low));
    return xsimd::select(x == x, function(xsimd::min(above, vec(high))), x);
}

// Lane type: fp32. Maximum error: 1.6 ulp on [-87.3, 88.3] (1.51 measured without and 1.53 with
// fused multiply-add); 8.4e-39 absolute below, where the result is subnormal or 0 (0 from -87.7
// on). Valid range: any; NaN gives NaN. Result: e^x.
[[nodiscard]] inline vec exp(vec x) noexcept {
    // 0 and infinity from there on.
    return in_range(x, -104.0f, 89.0f, [](vec inside) noexcept { return xsimd::exp(inside); });
}

// Lane type: fp32. Maximum error: 1.1e-7 absolute. Valid range: any; NaN gives NaN. Result: the
// error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
[[nodiscard]] inline vec erf(vec x) noexcept {
    // -1 and 1 from there on.
    return in_range(x, -10.0f, 10.0f, [](vec inside) noexcept { return xsimd::erf(inside); });
}

}  // namespace headlights::simd
