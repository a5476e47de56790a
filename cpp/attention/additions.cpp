#include "attention/additions.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/gemm.hpp"

namespace headlights::attention {

namespace {

double dot(const float* a, const float* b, std::size_t d) noexcept {
    double sum = 0.0;
    for (std::size_t c = 0; c < d; ++c) sum += static_cast<double>(a[c]) * b[c];
    return sum;
}

float norm(const float* values, std::size_t d) noexcept {
    return static_cast<float>(std::sqrt(dot(values, values, d)));
}

}  // namespace

Additions additions_at(std::size_t N, std::size_t d, float* numbers) noexcept {
    float* output = numbers + N * d;
    float* norms = output + d;
    float* shares = norms + N;
    return {numbers, output, norms, shares, shares + N, shares + N + 1, shares + N + 2};
}

void complete(const Additions& additions, std::size_t N, std::size_t d, const float* residual,
              std::size_t residual_size) noexcept {
    const auto part = [&](std::size_t n) { return additions.parts + n * d; };
    for (std::size_t c = 0; c < d; ++c) {
        double sum = 0.0;
        for (std::size_t n = 0; n < N; ++n) sum += part(n)[c];
        additions.output[c] = static_cast<float>(sum);
    }
    const double square = dot(additions.output, additions.output, d);
    for (std::size_t n = 0; n < N; ++n) {
        additions.norms[n] = norm(part(n), d);
        const double projection = dot(part(n), additions.output, d);
        additions.shares[n] = square == 0.0 ? 0.0f : static_cast<float>(projection / square);
    }
    *additions.output_norm = norm(additions.output, d);
    *additions.residual_norm = norm(residual, residual_size);
}

void spread_contexts(const float* concat, std::size_t H, std::size_t dv, MatrixView x) noexcept {
    for (std::size_t h = 0; h < H; ++h) {
        std::fill(x.row(h), x.row(h) + H * dv, 0.0f);
        std::copy(concat + h * dv, concat + (h + 1) * dv, x.row(h) + h * dv);
    }
}

void head_additions(const float* concat, std::size_t H, ConstMatrixView w_o, const float* residual,
                    std::size_t residual_size, float* target) noexcept {
    const std::size_t d = w_o.columns;
    const MatrixView x = dense(target + additions_size(H, d, w_o.rows), H, w_o.rows);
    spread_contexts(concat, H, w_o.rows / H, x);
    const Additions additions = additions_at(H, d, target);
    std::copy(concat, concat + w_o.rows, additions.concat);
    kernels::gemm_weighted_sum(x, w_o, /*accumulate=*/false, dense(additions.parts, H, d));
    complete(additions, H, d, residual, residual_size);
}

}  // namespace headlights::attention
