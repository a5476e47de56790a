// What a reader may look at inside a layer that has been computed: steps of a row, and what each
// head adds.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "attention/additions.hpp"
#include "attention/steps.hpp"
#include "kernels/decode.hpp"
#include "model/run.hpp"
#include "support/compare.hpp"
#include "support/small_model.hpp"

using namespace headlights;
using attention::Additions;
using attention::Shape;
using attention::Steps;
using model::Run;
using model::RunBuffer;
using model::TensorRole;
using model::Weights;
using test::Request;
using test::SmallModel;

namespace {

Request short_request() { return {{1, 7, 39, 0, 12, 7}, {0, 0, 0, 1, 1, 1}, {}, {}, {}, {}}; }

struct Computed {
    Computed(const SmallModel& small, const Request& request)
        : spec(small.spec), weights(small.spec), T(request.tokens()) {
        small.load(weights);
        run.emplace(weights, T, request.options);
        test::write(request, *run);
        REQUIRE(test::compute(*run, spec) == Error::Ok);
    }
    [[nodiscard]] std::vector<float> read(RunBuffer buffer, std::size_t layer) {
        return test::read(*run, spec, T, buffer, layer);
    }
    [[nodiscard]] Shape shape() const {
        return {spec.heads, spec.heads, T, T, spec.head_size(), spec.head_size()};
    }

    model::ModelSpec spec;
    Weights weights;
    std::size_t T;
    std::optional<Run> run;
};

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("a row's steps end in the weights and the context of the run, bit for bit") {
        const SmallModel small = SmallModel::random(ElementType::Q8_0, 21);
        Request request = short_request();
        request.key_mask = {1, 1, 0, 1, 1, 1};
        request.options.temperature = 0.5f;
        Computed computed(small, request);
        const Shape shape = computed.shape();
        std::vector<float> numbers(attention::steps_size(shape));
        const Steps steps = attention::steps_at(shape, numbers.data());
        for (std::size_t l = 0; l < computed.spec.layers; ++l)
            for (std::size_t h = 0; h < shape.H; ++h)
                for (std::size_t i = 0; i < computed.T; ++i) {
                    REQUIRE(computed.run->steps(l, h, i, 3, numbers.data()) == Error::Ok);
                    const std::vector<float> weights = computed.read(RunBuffer::Weights, l);
                    const float* row = weights.data() + (h * computed.T + i) * computed.T;
                    CHECK(test::same_bits({steps.weights, computed.T}, {row, computed.T}));
                    const std::vector<float> context = computed.read(RunBuffer::Context, l);
                    CHECK(test::same_bits(
                        {steps.running + (computed.T - 1) * shape.dv, shape.dv},
                        {context.data() + i * computed.spec.width + h * shape.dv, shape.dv}));
                    CHECK(steps.allowed[2] == 0.0f);
                }
    }

    TEST_CASE("what the heads and the bias add is concat W_O + bias, gains included") {
        const SmallModel small = SmallModel::random(ElementType::Q8_0, 22);
        Request request = short_request();
        request.gains.assign(small.spec.layers * small.spec.heads, 1.0f);
        request.gains[1] = 0.0f;
        request.gains[2] = 2.5f;
        Computed computed(small, request);
        const std::size_t H = computed.spec.heads, d = computed.spec.width;
        const std::size_t dv = computed.spec.head_size();
        std::vector<float> numbers(attention::additions_size(H + 1, d, d) + H * d);
        const Additions additions = attention::additions_at(H + 1, d, numbers.data());
        for (std::size_t l = 0; l < computed.spec.layers; ++l) {
            const std::vector<float> context = computed.read(RunBuffer::Context, l);
            const auto w_o = computed.weights.matrix(TensorRole::OutputWeight, l);
            for (std::size_t i = 0; i < computed.T; ++i) {
                REQUIRE(computed.run->additions(l, i, numbers.data()) == Error::Ok);
                std::vector<float> row(d);
                double share = 0.0;
                for (std::size_t n = 0; n <= H; ++n) share += additions.shares[n];
                CHECK(std::abs(share - 1.0) <= 1e-5);
                for (std::size_t c = 0; c < d; ++c) {
                    const bool gained = l == 0 && c / dv < H;
                    CHECK(additions.concat[c] ==
                          context[i * d + c] * (gained ? request.gains[c / dv] : 1.0f));
                    kernels::decode_row(w_o, c, row.data());
                    double output = 0.0;
                    for (std::size_t h = 0; h < H; ++h) {
                        double added = 0.0;
                        for (std::size_t k = h * dv; k < (h + 1) * dv; ++k)
                            added += static_cast<double>(row[k]) * context[i * d + k];
                        if (l == 0) added *= request.gains[h];
                        CHECK(std::abs(additions.parts[h * d + c] - added) <= 1e-5);
                        output += added;
                    }
                    const float bias = computed.weights.vector(TensorRole::OutputBias, l)[c];
                    CHECK(additions.parts[H * d + c] == bias);
                    CHECK(std::abs(additions.output[c] - (output + bias)) <= 1e-5);
                }
            }
            if (l == 0) CHECK(additions.norms[1] == 0.0f);
        }
    }

    TEST_CASE("steps and additions of what has not been computed are refused") {
        const SmallModel small = SmallModel::random(ElementType::F32, 23);
        Weights weights(small.spec);
        small.load(weights);
        const Request request = short_request();
        Run run(weights, request.tokens(), request.options);
        test::write(request, run);
        const Shape shape{small.spec.heads,       small.spec.heads,      6, 6,
                          small.spec.head_size(), small.spec.head_size()};
        std::vector<float> numbers(
            attention::steps_size(shape) +
            attention::additions_size(shape.H + 1, small.spec.width, small.spec.width) +
            shape.H * small.spec.width);
        CHECK(run.steps(0, 0, 0, 0, numbers.data()) == Error::BadArgument);
        CHECK(run.additions(0, 0, numbers.data()) == Error::BadArgument);
        REQUIRE(run.begin() == Error::Ok);
        REQUIRE(run.layer_weights(0) == Error::Ok);
        CHECK(run.steps(0, 0, 0, 0, numbers.data()) == Error::BadArgument);
        REQUIRE(run.layer(0) == Error::Ok);
        CHECK(run.steps(0, 0, 5, 5, numbers.data()) == Error::Ok);
        CHECK(run.additions(0, 5, numbers.data()) == Error::Ok);
        CHECK(run.steps(0, 0, 6, 0, numbers.data()) == Error::BadArgument);
        CHECK(run.steps(0, 0, 0, 6, numbers.data()) == Error::BadArgument);
        CHECK(run.steps(0, shape.H, 0, 0, numbers.data()) == Error::BadArgument);
        CHECK(run.additions(0, 6, numbers.data()) == Error::BadArgument);
        CHECK(run.steps(1, 0, 0, 0, numbers.data()) == Error::BadArgument);
        CHECK(run.additions(1, 0, numbers.data()) == Error::BadArgument);
    }
}
