// Every intervention on the tiny BERT, against the forward pass in double with the same one.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/run.hpp"
#include "support/compare.hpp"
#include "support/effort.hpp"
#include "support/figures.hpp"
#include "support/safetensors.hpp"
#include "support/small_model.hpp"

using namespace headlights;
using attention::AlgorithmId;
using attention::PatternKind;
using model::RunBuffer;
using test::Forward;
using test::Request;
using test::SmallModel;

namespace {

struct Intervention {
    const char* name;
    void (*change)(Request&);
};

void set_gain(Request& request, std::size_t layer, std::size_t head, float gain) {
    if (request.gains.empty()) request.gains.assign(8, 1.0f);
    request.gains[layer * 4 + head] = gain;
}

constexpr Intervention kInterventions[] = {
    {"a head off", [](Request& r) { set_gain(r, 0, 2, 0.0f); }},
    {"a head louder", [](Request& r) { set_gain(r, 1, 3, 2.5f); }},
    {"a head turned round", [](Request& r) { set_gain(r, 0, 0, -1.0f); }},
    {"all heads of the last layer off",
     [](Request& r) {
         for (std::size_t h = 0; h < 4; ++h) set_gain(r, 1, h, 0.0f);
     }},
    {"two tokens hidden",
     [](Request& r) {
         r.key_mask.assign(r.tokens(), 1);
         r.key_mask[1] = r.key_mask[5] = 0;
     }},
    {"causal", [](Request& r) { r.options.pattern = PatternKind::Causal; }},
    {"window of 2",
     [](Request& r) {
         r.options.pattern = PatternKind::Window;
         r.options.radius = 2;
     }},
    {"causal window of 1",
     [](Request& r) {
         r.options.pattern = PatternKind::CausalWindow;
         r.options.radius = 1;
     }},
    {"a given pattern with a row that sees nothing",
     [](Request& r) {
         r.options.pattern = PatternKind::Given;
         r.pattern.assign(r.tokens() * r.tokens(), 1);
         for (std::size_t cell = 0; cell < r.pattern.size(); cell += 3) r.pattern[cell] = 0;
         for (std::size_t j = 0; j < r.tokens(); ++j) r.pattern[4 * r.tokens() + j] = 0;
     }},
    {"warmer", [](Request& r) { r.options.temperature = 3.0f; }},
    {"colder", [](Request& r) { r.options.temperature = 0.5f; }},
    {"no positions", [](Request& r) { r.options.positions = false; }},
    {"several at once",
     [](Request& r) {
         set_gain(r, 0, 1, 0.0f);
         r.key_mask.assign(r.tokens(), 1);
         r.key_mask[2] = 0;
         r.options.pattern = PatternKind::Causal;
         r.options.temperature = 1.5f;
         r.options.positions = false;
     }},
};

Request plain_request() {
    const test::Safetensors file("models-tiny/bert/expected/01.safetensors");
    Request request{file.integers("input_ids"), file.integers("token_type_ids"), {}, {}, {}, {}};
    if (!test::kThorough) {
        request.ids.resize(10);
        request.types.resize(10);
    }
    return request;
}

struct Buffers {
    std::vector<std::vector<float>> hidden, weights, context;
};

Buffers compute(const SmallModel& bert, const Request& request) {
    model::Weights weights(bert.spec);
    bert.load(weights);
    REQUIRE(model::validate(bert.spec, request.tokens(), request.options) == Error::Ok);
    model::Run run(weights, request.tokens(), request.options);
    REQUIRE(run.valid());
    test::write(request, run);
    REQUIRE(test::compute(run, bert.spec) == Error::Ok);
    Buffers buffers;
    const auto read = [&](RunBuffer buffer, std::size_t layer) {
        return test::read(run, bert.spec, request.tokens(), buffer, layer);
    };
    for (std::size_t l = 0; l <= bert.spec.layers; ++l)
        buffers.hidden.push_back(read(RunBuffer::Hidden, l));
    for (std::size_t l = 0; l < bert.spec.layers; ++l) {
        buffers.weights.push_back(read(RunBuffer::Weights, l));
        buffers.context.push_back(read(RunBuffer::Context, l));
    }
    return buffers;
}

void check_all(const Buffers& actual, const Forward& expected) {
    for (std::size_t l = 0; l < expected.hidden.size(); ++l) {
        CHECK(test::within(actual.hidden[l], expected.hidden[l], 1e-4));
        test::figure("tiny BERT with interventions against double, hidden",
                     test::largest_difference(actual.hidden[l], expected.hidden[l]));
    }
    for (std::size_t l = 0; l < expected.weights.size(); ++l) {
        CHECK(test::within(actual.context[l], expected.context[l], 1e-4));
        if (actual.weights[l].empty()) continue;  // not kept
        CHECK(test::within(actual.weights[l], expected.weights[l], 2e-5));
        test::figure("tiny BERT with interventions against double, attentions",
                     test::largest_difference(actual.weights[l], expected.weights[l]));
    }
}

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("every intervention does what its definition says, with every algorithm") {
        const SmallModel bert = test::golden_bert();
        const Forward untouched = test::forward(bert, plain_request());
        for (const Intervention& intervention : kInterventions) {
            Request request = plain_request();
            intervention.change(request);
            const Forward expected = test::forward(bert, request);
            for (std::size_t id = 0; id < attention::kAlgorithms.size(); ++id) {
                INFO(intervention.name, ", ", attention::kAlgorithms[id].name);
                request.options.algorithm = static_cast<AlgorithmId>(id);
                request.options.keep_weights = attention::kAlgorithms[id].keeps_weights;
                const Buffers actual = compute(bert, request);
                check_all(actual, expected);
                // The intervention must be visible, or the comparison would prove nothing.
                CHECK(test::largest_difference(actual.hidden.back(), untouched.hidden.back()) >
                      0.01);
            }
        }
    }

