// Multi-head attention from the words up: the tutorials' three demos drawn anew from their seeds,
// and what must hold for any block.
#include "attention/multi_head.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attention/additions.hpp"
#include "attention/explained.hpp"
#include "core/numpy_random.hpp"
#include "support/compare.hpp"
#include "support/figures.hpp"
#include "support/number_lists.hpp"
#include "support/random.hpp"

using namespace headlights;
using attention::MultiHead;
using attention::Projection;
using attention::Shape;
using test::number_list;

namespace {

std::vector<float> single(const std::vector<double>& numbers) {
    return {numbers.begin(), numbers.end()};
}

// A block with its own memory.
struct Block {
    Shape shape;
    std::size_t d = 0, d_out = 0;
    std::vector<float> x, memory, w_q, w_k, w_v, w_o;
    attention::Mask mask;

    std::vector<float> queries, keys, values, scores, weights, concat, output;

    void run(Projection projection = Projection::Batched) {
        const auto& [H, Hkv, Tq, Tk, dk, dv] = shape;
        queries.assign(Tq * H * dk, -1.0f);
        keys.assign(Tk * Hkv * dk, -1.0f);
        values.assign(Tk * Hkv * dv, -1.0f);
        scores.assign(H * Tq * Tk, -1.0f);
        weights.assign(H * Tq * Tk, -1.0f);
        concat.assign(Tq * H * dv, -1.0f);
        output.assign(Tq * d_out, -1.0f);
        const std::vector<float>& seen = memory.empty() ? x : memory;
        const auto matrix = [](const std::vector<float>& numbers, std::size_t columns) {
            return dense(numbers.data(), numbers.size() / columns, columns);
        };
        const MultiHead block{shape,
                              d,
                              d_out,
                              matrix(x, d),
                              matrix(seen, d),
                              matrix(w_q, H * dk),
                              matrix(w_k, Hkv * dk),
                              matrix(w_v, Hkv * dv),
                              matrix(w_o, d_out),
                              1.0f / std::sqrt(static_cast<float>(dk)),
                              mask};
        REQUIRE(attention::validate(block) == Error::Ok);
        std::vector<float> workspace(attention::multi_head_workspace(shape));
        attention::multi_head(block, projection,
                              {queries.data(), keys.data(), values.data(), scores.data(),
                               weights.data(), concat.data(), output.data()},
                              workspace.data());
    }
};

Block random_block(const Shape& shape, std::size_t d, std::size_t d_out, std::uint64_t seed) {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = shape;
    test::Random random(seed);
    return {shape,
            d,
            d_out,
            random.bells(Tq * d),
            random.bells(Tk * d),
            random.bells(d * H * dk),
            random.bells(d * Hkv * dk),
            random.bells(d * Hkv * dv),
            random.bells(H * dv * d_out),
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {}};
}

// Matrices one after the other from one stream, in double: `scale` times a Gaussian number.
class Draws {
public:
    Draws(std::uint32_t seed, double scale) : random_(seed), scale_(scale) {}
    std::vector<double> next(std::size_t count) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = random_.gaussian() * scale_;
        return numbers;
    }

private:
    NumpyRandom random_;
    double scale_;
};

// Heads [H, d, dk] put side by side: [d, H dk].
std::vector<double> side_by_side(const std::vector<double>& heads, std::size_t H, std::size_t d) {
    const std::size_t dk = heads.size() / H / d;
    std::vector<double> columns(heads.size());
    for (std::size_t h = 0; h < H; ++h)
        for (std::size_t r = 0; r < d; ++r)
            for (std::size_t c = 0; c < dk; ++c)
                columns[(r * H + h) * dk + c] = heads[(h * d + r) * dk + c];
    return columns;
}

void check(const char* what, const std::vector<float>& actual, const std::vector<double>& expected,
           double limit) {
    INFO(what);
    CHECK(test::within(actual, expected, limit));
    test::figure(std::string("tutorials' demos, ") + what,
                 test::largest_difference(actual, expected));
}

