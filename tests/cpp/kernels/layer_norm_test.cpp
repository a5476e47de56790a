#include "kernels/layer_norm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <span>
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

std::vector<double> in_double(std::span<const float> x, std::size_t rows, std::size_t columns,
                              std::span<const float> weight, std::span<const float> bias,
                              double epsilon) {
    std::vector<double> y;
    for (std::size_t t = 0; t < rows; ++t) {
        const std::span<const float> row = x.subspan(t * columns, columns);
        double mean = 0;
        for (const float value : row) mean += value / static_cast<double>(columns);
        double variance = 0;
        for (const float value : row)
            variance += (value - mean) * (value - mean) / static_cast<double>(columns);
        for (std::size_t c = 0; c < columns; ++c)
            y.push_back((row[c] - mean) / std::sqrt(variance + epsilon) * weight[c] + bias[c]);
    }
    return y;
}

std::vector<std::size_t> widths() {
    std::vector<std::size_t> sizes;
    for (std::size_t columns = 0; columns <= 2 * kLanes + 1; ++columns) sizes.push_back(columns);
    sizes.insert(sizes.end(), {48, 100, 384, 513});
    return sizes;
}

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("layer_norm: within 2e-6 of double for every width, stride and start") {
        test::Random random(40);
        std::size_t turn = 0;
        for (const std::size_t columns : widths())
            for (std::size_t rows = 0; rows <= 3; ++rows)
                for (const float epsilon : {1e-12f, 1e-5f}) {
                    INFO("rows ", rows, " columns ", columns, " epsilon ", epsilon);
                    const std::vector<float> numbers = random.bells(rows * columns);
                    const std::vector<float> weight = random.uniforms(columns, 0.5f, 1.5f);
                    const std::vector<float> bias = random.uniforms(columns, -1, 1);
                    const Fenced x(numbers, rows, columns, {.shift = turn % 4, .gap = turn % 3});
                    Fenced y(rows, columns, {.shift = turn % 3, .gap = turn % 5});
                    const Fenced gains(weight, 1, columns, {.shift = 1});
                    const Fenced offsets(bias, 1, columns, {.shift = 3});
                    kernels::layer_norm(x.view(), gains.data(), offsets.data(), epsilon, y.view());
                    const std::vector<double> expected =
                        in_double(numbers, rows, columns, weight, bias, epsilon);
                    // Two numbers that happen to be close leave little of their difference.
                    if (columns > 2) {
                        CHECK(test::within(y.values(), expected, 2e-6));
                        test::figure("layer_norm, absolute, inputs of variance 1",
                                     test::largest_difference(y.values(), expected));
                    } else {
                        CHECK(test::within(y.values(), expected, 1e-4));
                    }
                    CHECK(y.intact());
                    ++turn;
                }
    }

    TEST_CASE("layer_norm: in place gives the same bits") {
        test::Random random(41);
        for (const std::size_t columns : widths()) {
            std::vector<float> x = random.bells(2 * columns);
            const std::vector<float> weight = random.bells(columns);
            const std::vector<float> bias = random.bells(columns);
            std::vector<float> y(x.size());
            kernels::layer_norm(dense(x.data(), 2, columns), weight.data(), bias.data(), 1e-12f,
                                dense(y.data(), 2, columns));
            kernels::layer_norm(dense(x.data(), 2, columns), weight.data(), bias.data(), 1e-12f,
                                dense(x.data(), 2, columns));
            CHECK(test::same_bits(x, y));
        }
    }

    TEST_CASE("layer_norm: a row of equal numbers becomes the bias exactly") {
        for (const std::size_t columns : widths()) {
            const std::vector<float> x(columns, 3.0f);
            const std::vector<float> weight(columns, 2.0f);
            const std::vector<float> bias(columns, 0.75f);
            std::vector<float> y(columns);
            kernels::layer_norm(dense(x.data(), 1, columns), weight.data(), bias.data(), 1e-12f,
                                dense(y.data(), 1, columns));
            CHECK(test::same_bits(y, bias));
        }
    }

    TEST_CASE("layer_norm: a mean far from 0 costs digits of the input only, not their square") {
        test::Random random(42);
        const std::size_t columns = 384;
        std::vector<float> x = random.bells(columns);
        for (float& value : x) value += 1000.0f;
        const std::vector<float> weight(columns, 1.0f);
        const std::vector<float> bias(columns, 0.0f);
        std::vector<float> y(columns);
        kernels::layer_norm(dense(x.data(), 1, columns), weight.data(), bias.data(), 1e-12f,
                            dense(y.data(), 1, columns));
        // The mean itself is rounded to 2^-14 (half an ulp of 1000 is 3e-5).
        CHECK(test::within(y, in_double(x, 1, columns, weight, bias, 1e-12), 2e-4));
    }

    TEST_CASE("layer_norm: NaN and infinity spoil their own row and no other") {
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            const std::size_t columns = kLanes + 1;
            std::vector<float> x(3 * columns);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i);
            x[2 * columns - 1] = bad;
            const std::vector<float> ones(columns, 1.0f);
            std::vector<float> y(x.size());
            kernels::layer_norm(dense(x.data(), 3, columns), ones.data(), ones.data(), 1e-12f,
                                dense(y.data(), 3, columns));
            for (std::size_t i = 0; i < y.size(); ++i)
                CHECK(std::isnan(y[i]) == (i / columns == 1));
        }
    }
}
