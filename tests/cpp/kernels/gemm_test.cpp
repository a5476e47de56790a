// The three matrix products against sums in double, for every size around the tiles and vectors.
#include "kernels/gemm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/fenced.hpp"
#include "support/figures.hpp"
#include "support/stored.hpp"

using namespace headlights;
using test::Fenced;
using test::Layout;
using test::Random;

namespace {

const std::size_t kLanes = test::lanes();

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// The sums of products in double, and the largest sum of their magnitudes: what fp32 rounding is
// measured by.
struct Expected {
    std::vector<double> sums;
    double magnitude = 0;

    void add(double sum, double size) {
        sums.push_back(sum);
        magnitude = std::max(magnitude, size);
    }
    // Rounding errors of a sum of `terms` products, one after the other.
    [[nodiscard]] double limit(std::size_t terms) const {
        return magnitude * static_cast<double>(terms + 4) * 0x1p-24;
    }
};

// start[r, n] + factor * sum over c of a[r, c] * b(c, n).
template <class B>
Expected product(const std::vector<float>& a, std::size_t rows, std::size_t terms, B b,
                 std::size_t columns, const std::vector<float>& start, double factor = 1) {
    Expected expected;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t n = 0; n < columns; ++n) {
            double sum = start[r * columns + n];
            double size = std::abs(sum);
            for (std::size_t c = 0; c < terms; ++c) {
                const double term = factor * a[r * terms + c] * b(c, n);
                sum += term;
                size += std::abs(term);
            }
            expected.add(sum, size);
        }
    return expected;
}

// Layouts in turn: aligned and dense first, then odd starts and odd strides.
Layout layout_of(std::size_t turn) {
    constexpr Layout kLayouts[] = {{0, 0}, {1, 3}, {2, 0}, {3, 1}, {0, 5}};
    return kLayouts[turn % std::size(kLayouts)];
}

struct Sizes {
    std::size_t T, N, K;
};

void check_stored(ElementType type, Sizes sizes, bool with_bias, Random& random, std::size_t turn) {
    const auto [T, N, K] = sizes;
    INFO(test::name_of(type), " T ", T, " N ", N, " K ", K, " bias ", with_bias, " turn ", turn);
    const std::vector<float> numbers = random.bells(T * K);
    test::Stored stored = test::random_stored(type, N, K, random, 0, turn % 3);
    const std::vector<float> weights = stored.decoded();
    if (turn / 2 % 2 == 0) stored = stored.arranged();
    const std::vector<float> offsets = random.bells(N);
    std::vector<float> start(T * N, 0.0f);
    if (with_bias)
        for (std::size_t i = 0; i < T * N; ++i) start[i] = offsets[i % N];
    const Expected expected = product(
        numbers, T, K, [&](std::size_t c, std::size_t n) { return weights[n * K + c]; }, N, start);

    const Fenced x(numbers, T, K, layout_of(turn));
    const Fenced bias(offsets, 1, N, layout_of(turn + 1));
    Fenced y(T, N, layout_of(turn + 2));
    Fenced workspace(1, kernels::gemm_workspace(K));
    kernels::gemm_stored(x.view(), stored.view(), with_bias ? bias.data() : nullptr, y.view(),
                         workspace.data());
    CHECK(test::within(y.values(), expected.sums, expected.limit(K)));
    CHECK(y.intact());
    CHECK(workspace.intact());
    if (expected.magnitude > 0)
        test::figure("gemm_stored, relative to the sum of magnitudes",
                     test::largest_difference(y.values(), expected.sums) / expected.magnitude);
}

std::vector<std::size_t> lengths_of(ElementType type) {
    if (type == ElementType::Q8_0) return {0, 32, 64, 96};
    std::vector<std::size_t> lengths;
    for (std::size_t K = 0; K <= 2 * kLanes + 1; ++K) lengths.push_back(K);
    return lengths;
}

}  // namespace