    TEST_CASE("a gain leaves the layer's own context and weights as they were") {
        const SmallModel bert = test::golden_bert();
        Request request = plain_request();
        const Buffers before = compute(bert, request);
        set_gain(request, 0, 2, 0.0f);
        const Buffers after = compute(bert, request);
        CHECK(test::same_bits(after.context[0], before.context[0]));
        CHECK(test::same_bits(after.weights[0], before.weights[0]));
        CHECK_FALSE(test::within(after.weights[1], before.weights[1], 1e-3));
    }

    TEST_CASE("gains, masks and patterns of 1 change no bit") {
        const SmallModel bert = test::golden_bert();
        Request request = plain_request();
        const Buffers before = compute(bert, request);
        request.gains.assign(8, 1.0f);
        request.key_mask.assign(request.tokens(), 1);
        request.options.pattern = PatternKind::Given;
        request.pattern.assign(request.tokens() * request.tokens(), 1);
        const Buffers after = compute(bert, request);
        for (std::size_t l = 0; l <= bert.spec.layers; ++l)
            CHECK(test::same_bits(after.hidden[l], before.hidden[l]));
    }

    TEST_CASE("without positions the order of equal segments does not matter") {
        const SmallModel bert = test::golden_bert();
        Request request = plain_request();
        request.options.positions = false;
        const std::size_t T = request.tokens();
        const Buffers before = compute(bert, request);
        std::swap(request.ids[2], request.ids[9]);
        REQUIRE(request.ids[2] != request.ids[9]);
        const Buffers after = compute(bert, request);
        const std::size_t d = bert.spec.width;
        for (std::size_t t = 0; t < T; ++t) {
            const std::size_t source = t == 2 ? 9 : t == 9 ? 2 : t;
            CHECK(test::within(std::span(after.hidden[2]).subspan(t * d, d),
                               std::span(before.hidden[2]).subspan(source * d, d), 1e-5));
        }
    }

    TEST_CASE("a run takes over exactly the layers that it would compute to the same bits") {
        const SmallModel bert = test::golden_bert();
        const std::size_t L = bert.spec.layers;
        model::Weights weights(bert.spec);
        bert.load(weights);
        const Request plain = plain_request();
        model::Run first(weights, plain.tokens(), plain.options);
        test::write(plain, first);
        REQUIRE(test::compute(first, bert.spec) == Error::Ok);
        std::size_t in_part = 0;
        for (const Intervention& intervention : kInterventions) {
            INFO(intervention.name);
            Request request = plain_request();
            intervention.change(request);
            const Buffers expected = compute(bert, request);
            model::Run second(weights, request.tokens(), request.options);
            test::write(request, second);
            const std::size_t taken = second.reuse(first);
            // The first layer whose gains differ is computed again; any other change touches all.
            std::size_t untouched = 0;
            if (!request.gains.empty() && request.key_mask.empty())
                while (untouched < L &&
                       std::ranges::all_of(std::span(request.gains).subspan(untouched * 4, 4),
                                           [](float gain) { return gain == 1.0f; }))
                    ++untouched;
            CHECK(taken == untouched);
            in_part += taken > 0 && taken < L;
            if (taken == 0) REQUIRE(second.begin() == Error::Ok);
            for (std::size_t l = taken; l < L; ++l) REQUIRE(second.layer(l) == Error::Ok);
            for (std::size_t l = 0; l <= L; ++l)
                CHECK(test::same_bits(
                    test::read(second, bert.spec, request.tokens(), RunBuffer::Hidden, l),
                    expected.hidden[l]));
            for (std::size_t l = 0; l < L; ++l)
                CHECK(test::same_bits(
                    test::read(second, bert.spec, request.tokens(), RunBuffer::Weights, l),
                    expected.weights[l]));
        }
        CHECK(in_part == 2);
    }

    TEST_CASE("nothing is taken over from other tokens, an unfinished run or other weights") {
        const SmallModel bert = test::golden_bert();
        model::Weights weights(bert.spec);
        bert.load(weights);
        const Request plain = plain_request();
        const auto written = [&](const model::Weights& from, const Request& request) {
            auto run = std::make_unique<model::Run>(from, request.tokens(), request.options);
            test::write(request, *run);
            return run;
        };
        const auto done = written(weights, plain);
        CHECK(written(weights, plain)->reuse(*done) == 0);
        REQUIRE(done->begin() == Error::Ok);
        CHECK(written(weights, plain)->reuse(*done) == 0);
        REQUIRE(done->layer(0) == Error::Ok);
        CHECK(written(weights, plain)->reuse(*done) == 1);
        REQUIRE(done->layer(1) == Error::Ok);
        CHECK(written(weights, plain)->reuse(*done) == 2);
        Request other = plain;
        other.ids[3] += 1;
        CHECK(written(weights, other)->reuse(*done) == 0);
        other = plain;
        other.types[3] ^= 1;
        CHECK(written(weights, other)->reuse(*done) == 0);
        other = plain;
        other.ids.pop_back();
        other.types.pop_back();
        CHECK(written(weights, other)->reuse(*done) == 0);
        model::Weights twin(bert.spec);
        bert.load(twin);
        CHECK(written(twin, plain)->reuse(*done) == 0);
    }
}
