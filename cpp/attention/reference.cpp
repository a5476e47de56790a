#include "attention/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlights::attention {

namespace {

bool allows(const Problem& problem, std::size_t i, std::size_t j) noexcept {
    const KeyRange range = problem.mask.key_range(i, problem.shape.Tq, problem.shape.Tk);
    return j >= range.begin && j < range.end && problem.mask.byte_allows(i, j, problem.shape.Tk);
}

double dot(const float* a, const float* b, std::size_t count) noexcept {
    double sum = 0.0;
    for (std::size_t c = 0; c < count; ++c) sum += static_cast<double>(a[c]) * b[c];
    return sum;
}

// weights[j] of query i, in double; returns false if no key may be seen.
bool weights_of(const Problem& problem, std::size_t i, const double* scores,
                double* weights) noexcept {
    const std::size_t Tk = problem.shape.Tk;
    double maximum = -std::numeric_limits<double>::infinity();
    bool any = false;
    for (std::size_t j = 0; j < Tk; ++j)
        if (allows(problem, i, j)) {
            maximum = std::max(maximum, scores[j]);
            any = true;
        }
    double sum = 0.0;
    for (std::size_t j = 0; j < Tk; ++j) {
        weights[j] = allows(problem, i, j) ? std::exp(scores[j] - maximum) : 0.0;
        sum += weights[j];
    }
    if (any)
        for (std::size_t j = 0; j < Tk; ++j)
            if (allows(problem, i, j)) weights[j] /= sum;
    return any;
}

void store_row(const double* source, std::size_t count, float* target) noexcept {
    for (std::size_t j = 0; j < count; ++j) target[j] = static_cast<float>(source[j]);
}

}  // namespace

std::size_t reference_workspace(const Shape& shape) noexcept { return 4 * shape.Tk; }

void reference(const Problem& problem, const Result& result, float* workspace) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    auto* scores = reinterpret_cast<double*>(workspace);
    double* weights = scores + Tk;
    for (std::size_t h = 0; h < H; ++h)
        for (std::size_t i = 0; i < Tq; ++i) {
            for (std::size_t j = 0; j < Tk; ++j)
                scores[j] = static_cast<double>(problem.scale) *
                            dot(problem.queries(h).row(i), problem.keys(h).row(j), dk);
            if (result.scores) store_row(scores, Tk, result.scores + (h * Tq + i) * Tk);
            weights_of(problem, i, scores, weights);
            if (result.weights) store_row(weights, Tk, result.weights + (h * Tq + i) * Tk);
            float* context = result.context.head(h, Tq, dv).row(i);
            for (std::size_t c = 0; c < dv; ++c) {
                double sum = 0.0;
                for (std::size_t j = 0; j < Tk; ++j)
                    if (allows(problem, i, j)) sum += weights[j] * problem.values(h).row(j)[c];
                context[c] = static_cast<float>(sum);
            }
        }
}

}  // namespace headlights::attention