TEST_SUITE("kernels") {
    TEST_CASE("gemm_stored: every T to 13, N to 17, K to 2 vectors + 1, all types") {
        Random random(20);
        std::size_t turn = 0;
        for (const ElementType type : test::kElementTypes)
            for (const std::size_t K : lengths_of(type))
                for (std::size_t T = 0; T <= 13; ++T)
                    for (std::size_t N = 0; N <= 17; ++N, ++turn)
                        if (test::kThorough || random.below(8) == 0)
                            check_stored(type, {T, N, K}, turn % 2 == 0, random, turn);
    }

    TEST_CASE("gemm_stored: sizes of real layers") {
        Random random(21);
        const std::size_t most = test::kThorough ? 384 : 42;
        const Sizes large[] = {
            {21, most, 384}, {200, most / 4, 1536}, {33, 57, 100}, {1, most, 1536}};
        std::size_t turn = 0;
        for (const ElementType type : test::kElementTypes)
            for (Sizes sizes : large) {
                if (type == ElementType::Q8_0) sizes.K = sizes.K / kBlockQ8 * kBlockQ8;
                check_stored(type, sizes, turn % 2 == 0, random, turn);
                ++turn;
            }
    }

    TEST_CASE("gemm_stored: a row's result does not depend on the rows around it") {
        Random random(22);
        const std::size_t T = 210;  // more than a block of rows
        const std::size_t N = 10;
        const std::size_t K = 530;  // more than a panel's depth
        const std::vector<float> x = random.bells(T * K);
        const test::Stored weights = test::random_stored(ElementType::F16, N, K, random).arranged();
        std::vector<float> workspace(kernels::gemm_workspace(K));
        std::vector<float> together(T * N);
        kernels::gemm_stored(dense(x.data(), T, K), weights.view(), nullptr,
                             dense(together.data(), T, N), workspace.data());
        for (std::size_t t = 0; t < T; ++t) {
            std::vector<float> alone(N);
            kernels::gemm_stored(dense(x.data() + t * K, 1, K), weights.view(), nullptr,
                                 dense(alone.data(), 1, N), workspace.data());
            CHECK(test::same_bits(alone, std::span(together).subspan(t * N, N)));
        }
    }

    TEST_CASE("gemm_stored: sizes of 0 need no memory") {
        float y[3] = {7, 7, 7};
        kernels::gemm_stored({nullptr, 0, 4, 4}, {nullptr, ElementType::F32, 0, 4}, nullptr,
                             {nullptr, 0, 0, 0}, nullptr);
        CHECK(kernels::gemm_workspace(0) == 0);
        const float bias[] = {1, 2, 3};
        kernels::gemm_stored({nullptr, 1, 0, 0}, {nullptr, ElementType::F32, 3, 0}, bias,
                             dense(y, 1, 3), nullptr);
        CHECK(test::same_bits(y, bias));
    }

    TEST_CASE("gemm_stored: NaN and infinity of a row stay in that row") {
        Random random(23);
        const std::size_t T = 5;
        const std::size_t N = 6;
        const std::size_t K = kLanes + 2;
        std::vector<float> x = random.bells(T * K);
        x[2 * K + K - 1] = kNaN;
        const test::Stored weights = test::random_stored(ElementType::F32, N, K, random);
        std::vector<float> workspace(kernels::gemm_workspace(K));
        std::vector<float> y(T * N);
        kernels::gemm_stored(dense(x.data(), T, K), weights.view(), nullptr, dense(y.data(), T, N),
                             workspace.data());
        for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::isnan(y[i]) == (i / N == 2));
    }

    TEST_CASE("gemm_rows: every M to 13, N to 9, K to 2 vectors + 1, odd strides") {
        Random random(24);
        std::size_t turn = 0;
        for (std::size_t K = 0; K <= 2 * kLanes + 1; ++K)
            for (std::size_t M = 0; M <= 13; ++M)
                for (std::size_t N = 0; N <= 9; ++N, ++turn) {
                    INFO("M ", M, " N ", N, " K ", K, " turn ", turn);
                    const float scale = random.uniform(-2, 2);
                    const std::vector<float> left = random.bells(M * K);
                    const std::vector<float> right = random.bells(N * K);
                    const Expected expected = product(
                        left, M, K, [&](std::size_t c, std::size_t n) { return right[n * K + c]; },
                        N, std::vector<float>(M * N, 0.0f), scale);
                    const Fenced a(left, M, K, layout_of(turn));
                    const Fenced b(right, N, K, layout_of(turn + 1));
                    Fenced y(M, N, layout_of(turn + 2));
                    kernels::gemm_rows(a.view(), b.view(), scale, y.view());
                    CHECK(test::within(y.values(), expected.sums, expected.limit(K)));
                    CHECK(y.intact());
                }
    }

    TEST_CASE("gemm_rows: a dot product is the same wherever in the matrix it stands") {
        Random random(25);
        const std::size_t M = 11;
        const std::size_t N = 14;
        const std::size_t K = 3 * kLanes + 1;
        const std::vector<float> a = random.bells(M * K);
        const std::vector<float> b = random.bells(N * K);
        std::vector<float> whole(M * N);
        kernels::gemm_rows(dense(a.data(), M, K), dense(b.data(), N, K), 0.5f,
                           dense(whole.data(), M, N));
        for (std::size_t i = 0; i < M; ++i)
            for (std::size_t j = 0; j < N; ++j) {
                float alone = 0;
                kernels::gemm_rows(dense(a.data() + i * K, 1, K), dense(b.data() + j * K, 1, K),
                                   0.5f, dense(&alone, 1, 1));
                CHECK(alone == whole[i * N + j]);
            }
    }

    TEST_CASE("gemm_weighted_sum: every M to 9, J to 9, N to 4 vectors + 1, set and accumulate") {
        Random random(26);
        std::size_t turn = 0;
        for (std::size_t N = 0; N <= 4 * kLanes + 1; ++N)
            for (std::size_t M = 0; M <= 9; ++M)
                for (std::size_t J = 0; J <= 9; ++J, ++turn) {
                    const bool accumulate = turn % 2 == 0;
                    INFO("M ", M, " J ", J, " N ", N, " accumulate ", accumulate, " turn ", turn);
                    const std::vector<float> weights = random.bells(M * J);
                    const std::vector<float> values = random.bells(J * N);
                    const std::vector<float> before =
                        accumulate ? random.bells(M * N) : std::vector<float>(M * N, 0.0f);
                    const Expected expected = product(
                        weights, M, J,
                        [&](std::size_t c, std::size_t n) { return values[c * N + n]; }, N, before);
                    const Fenced w(weights, M, J, layout_of(turn));
                    const Fenced v(values, J, N, layout_of(turn + 1));
                    Fenced y(M, N, layout_of(turn + 2));
                    // Without accumulate, what was there must not matter: NaN.
                    for (std::size_t r = 0; r < M; ++r)
                        for (std::size_t c = 0; c < N; ++c)
                            y.view().row(r)[c] = accumulate ? before[r * N + c] : kNaN;
                    kernels::gemm_weighted_sum(w.view(), v.view(), accumulate, y.view());
                    CHECK(test::within(y.values(), expected.sums, expected.limit(J)));
                    CHECK(y.intact());
                }
    }
}
