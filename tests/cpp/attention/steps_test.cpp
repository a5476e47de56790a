// One row taken apart: the steps are those of explained(), bit for bit, for every mask, and lead
// from one to the next as a reader would compute them.
#include "attention/steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/algorithms.hpp"
#include "support/attention_case.hpp"
#include "support/compare.hpp"

using namespace headlights;
using attention::Shape;
using attention::Steps;
using test::AttentionCase;
using test::HeadLayout;
using test::MaskCase;

namespace {

std::vector<float> copy(const float* first, std::size_t count) { return {first, first + count}; }

std::vector<float> part(const std::vector<float>& numbers, std::size_t index, std::size_t size) {
    return copy(numbers.data() + index * size, size);
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("steps: scores, weights and context are explained()'s to the last bit") {
        const Shape shape{4, 2, 7, 10, 5, 6};
        const auto& [H, Hkv, Tq, Tk, dk, dv] = shape;
        std::uint64_t seed = 1;
        for (const MaskCase& mask : test::mask_cases()) {
            INFO(mask.name, ", seed ", ++seed);
            const AttentionCase problem(shape, mask, HeadLayout::Columns, seed);
            const test::Outcome whole =
                test::run(attention::algorithm(attention::AlgorithmId::Explained), problem);
            for (std::size_t h = 0; h < H; ++h)
                for (std::size_t i = 0; i < Tq; ++i) {
                    const std::size_t j = (i + h) % Tk;
                    std::vector<float> numbers(attention::steps_size(shape), -7.0f);
                    const Steps steps = attention::steps_at(shape, numbers.data());
                    attention::steps(problem.problem(), h, i, j, steps);
                    const std::size_t row = h * Tq + i;
                    CHECK(test::same_bits(copy(steps.scores, Tk), part(whole.scores, row, Tk)));
                    CHECK(test::same_bits(copy(steps.weights, Tk), part(whole.weights, row, Tk)));
                    CHECK(test::same_bits(copy(steps.running + (Tk - 1) * dv, dv),
                                          part(whole.context, row, dv)));
                    for (std::size_t key = 0; key < Tk; ++key)
                        CHECK((steps.allowed[key] == 1.0f) == problem.allows(i, key));
                }
        }
    }

    TEST_CASE("steps: each follows from the one before") {
        const Shape shape{2, 1, 6, 9, 33, 4};
        const auto& [H, Hkv, Tq, Tk, dk, dv] = shape;
        for (const MaskCase& mask : test::mask_cases()) {
            INFO(mask.name);
            const AttentionCase problem(shape, mask, HeadLayout::Padded, 9);
            std::vector<float> numbers(attention::steps_size(shape));
            const Steps steps = attention::steps_at(shape, numbers.data());
            for (std::size_t j = 0; j < Tk; ++j) {
                attention::steps(problem.problem(), 1, 4, j, steps);
                double dot = 0.0;
                double size = 0.0;
                for (std::size_t c = 0; c < dk; ++c) {
                    CHECK(steps.products[c] == problem.q.at(1, 4, c) * problem.k.at(0, j, c));
                    dot += steps.products[c];
                    size += std::abs(steps.products[c]);
                }
                CHECK(std::abs(dot - steps.dots[j]) <= static_cast<double>(dk) * 0x1p-24 * size);
                CHECK(steps.scores[j] == steps.dots[j] * problem.scale);
                for (std::size_t c = 0; c < dv; ++c)
                    CHECK(steps.weighted[c] == steps.weights[j] * problem.v.at(0, j, c));
            }
            float maximum = -std::numeric_limits<float>::infinity();
            double sum = 0.0;
            for (std::size_t key = 0; key < Tk; ++key) {
                if (steps.allowed[key] == 1.0f) maximum = std::max(maximum, steps.scores[key]);
                sum += steps.exponentials[key];
            }
            CHECK(*steps.maximum == maximum);
            CHECK(std::abs(sum - *steps.sum) <= 1e-6);
            for (std::size_t key = 0; key < Tk; ++key) {
                if (steps.allowed[key] == 0.0f) {
                    CHECK(steps.exponentials[key] == 0.0f);
                    CHECK(steps.weights[key] == 0.0f);
                } else {
                    CHECK(steps.weights[key] == steps.exponentials[key] / *steps.sum);
                }
                for (std::size_t c = 0; c < dv; ++c) {
                    const float before = key == 0 ? 0.0f : steps.running[(key - 1) * dv + c];
                    const double added =
                        static_cast<double>(steps.weights[key]) * problem.v.at(0, key, c);
                    CHECK(std::abs(before + added - steps.running[key * dv + c]) <= 1e-6);
                }
            }
        }
    }

    TEST_CASE("steps: what a masked key holds, even NaN, changes nothing") {
        const Shape shape{1, 1, 3, 4, 2, 2};
        const MaskCase causal{"causal", attention::PatternKind::Causal, 0, 1, test::KeyMask::None};
        AttentionCase problem(shape, causal, HeadLayout::HeadByHead, 3);
        std::vector<float> before(attention::steps_size(shape)), after = before;
        const Steps clean = attention::steps_at(shape, before.data());
        attention::steps(problem.problem(), 0, 0, 0, clean);
        problem.v.at(0, 3, 0) = std::numeric_limits<float>::quiet_NaN();
        const Steps spoilt = attention::steps_at(shape, after.data());
        attention::steps(problem.problem(), 0, 0, 0, spoilt);
        CHECK(test::same_bits(after, before));
    }
}
