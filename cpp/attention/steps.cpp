#include "attention/steps.hpp"

#include <algorithm>
#include <limits>

#include "attention/masked_row.hpp"
#include "kernels/gemm.hpp"
#include "kernels/softmax.hpp"

namespace headlights::attention {

namespace {

// Exponentials, their sum and the maximum over the allowed keys; the others are 0.
void softmax_steps(const Mask& mask, std::size_t i, const Shape& shape,
                   const Steps& target) noexcept {
    const std::size_t Tk = shape.Tk;
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    const KeyRange range = mask.key_range(i, shape.Tq, Tk);
    bool any = false;
    for (std::size_t j = 0; j < Tk; ++j) {
        const bool allowed = j >= range.begin && j < range.end && mask.byte_allows(i, j, Tk);
        target.allowed[j] = allowed ? 1.0f : 0.0f;
        target.exponentials[j] = allowed ? target.scores[j] : kLowest;
        any = any || allowed;
    }
    *target.maximum = kLowest;
    *target.sum = 0.0f;
    if (any) {
        // The range alone, as masked_softmax() sums it: the same vectors, the same order.
        float* row = target.exponentials + range.begin;
        const std::size_t count = range.end - range.begin;
        *target.maximum = kernels::max_of(row, count);
        *target.sum = kernels::exponentials(row, count, *target.maximum, row);
    }
    for (std::size_t j = 0; j < Tk; ++j)
        if (target.allowed[j] == 0.0f) target.exponentials[j] = 0.0f;
}

}  // namespace

Steps steps_at(const Shape& shape, float* numbers) noexcept {
    const auto take = [&numbers](std::size_t count) {
        float* first = numbers;
        numbers += count;
        return first;
    };
    Steps steps;
    steps.products = take(shape.dk);
    for (float** row :
         {&steps.dots, &steps.scores, &steps.allowed, &steps.exponentials, &steps.weights})
        *row = take(shape.Tk);
    steps.running = take(shape.Tk * shape.dv);
    steps.weighted = take(shape.dv);
    steps.maximum = take(1);
    steps.sum = take(1);
    return steps;
}

void steps(const Problem& problem, std::size_t h, std::size_t i, std::size_t j,
           const Steps& target) noexcept {
    const Shape& shape = problem.shape;
    const std::size_t Tk = shape.Tk;
    const ConstMatrixView query = problem.queries(h).rows_from(i, 1);
    const ConstMatrixView keys = problem.keys(h);
    const ConstMatrixView values = problem.values(h);

    for (std::size_t c = 0; c < shape.dk; ++c)
        target.products[c] = query.row(0)[c] * keys.row(j)[c];
    kernels::gemm_rows(query, keys, 1.0f, dense(target.dots, 1, Tk));
    for (std::size_t key = 0; key < Tk; ++key)
        target.scores[key] = target.dots[key] * problem.scale;
    softmax_steps(problem.mask, i, shape, target);
    masked_softmax(problem.mask, i, shape.Tq, Tk, target.scores, target.weights);

    for (std::size_t c = 0; c < shape.dv; ++c)
        target.weighted[c] =
            target.allowed[j] == 0.0f ? 0.0f : target.weights[j] * values.row(j)[c];
    for (std::size_t key = 0; key < Tk; ++key) {
        float* row = target.running + key * shape.dv;
        if (key == 0)
            std::fill(row, row + shape.dv, 0.0f);
        else
            std::copy(row - shape.dv, row, row);
        if (target.allowed[key] != 0.0f)
            kernels::gemm_weighted_sum({target.weights + key, 1, 1, 1}, values.rows_from(key, 1),
                                       /*accumulate=*/true, dense(row, 1, shape.dv));
    }
}

}  // namespace headlights::attention
