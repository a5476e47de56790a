// What must hold for attention whatever the numbers are. Each case runs over several seeds; a
// failure prints the seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "attention/algorithms.hpp"
#include "support/attention_case.hpp"
#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/figures.hpp"

using namespace headlights;
using attention::Algorithm;
using attention::AlgorithmId;
using attention::kAlgorithms;
using attention::PatternKind;
using attention::Shape;
using test::AttentionCase;
using test::HeadLayout;
using test::MaskCase;
using test::Outcome;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Shape kManyShapes[] = {{2, 1, 7, 10, 5, 6}, {1, 1, 30, 70, 8, 8}, {2, 2, 66, 66, 12, 9}};
constexpr Shape kFewShapes[] = {{2, 1, 7, 10, 5, 6}, {1, 1, 26, 66, 3, 4}};
constexpr std::span<const Shape> kShapes =
    test::kThorough ? std::span<const Shape>(kManyShapes) : kFewShapes;
constexpr std::uint64_t kManySeeds[] = {1, 2, 3};
constexpr std::span<const std::uint64_t> kSeeds =
    std::span<const std::uint64_t>(kManySeeds).first(test::kThorough ? 3 : 1);

// Runs visit(algorithm, problem) for the mask over shapes, seeds and algorithms.
template <class Visit> void for_all(const MaskCase& mask, Visit visit) {
    for (const Shape& shape : kShapes)
        for (const std::uint64_t seed : kSeeds) {
            const AttentionCase problem(shape, mask, HeadLayout::Columns, seed);
            for (const Algorithm& algorithm : kAlgorithms) {
                INFO(algorithm.name, ", ", mask.name, ", Tq ", shape.Tq, ", Tk ", shape.Tk,
                     ", seed ", seed);
                visit(algorithm, problem);
            }
        }
}

// Row `i` of head `h` of a dense [H, Tq, columns] result.
std::span<const float> row_of(const std::vector<float>& result, const AttentionCase& problem,
                              std::size_t h, std::size_t i, std::size_t columns) {
    return std::span(result).subspan((h * problem.shape.Tq + i) * columns, columns);
}

std::size_t last_key_of(const AttentionCase& problem, std::size_t i) {
    return i + problem.shape.Tk - problem.shape.Tq;  // Tq <= Tk in kShapes
}

