#include "kernels/softmax.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/fenced.hpp"
#include "support/figures.hpp"
#include "support/random.hpp"

using namespace headlights;
using test::Fenced;

namespace {

const std::size_t kLanes = test::lanes();

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<std::size_t> counts() {
    std::vector<std::size_t> sizes;
    for (std::size_t count = 1; count <= 2 * kLanes + 1; ++count) sizes.push_back(count);
    sizes.insert(sizes.end(), {31, 64, 100, 513});
    return sizes;
}

std::vector<double> softmax_in_double(const std::vector<float>& scores) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    std::vector<double> weights;
    for (const float score : scores) weights.push_back(std::exp(score - largest));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
}

std::vector<float> softmax_of(const std::vector<float>& scores, std::size_t shift = 0) {
    const Fenced source(scores, 1, scores.size(), {.shift = shift});
    Fenced target(1, scores.size(), {.shift = shift + 1});
    kernels::softmax_row(source.data(), scores.size(), target.data());
    CHECK(target.intact());
    return target.values();
}

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("softmax_row: weights within 2e-7 of double, rows sum to one within 1e-6") {
        test::Random random(30);
        for (const std::size_t count : counts())
            for (const float spread : {0.1f, 3.0f, 30.0f, 1000.0f})
                for (std::size_t shift = 0; shift < 4; ++shift) {
                    INFO("count ", count, " spread ", spread, " shift ", shift);
                    const std::vector<float> scores = random.uniforms(count, -spread, spread);
                    const std::vector<double> expected = softmax_in_double(scores);
                    const std::vector<float> weights = softmax_of(scores, shift);
                    test::figure("softmax_row, absolute",
                                 test::largest_difference(weights, expected));
                    CHECK(test::within(weights, expected, 2e-7));
                    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
                    test::figure("softmax_row, |sum of a row - 1|", std::abs(sum - 1));
                    CHECK(std::abs(sum - 1) <= 1e-6);
                }
    }

    TEST_CASE("softmax_row: in place gives the same bits") {
        test::Random random(31);
        for (const std::size_t count : counts()) {
            const std::vector<float> scores = random.bells(count);
            std::vector<float> same = scores;
            kernels::softmax_row(same.data(), count, same.data());
            CHECK(test::same_bits(same, softmax_of(scores)));
        }
    }

    TEST_CASE("softmax_row: a constant added to all scores changes nothing") {
        const std::vector<float> scores{0.5f, -1.25f, 3.0f, 2.75f, -4.0f};
        const std::vector<float> weights = softmax_of(scores);
        for (const float constant : {1e4f, -1e4f, 64.0f}) {
            std::vector<float> moved = scores;
            for (float& score : moved) score += constant;  // exact: these are multiples of 1/4
            CHECK(test::same_bits(softmax_of(moved), weights));
        }
    }

    TEST_CASE("softmax_row: -infinity beside finite scores is exactly 0, wherever it stands") {
        for (const std::size_t count : counts()) {
            if (count < 2) continue;
            for (std::size_t place = 0; place < count; ++place) {
                std::vector<float> scores(count, 2.0f);
                scores[place] = -kInfinity;
                const std::vector<float> weights = softmax_of(scores);
                CHECK(weights[place] == 0.0f);
                CHECK_FALSE(std::signbit(weights[place]));
                CHECK(weights[place == 0 ? 1 : 0] ==
                      doctest::Approx(1.0 / static_cast<double>(count - 1)).epsilon(1e-6));
            }
        }
    }

    TEST_CASE("softmax_row: NaN, +infinity, or only -infinity make the whole row NaN") {
        for (const std::size_t count : counts())
            for (std::size_t place = 0; place < count; ++place)
                for (const float bad : {kNaN, -kNaN, kInfinity}) {
                    INFO("count ", count, " place ", place, " value ", bad);
                    std::vector<float> scores(count, -1.0f);
                    scores[place] = bad;
                    CHECK(test::same_bits(softmax_of(scores), std::vector<float>(count, kNaN)));
                }
        for (const std::size_t count : counts())
            CHECK(test::same_bits(softmax_of(std::vector<float>(count, -kInfinity)),
                                  std::vector<float>(count, kNaN)));
    }

    TEST_CASE("max_of finds the largest of any count, -infinity for none") {
        CHECK(kernels::max_of(nullptr, 0) == -kInfinity);
        for (const std::size_t count : counts())
            for (std::size_t place = 0; place < count; ++place) {
                std::vector<float> values(count, -5.0f);
                values[place] = -4.0f;
                CHECK(kernels::max_of(values.data(), count) == -4.0f);
            }
    }

    TEST_CASE("exponentials: powers and their sum, also of none") {
        test::Random random(32);
        CHECK(kernels::exponentials(nullptr, 0, 1.0f, nullptr) == 0.0f);
        for (const std::size_t count : counts()) {
            const std::vector<float> scores = random.uniforms(count, -20, 1);
            std::vector<double> expected;
            for (const float score : scores)
                expected.push_back(std::exp(static_cast<double>(score - 1.5f)));
            Fenced weights(1, count, {.shift = count % 3});
            const float sum = kernels::exponentials(scores.data(), count, 1.5f, weights.data());
            CHECK(weights.intact());
            CHECK(test::within(weights.values(), expected, 1e-7));
            const double total = std::accumulate(expected.begin(), expected.end(), 0.0);
            CHECK(std::abs(sum - total) <= 1e-6 * total);
        }
        const std::vector<float> with_nan{0.0f, kNaN, 1.0f};
        std::vector<float> weights(3);
        CHECK(std::isnan(kernels::exponentials(with_nan.data(), 3, 0.0f, weights.data())));
    }

    TEST_CASE("divide and multiply round each number once") {
        test::Random random(33);
        for (std::size_t count = 0; count <= 2 * kLanes + 1; ++count)
            for (std::size_t shift = 0; shift < 4; ++shift) {
                const std::vector<float> numbers = random.bells(count);
                const float factor = random.uniform(0.5f, 3);
                std::vector<float> quotients = numbers;
                std::vector<float> products = numbers;
                for (float& x : quotients) x = x / factor;
                for (float& x : products) x = x * factor;
                Fenced divided(1, count, {.shift = shift});
                Fenced multiplied(1, count, {.shift = shift});
                std::copy(numbers.begin(), numbers.end(), divided.data());
                std::copy(numbers.begin(), numbers.end(), multiplied.data());
                kernels::divide(divided.data(), count, factor);
                kernels::multiply(multiplied.data(), count, factor);
                CHECK(test::same_bits(divided.values(), quotients));
                CHECK(test::same_bits(multiplied.values(), products));
                CHECK(divided.intact());
                CHECK(multiplied.intact());
            }
    }
}