void check_draws(const std::vector<double>& actual, const std::vector<double>& expected) {
    REQUIRE(actual.size() == expected.size());
    for (std::size_t n = 0; n < actual.size(); ++n)
        CHECK(std::abs(actual[n] - expected[n]) <= 1e-15);
}

// The contexts as the files list them, [H, T, dv], from [T, H dv].
std::vector<float> by_heads(const std::vector<float>& concat, std::size_t H, std::size_t T) {
    const std::size_t dv = concat.size() / H / T;
    std::vector<float> heads(concat.size());
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t h = 0; h < H; ++h)
            for (std::size_t c = 0; c < dv; ++c)
                heads[(h * T + t) * dv + c] = concat[(t * H + h) * dv + c];
    return heads;
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("demo 1, per-head attention: drawn from seed 42, every value within 1e-6") {
        const std::string file = "demos/demo1_per_head.json";
        constexpr std::size_t T = 5, d = 8, H = 2, dk = 4;
        Draws draws(42, 0.1);
        std::vector<double> w_q, w_k, w_v;
        for (std::size_t h = 0; h < H; ++h)  // W_Q, W_K, W_V of each head in turn
            for (std::vector<double>* w : {&w_q, &w_k, &w_v}) {
                const std::vector<double> head = draws.next(d * dk);
                w->insert(w->end(), head.begin(), head.end());
            }
        const std::vector<double> w_o = draws.next(d * d);
        check_draws(w_q, number_list(file, "W_Q"));
        check_draws(w_k, number_list(file, "W_K"));
        check_draws(w_v, number_list(file, "W_V"));
        check_draws(w_o, number_list(file, "W_O"));
        Block block{{H, H, T, T, dk, dk},
                    d,
                    d,
                    single(number_list(file, "X")),
                    {},
                    single(side_by_side(w_q, H, d)),
                    single(side_by_side(w_k, H, d)),
                    single(side_by_side(w_v, H, d)),
                    single(w_o),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {}};
        for (const Projection projection : {Projection::Batched, Projection::Looped}) {
            block.run(projection);
            check("attention 1", block.weights, number_list(file, "attention"), 1e-6);
            check("head outputs 1", by_heads(block.concat, H, T), number_list(file, "head_outputs"),
                  1e-6);
            check("output 1", block.output, number_list(file, "output"), 1e-6);
        }
    }

    TEST_CASE("demo 2, fusion: drawn from seed 123, every value within 1e-6") {
        const std::string file = "demos/demo2_fusion.json";
        constexpr std::size_t T = 3, d = 6, H = 2, dk = 3;
        Draws draws(123, 0.3);
        const std::vector<double> w_q = draws.next(H * d * dk);  // of every head, then W_K, W_V
        const std::vector<double> w_k = draws.next(H * d * dk);
        const std::vector<double> w_v = draws.next(H * d * dk);
        const std::vector<double> w_o = draws.next(d * d);
        check_draws(w_q, number_list(file, "W_Q"));
        check_draws(w_k, number_list(file, "W_K"));
        check_draws(w_v, number_list(file, "W_V"));
        check_draws(w_o, number_list(file, "W_O"));
        Block block{{H, H, T, T, dk, dk},
                    d,
                    d,
                    single(number_list(file, "X")),
                    {},
                    single(side_by_side(w_q, H, d)),
                    single(side_by_side(w_k, H, d)),
                    single(side_by_side(w_v, H, d)),
                    single(w_o),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {}};
        block.run();
        check("attention 2", block.weights, number_list(file, "attention"), 1e-6);
        check("head outputs 2", by_heads(block.concat, H, T), number_list(file, "head_outputs"),
              1e-6);
        check("concat 2", block.concat, number_list(file, "concat"), 1e-6);
        check("fused 2", block.output, number_list(file, "fused"), 1e-6);
    }

    TEST_CASE("demo 3, batched: drawn from seeds 42 and 7, every value within 1e-5") {
        const std::string file = "demos/demo3_batched.json";
        constexpr std::size_t T = 32, d = 64, H = 8, dk = 8;
        Draws weights(42, 0.1);
        Draws words(7, 1.0);
        Block block{{H, H, T, T, dk, dk},
                    d,
                    d,
                    single(words.next(T * d)),
                    {},
                    single(weights.next(d * d)),
                    single(weights.next(d * d)),
                    single(weights.next(d * d)),
                    single(weights.next(d * d)),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {},
                    {}};
        for (const Projection projection : {Projection::Batched, Projection::Looped}) {
            block.run(projection);
            check("output 3", block.output, number_list(file, "output"), 1e-5);
            const auto row = [&](std::size_t h, std::size_t i) {
                const auto first = block.weights.begin() + static_cast<long>((h * T + i) * T);
                return std::vector<float>(first, first + T);
            };
            check("row 3", row(0, 0), number_list(file, "attention_head0_row0"), 1e-5);
            check("row 3", row(7, 31), number_list(file, "attention_head7_row31"), 1e-5);
        }
    }

    TEST_CASE(
        "multi_head: the loop over heads gives what the batch gives, also for cross-attention") {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            INFO("seed ", seed);
            Block batched = random_block({4, 2, 5, 9, 3, 6}, 7, 10, seed);
            Block looped = batched;
            batched.run(Projection::Batched);
            looped.run(Projection::Looped);
            // Wide and narrow products sum in the same order.
            CHECK(test::same_bits(looped.queries, batched.queries));
            CHECK(test::same_bits(looped.keys, batched.keys));
            CHECK(test::same_bits(looped.values, batched.values));
            CHECK(test::same_bits(looped.output, batched.output));
        }
    }

    TEST_CASE("additions: they add up to the output, and their shares to one") {
        for (const std::uint64_t seed : {4u, 5u, 6u}) {
            INFO("seed ", seed);
            Block block = random_block({4, 2, 5, 9, 3, 6}, 7, 10, seed);
            block.run();
            const auto& [H, Hkv, Tq, Tk, dk, dv] = block.shape;
            for (std::size_t i = 0; i < Tq; ++i) {
                std::vector<float> numbers(attention::additions_size(H, block.d_out, H * dv) +
                                           H * H * dv);
                attention::head_additions(block.concat.data() + i * H * dv, H,
                                          dense<const float>(block.w_o.data(), H * dv, block.d_out),
                                          block.x.data() + i * block.d, block.d, numbers.data());
                const attention::Additions additions =
                    attention::additions_at(H, block.d_out, numbers.data());
                const std::vector<float> output(additions.output, additions.output + block.d_out);
                const auto row = block.output.begin() + static_cast<long>(i * block.d_out);
                CHECK(test::within(
                    output, std::vector<float>(row, row + static_cast<long>(block.d_out)), 1e-4));
                double sum = 0.0, square = 0.0;
                for (std::size_t h = 0; h < H; ++h) sum += additions.shares[h];
                CHECK(std::abs(sum - 1.0) <= 1e-5);
                for (std::size_t c = 0; c < block.d; ++c)
                    square += std::pow(block.x[i * block.d + c], 2);
                CHECK(std::abs(*additions.residual_norm - std::sqrt(square)) <= 1e-5);
            }
        }
    }

    TEST_CASE("additions: a block whose output is zero has shares of zero, not NaN") {
        const std::vector<float> concat(6, 0.0f), w_o(6 * 4, 1.0f), residual(4, 0.0f);
        std::vector<float> numbers(attention::additions_size(2, 4, 6) + 2 * 2 * 3);
        attention::head_additions(concat.data(), 2, dense(w_o.data(), 6, 4), residual.data(), 4,
                                  numbers.data());
        const attention::Additions additions = attention::additions_at(2, 4, numbers.data());
        CHECK(additions.shares[0] == 0.0f);
        CHECK(additions.shares[1] == 0.0f);
        CHECK(*additions.output_norm == 0.0f);
    }
}
