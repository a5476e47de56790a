// Every algorithm of the table, on every kind of mask and shape, against the definitions in double.
#include "attention/algorithms.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "support/attention_case.hpp"
#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/figures.hpp"

using namespace headlights;
using attention::Algorithm;
using attention::kAlgorithms;
using attention::Shape;
using test::AttentionCase;
using test::ExpectedAttention;
using test::HeadLayout;
using test::Outcome;

namespace {

// H, Hkv, Tq, Tk, dk, dv. Tiles are 24 query rows and 64 keys, vectors 4 or 8 numbers.
constexpr Shape kSmallShapes[] = {
    {1, 1, 1, 1, 1, 1},    {2, 2, 3, 5, 7, 7},   {3, 3, 5, 3, 4, 4},  {4, 2, 6, 9, 8, 5},
    {8, 2, 4, 4, 3, 9},    {6, 1, 2, 11, 16, 1}, {1, 1, 1, 17, 2, 3}, {1, 1, 17, 1, 5, 2},
    {2, 2, 25, 13, 12, 6}, {1, 1, 0, 4, 3, 3},   {1, 1, 4, 0, 3, 3},  {2, 1, 4, 5, 0, 3},
    {2, 2, 4, 5, 3, 0},    {1, 1, 0, 0, 0, 0},
};
constexpr Shape kLargeShapes[] = {
    {1, 1, 24, 64, 8, 8},   {1, 1, 23, 63, 8, 9},    {2, 1, 25, 65, 9, 8},
    {1, 1, 49, 129, 33, 4}, {2, 2, 48, 128, 12, 12}, {1, 1, 100, 30, 4, 7},
};
constexpr Shape kFewLargeShapes[] = {{1, 1, 25, 65, 5, 3}, {1, 1, 24, 64, 3, 4}};

std::string describe(const Algorithm& algorithm, const Shape& s, const test::MaskCase& mask) {
    std::string text = algorithm.name;
    text += ", " + mask.name + ", H";
    for (const std::size_t size : {s.H, s.Hkv, s.Tq, s.Tk, s.dk, s.dv})
        text += " " + std::to_string(size);
    return text;
}

void check_case(const Algorithm& algorithm, const AttentionCase& problem,
                const ExpectedAttention& expected) {
    const Outcome outcome = test::run(algorithm, problem);
    const std::string name = algorithm.name;
    CHECK(outcome.intact);
    CHECK(test::within(outcome.context, expected.context, 2e-6));
    test::figure(name + " context, absolute",
                 test::largest_difference(outcome.context, expected.context));
    if (!algorithm.keeps_weights) return;
    CHECK(test::within(outcome.weights, expected.weights, 1e-6));
    CHECK(test::within(outcome.scores, expected.scores,
                       1e-6 * (1 + test::largest_of(expected.scores))));
    test::figure(name + " weights, absolute",
                 test::largest_difference(outcome.weights, expected.weights));
    test::figure(name + " scores, absolute",
                 test::largest_difference(outcome.scores, expected.scores));
}

void check_shapes(std::span<const Shape> shapes) {
    constexpr HeadLayout kLayouts[] = {HeadLayout::HeadByHead, HeadLayout::Columns,
                                       HeadLayout::Padded};
    std::uint64_t seed = 100;
    for (const Shape& shape : shapes)
        for (const test::MaskCase& mask : test::mask_cases()) {
            const AttentionCase problem(shape, mask, kLayouts[seed % 3], seed);
            REQUIRE(attention::validate(problem.problem()) == Error::Ok);
            const ExpectedAttention expected = problem.expected();
            for (const Algorithm& algorithm : kAlgorithms) {
                INFO(describe(algorithm, shape, mask), ", seed ", seed);
                check_case(algorithm, problem, expected);
            }
            ++seed;
        }
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("small shapes, sizes of 0 and grouped heads, with every mask") {
        check_shapes(kSmallShapes);
    }

    TEST_CASE("shapes around the tiles, with every mask") {
        check_shapes(test::kThorough ? std::span<const Shape>(kLargeShapes) : kFewLargeShapes);
    }

    TEST_CASE("what is not wanted changes nothing in what is") {
        std::uint64_t seed = 200;
        for (const test::MaskCase& mask : test::mask_cases()) {
            if (!test::kThorough && seed % 3 != 2) {
                ++seed;
                continue;
            }
            const AttentionCase problem({2, 1, 25, 66, 3, 5}, mask, HeadLayout::Padded, ++seed);
            for (const Algorithm& algorithm : kAlgorithms) {
                INFO(algorithm.name, ", ", mask.name);
                const Outcome all = test::run(algorithm, problem);
                const Outcome no_scores = test::run(algorithm, problem, false, true);
                const Outcome no_weights = test::run(algorithm, problem, true, false);
                const Outcome neither = test::run(algorithm, problem, false, false);
                CHECK(test::same_bits(no_scores.context, all.context));
                CHECK(test::same_bits(no_weights.context, all.context));
                CHECK(test::same_bits(neither.context, all.context));
                CHECK(test::same_bits(no_scores.weights, all.weights));
                CHECK(test::same_bits(no_weights.scores, all.scores));
                CHECK((no_scores.intact && no_weights.intact && neither.intact));
            }
        }
    }

    TEST_CASE("a scale of 0 looks everywhere alike, a negative one turns preferences round") {
        AttentionCase problem({1, 1, 5, 7, 4, 3}, {"none"}, HeadLayout::HeadByHead, 300);
        for (const float scale : {0.0f, -0.5f, 1e-20f, 100.0f}) {
            problem.scale = scale;
            const ExpectedAttention expected = problem.expected();
            for (const Algorithm& algorithm : kAlgorithms) {
                INFO(algorithm.name, ", scale ", scale);
                const Outcome outcome = test::run(algorithm, problem);
                // Scores near 400 carry rounding errors of 3e-5 into the weights.
                const double limit = scale == 100.0f ? 1e-4 : 2e-6;
                CHECK(test::within(outcome.context, expected.context, limit));
            }
        }
    }
}