// Fills key and value j with `number`.
void spoil_key(AttentionCase& problem, std::size_t j, float number) {
    for (std::size_t h = 0; h < problem.shape.Hkv; ++h) {
        for (std::size_t c = 0; c < problem.shape.dk; ++c) problem.k.at(h, j, c) = number;
        for (std::size_t c = 0; c < problem.shape.dv; ++c) problem.v.at(h, j, c) = number;
    }
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("weights of each row sum to one, masked places have weight exactly 0") {
        for (const MaskCase& mask : test::mask_cases())
            for_all(mask, [](const Algorithm& algorithm, const AttentionCase& problem) {
                if (!algorithm.keeps_weights) return;
                const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
                const Outcome outcome = test::run(algorithm, problem);
                std::size_t masked_but_not_0 = 0;
                std::size_t negative = 0;
                for (std::size_t h = 0; h < H; ++h)
                    for (std::size_t i = 0; i < Tq; ++i) {
                        const auto row = row_of(outcome.weights, problem, h, i, Tk);
                        bool sees = false;
                        for (std::size_t j = 0; j < Tk; ++j) {
                            const bool allowed = problem.allows(i, j);
                            sees = sees || allowed;
                            negative += std::signbit(row[j]);
                            masked_but_not_0 += !allowed && row[j] != 0.0f;
                        }
                        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
                        const double from_one = sees ? std::abs(sum - 1) : 0.0;
                        REQUIRE(from_one <= 1e-6);
                        test::figure("attention, |sum of a row - 1|", from_one);
                    }
                CHECK(masked_but_not_0 == 0);
                CHECK(negative == 0);
            });
    }

    TEST_CASE("a row that sees nothing gives a context of exactly 0, even over NaN values") {
        for (const char* bad : {"", "NaN"})
            for_all({"given, nothing", PatternKind::Given, 0, 0},
                    [&](const Algorithm& algorithm, AttentionCase problem) {
                        if (*bad != '\0') spoil_key(problem, 3, kNaN);
                        const Outcome outcome = test::run(algorithm, problem);
                        CHECK(test::same_bits(outcome.context,
                                              std::vector<float>(outcome.context.size(), 0.0f)));
                    });
    }

    TEST_CASE("causal rows ignore the future exactly, even NaN and infinity there") {
        for (const PatternKind kind : {PatternKind::Causal, PatternKind::CausalWindow})
            for_all({"causal", kind, 9}, [](const Algorithm& algorithm, AttentionCase problem) {
                const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
                const Outcome before = test::run(algorithm, problem);
                for (const float future : {-1e3f, kNaN, kInfinity}) {
                    AttentionCase changed = problem;
                    const std::size_t first = Tk - Tk / 2;
                    for (std::size_t j = first; j < Tk; ++j) spoil_key(changed, j, future);
                    const Outcome after = test::run(algorithm, changed);
                    for (std::size_t h = 0; h < H; ++h)
                        for (std::size_t i = 0; i < Tq && last_key_of(problem, i) < first; ++i) {
                            INFO("future ", future, ", head ", h, ", row ", i);
                            REQUIRE(test::same_bits(row_of(after.context, problem, h, i, dv),
                                                    row_of(before.context, problem, h, i, dv)));
                            if (!algorithm.keeps_weights) continue;
                            REQUIRE(test::same_bits(row_of(after.weights, problem, h, i, Tk),
                                                    row_of(before.weights, problem, h, i, Tk)));
                        }
                }
            });
    }

    TEST_CASE("what a masked key holds changes no bit, whichever mask hides it") {
        for (const PatternKind kind : {PatternKind::None, PatternKind::Window, PatternKind::Given})
            for_all({"with a hidden key", kind, 3},
                    [](const Algorithm& algorithm, AttentionCase problem) {
                        const std::size_t hidden = problem.shape.Tk / 2;
                        problem.key_mask.assign(problem.shape.Tk, 1);
                        problem.key_mask[hidden] = 0;
                        const Outcome before = test::run(algorithm, problem);
                        for (const float number : {1e30f, kNaN, -kInfinity}) {
                            spoil_key(problem, hidden, number);
                            const Outcome after = test::run(algorithm, problem);
                            CHECK(test::same_bits(after.context, before.context));
                            CHECK(test::same_bits(after.weights, before.weights));
                        }
                    });
    }

    TEST_CASE("permuting keys and values together changes nothing beyond rounding") {
        for_all({"none", PatternKind::None},
                [](const Algorithm& algorithm, const AttentionCase& problem) {
                    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
                    std::vector<std::size_t> order(Tk);
                    std::iota(order.begin(), order.end(), std::size_t{0});
                    test::Random random(Tk);
                    for (std::size_t j = Tk; j > 1; --j)
                        std::swap(order[j - 1], order[random.below(j)]);
                    AttentionCase permuted = problem;
                    for (std::size_t h = 0; h < Hkv; ++h)
                        for (std::size_t j = 0; j < Tk; ++j) {
                            for (std::size_t c = 0; c < dk; ++c)
                                permuted.k.at(h, j, c) = problem.k.at(h, order[j], c);
                            for (std::size_t c = 0; c < dv; ++c)
                                permuted.v.at(h, j, c) = problem.v.at(h, order[j], c);
                        }
                    const Outcome before = test::run(algorithm, problem);
                    const Outcome after = test::run(algorithm, permuted);
                    CHECK(test::within(after.context, before.context, 2e-6));
                    for (std::size_t row = 0; algorithm.keeps_weights && row < H * Tq; ++row) {
                        std::vector<float> expected(Tk);
                        for (std::size_t j = 0; j < Tk; ++j)
                            expected[j] = before.weights[row * Tk + order[j]];
                        REQUIRE(test::within(std::span(after.weights).subspan(row * Tk, Tk),
                                             expected, 1e-6));
                    }
                });
    }

    TEST_CASE("flash equals explained within 1e-6, with every mask") {
        const Algorithm& explained = attention::algorithm(AlgorithmId::Explained);
        const Algorithm& flash = attention::algorithm(AlgorithmId::Flash);
        for (const MaskCase& mask : test::mask_cases())
            for (const Shape& shape : kShapes)
                for (const std::uint64_t seed : kSeeds) {
                    INFO(mask.name, ", Tk ", shape.Tk, ", seed ", seed);
                    const AttentionCase problem(shape, mask, HeadLayout::HeadByHead, seed);
                    const std::vector<float> expected = test::run(explained, problem).context;
                    const std::vector<float> actual = test::run(flash, problem).context;
                    CHECK(test::within(actual, expected, 1e-6));
                    const std::vector<double> numbers(expected.begin(), expected.end());
                    test::figure("flash against explained, absolute",
                                 test::largest_difference(actual, numbers));
                }
    }

    TEST_CASE("every number is between the smallest and largest value that its row may see") {
        for_all({"causal", PatternKind::Causal},
                [](const Algorithm& algorithm, const AttentionCase& problem) {
                    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
                    const Outcome outcome = test::run(algorithm, problem);
                    for (std::size_t h = 0; h < H; ++h)
                        for (std::size_t i = 0; i < Tq; ++i)
                            for (std::size_t c = 0; c < dv; ++c) {
                                float low = kInfinity;
                                float high = -kInfinity;
                                for (std::size_t j = 0; j <= last_key_of(problem, i); ++j) {
                                    low = std::min(low, problem.v.at(h * Hkv / H, j, c));
                                    high = std::max(high, problem.v.at(h * Hkv / H, j, c));
                                }
                                const float y = row_of(outcome.context, problem, h, i, dv)[c];
                                REQUIRE(y >= low - 1e-6f);
                                REQUIRE(y <= high + 1e-6f);
                            }
                });
    }

    TEST_CASE("explained_weight_rows and explained_score_rows equal explained bit for bit") {
        const Algorithm& explained = attention::algorithm(AlgorithmId::Explained);
        for (const MaskCase& mask : test::mask_cases()) {
            const AttentionCase problem({2, 1, 31, 70, 5, 4}, mask, HeadLayout::Columns, 7);
            const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
            const Outcome whole = test::run(explained, problem);
            constexpr std::size_t kRanges[][2] = {{0, 31}, {0, 0}, {0, 1}, {23, 25}, {30, 31}};
            for (std::size_t h = 0; h < H; ++h)
                for (const auto& [from, to] : kRanges) {
                    INFO(mask.name, ", head ", h, ", rows ", from, " to ", to);
                    const std::size_t start = (h * Tq + from) * Tk;
                    const std::size_t count = (to - from) * Tk;
                    std::vector<float> weights(count);
                    std::vector<float> scores(count);
                    attention::explained_weight_rows(problem.problem(), h, from, to,
                                                     weights.data());
                    attention::explained_score_rows(problem.problem(), h, from, to, scores.data());
                    CHECK(test::same_bits(weights, std::span(whole.weights).subspan(start, count)));
                    CHECK(test::same_bits(scores, std::span(whole.scores).subspan(start, count)));
                }
        }
    }

    TEST_CASE("NaN in a query spoils its row and no other; in a value its column") {
        for_all({"none", PatternKind::None}, [](const Algorithm& algorithm, AttentionCase problem) {
            const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
            problem.q.at(0, 4, dk - 1) = kNaN;
            problem.v.at(Hkv - 1, 5, 2) = kNaN;
            const Outcome outcome = test::run(algorithm, problem);
            std::size_t wrong = 0;
            for (std::size_t h = 0; h < H; ++h)
                for (std::size_t i = 0; i < Tq; ++i)
                    for (std::size_t c = 0; c < dv; ++c) {
                        const bool row = h == 0 && i == 4;
                        const bool column = h * Hkv / H == Hkv - 1 && c == 2;
                        wrong += std::isnan(row_of(outcome.context, problem, h, i, dv)[c]) !=
                                 (row || column);
                    }
            CHECK(wrong == 0);
        });
    }

    TEST_CASE("infinite scores: +infinity makes the row NaN, -infinity weighs 0, only such NaN") {
        // q = 1, so that score j is key j. Tk covers more than two tiles of flash.
        const Shape shape{1, 1, 1, 150, 1, 2};
        const auto with_keys = [&](float most, std::size_t place, float one) {
            AttentionCase problem(shape, {"none"}, HeadLayout::HeadByHead, 9);
            problem.q.at(0, 0, 0) = 1.0f;
            for (std::size_t j = 0; j < shape.Tk; ++j) problem.k.at(0, j, 0) = most;
            problem.k.at(0, place, 0) = one;
            return problem;
        };
        for (const Algorithm& algorithm : kAlgorithms)
            for (const std::size_t place : {std::size_t{0}, std::size_t{70}, std::size_t{149}}) {
                INFO(algorithm.name, ", place ", place);
                const std::vector<float> nan(2, kNaN);
                CHECK(test::same_bits(
                    test::run(algorithm, with_keys(1.0f, place, kInfinity)).context, nan));
                CHECK(test::same_bits(
                    test::run(algorithm, with_keys(-kInfinity, place, -kInfinity)).context, nan));
                const AttentionCase lonely = with_keys(-kInfinity, place, 1.0f);
                CHECK(test::same_bits(
                    test::run(algorithm, lonely).context,
                    std::vector{lonely.v.at(0, place, 0), lonely.v.at(0, place, 1)}));
            }
    }
}
