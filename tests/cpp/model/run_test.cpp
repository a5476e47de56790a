// The forward pass: against the golden files of the tiny BERT, its errors, and what its parts
// promise about each other.
#include "model/run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/compare.hpp"
#include "support/figures.hpp"
#include "support/safetensors.hpp"
#include "support/small_model.hpp"

using namespace headlights;
using attention::AlgorithmId;
using attention::PatternKind;
using model::Run;
using model::RunBuffer;
using model::RunOptions;
using model::TensorRole;
using model::Weights;
using test::Request;
using test::Safetensors;
using test::SmallModel;

namespace {

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

Request request_of(const Safetensors& file) {
    return {file.integers("input_ids"), file.integers("token_type_ids"), {}, {}, {}, {}};
}

Request short_request() { return {{1, 7, 39, 0, 12, 7}, {0, 0, 0, 1, 1, 1}, {}, {}, {}, {}}; }

// One layer of a tensor [L, H, T, dk] as a run keeps it: [T, H dk].
std::vector<float> as_columns(const std::vector<float>& heads, std::size_t layer, std::size_t H,
                              std::size_t T, std::size_t dk) {
    std::vector<float> columns(T * H * dk);
    for (std::size_t h = 0; h < H; ++h)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < dk; ++c)
                columns[(t * H + h) * dk + c] = heads[((layer * H + h) * T + t) * dk + c];
    return columns;
}

std::span<const float> part_of(const std::vector<float>& numbers, std::size_t index,
                               std::size_t size) {
    return std::span(numbers).subspan(index * size, size);
}

void check_against(const std::string& what, std::span<const float> actual,
                   std::span<const float> expected, double limit) {
    INFO(what);
    CHECK(test::within(actual, expected, limit));
    const std::vector<double> numbers(expected.begin(), expected.end());
    test::figure("tiny BERT against transformers, " + what,
                 test::largest_difference(actual, numbers));
}

// A model, a run over a short text, everything computed.
struct Computed {
    explicit Computed(const SmallModel& small, const Request& request = short_request())
        : model(small), weights(small.spec), text(request) {
        small.load(weights);
        run.emplace(weights, text.tokens(), text.options);
        test::write(text, *run);
        REQUIRE(test::compute(*run, small.spec) == Error::Ok);
    }
    [[nodiscard]] std::vector<float> read(RunBuffer buffer, std::size_t layer) {
        return test::read(*run, model.spec, text.tokens(), buffer, layer);
    }

    const SmallModel& model;
    Weights weights;
    Request text;
    std::optional<Run> run;
};

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("the tiny BERT gives what transformers gives, within 2e-5 and 1e-4") {
        const SmallModel bert = test::golden_bert();
        for (const char* name : {"01", "02"}) {
            INFO(name);
            const Safetensors file(std::string("models-tiny/bert/expected/") + name +
                                   ".safetensors");
            Computed computed(bert, request_of(file));
            const std::size_t T = computed.text.tokens();
            const std::size_t H = bert.spec.heads;
            const std::size_t dk = bert.spec.head_size();
            for (std::size_t l = 0; l <= bert.spec.layers; ++l)
                check_against("hidden", computed.read(RunBuffer::Hidden, l),
                              part_of(file.floats("hidden_states"), l, T * bert.spec.width), 1e-4);
            for (std::size_t l = 0; l < bert.spec.layers; ++l) {
                check_against("attentions", computed.read(RunBuffer::Weights, l),
                              part_of(file.floats("attentions"), l, H * T * T), 2e-5);
                if (!file.has("query")) continue;
                const std::pair<const char*, RunBuffer> kept[] = {{"query", RunBuffer::Queries},
                                                                  {"key", RunBuffer::Keys},
                                                                  {"value", RunBuffer::Values},
                                                                  {"context", RunBuffer::Context}};
                for (const auto& [tensor, buffer] : kept)
                    check_against(tensor, computed.read(buffer, l),
                                  as_columns(file.floats(tensor), l, H, T, dk), 1e-4);
                for (std::size_t h = 0; h < H; ++h) {
                    std::vector<float> scores(T * T);
                    REQUIRE(computed.run->score_rows(l, h, 0, T, scores.data()) == Error::Ok);
                    check_against("scores", scores,
                                  part_of(file.floats("scores"), l * H + h, T * T), 1e-4);
                }
            }
        }
    }

    TEST_CASE("the second golden text has two segments, and without them it would be wrong") {
        const SmallModel bert = test::golden_bert();
        const Safetensors file("models-tiny/bert/expected/02.safetensors");
        Request request = request_of(file);
        REQUIRE(std::ranges::count(request.types, 1) > 0);
        std::ranges::fill(request.types, 0);
        Computed computed(bert, request);
        CHECK_FALSE(test::within(
            computed.read(RunBuffer::Hidden, 2),
            part_of(file.floats("hidden_states"), 2, request.tokens() * bert.spec.width), 0.1));
    }

    TEST_CASE("weights in F16, BF16 and Q8_0 give the bits of the decoded numbers in F32") {
        for (const ElementType type : test::kElementTypes) {
            INFO(test::name_of(type));
            const SmallModel stored = SmallModel::random(type, 70);
            const SmallModel decoded = stored.decoded();
            Computed a(stored);
            Computed b(decoded);
            CHECK(a.weights.memory() <= b.weights.memory());
            for (std::size_t l = 0; l <= stored.spec.layers; ++l)
                CHECK(test::same_bits(a.read(RunBuffer::Hidden, l), b.read(RunBuffer::Hidden, l)));
            for (std::size_t l = 0; l < stored.spec.layers; ++l)
                CHECK(
                    test::same_bits(a.read(RunBuffer::Weights, l), b.read(RunBuffer::Weights, l)));
            const test::Forward expected = test::forward(stored, a.text);
            CHECK(test::within(a.read(RunBuffer::Hidden, 2), expected.hidden[2], 1e-4));
        }
    }

    TEST_CASE("a run that keeps no weights gives the same hidden states and context") {
        const SmallModel bert = test::golden_bert();
        Request request = request_of(Safetensors("models-tiny/bert/expected/01.safetensors"));
        Computed keeping(bert, request);
        for (const AlgorithmId algorithm : {AlgorithmId::Explained, AlgorithmId::Flash}) {
            request.options.keep_weights = false;
            request.options.algorithm = algorithm;
            Computed saving(bert, request);
            CHECK(saving.run->address(RunBuffer::Weights, 0) == nullptr);
            for (std::size_t l = 0; l <= bert.spec.layers; ++l) {
                const std::vector<float> expected = keeping.read(RunBuffer::Hidden, l);
                const std::vector<float> actual = saving.read(RunBuffer::Hidden, l);
                if (algorithm == AlgorithmId::Explained)
                    CHECK(test::same_bits(actual, expected));
                else
                    CHECK(test::within(actual, expected, 1e-5));
            }
        }
    }

    TEST_CASE("weight_rows equals the kept weights bit for bit, with and without keeping them") {
        const SmallModel small = SmallModel::random(ElementType::F32, 71);
        Request request = short_request();
        request.options.pattern = PatternKind::Window;
        request.options.radius = 2;
        request.key_mask = {1, 1, 0, 1, 1, 1};
        Computed keeping(small, request);
        request.options.keep_weights = false;
        Computed saving(small, request);
        const std::size_t T = request.tokens();
        for (std::size_t l = 0; l < small.spec.layers; ++l) {
            const std::vector<float> kept = keeping.read(RunBuffer::Weights, l);
            for (std::size_t h = 0; h < small.spec.heads; ++h)
                for (std::size_t from = 0; from <= T; ++from)
                    for (std::size_t to = from; to <= T; ++to) {
                        std::vector<float> rows((to - from) * T);
                        REQUIRE(saving.run->weight_rows(l, h, from, to, rows.data()) == Error::Ok);
                        REQUIRE(test::same_bits(
                            rows, std::span(kept).subspan((h * T + from) * T, rows.size())));
                    }
        }
    }

    TEST_CASE("score_rows gives the rows of the whole, scaled and before the mask") {
        const SmallModel small = SmallModel::random(ElementType::F32, 72);
        Request request = short_request();
        request.options.pattern = PatternKind::Causal;
        Computed computed(small, request);
        const test::Forward expected = test::forward(small, request);
        const std::size_t T = request.tokens();
        for (std::size_t h = 0; h < small.spec.heads; ++h) {
            std::vector<float> whole(T * T);
            REQUIRE(computed.run->score_rows(1, h, 0, T, whole.data()) == Error::Ok);
            CHECK(
                test::within(whole, std::span(expected.scores[1]).subspan(h * T * T, T * T), 1e-4));
            std::vector<float> row(T);
            REQUIRE(computed.run->score_rows(1, h, 3, 4, row.data()) == Error::Ok);
            CHECK(test::same_bits(row, std::span(whole).subspan(3 * T, T)));
        }
    }

    TEST_CASE("layer_weights and then layer give what layer alone gives") {
        const SmallModel small = SmallModel::random(ElementType::F16, 73);
        Computed alone(small);
        Computed parts(small);
        test::write(parts.text, *parts.run);
        REQUIRE(parts.run->begin() == Error::Ok);
        for (std::size_t l = 0; l < small.spec.layers; ++l) {
            REQUIRE(parts.run->layer_weights(l) == Error::Ok);
            CHECK(test::same_bits(parts.read(RunBuffer::Weights, l),
                                  alone.read(RunBuffer::Weights, l)));
            REQUIRE(parts.run->layer_weights(l) == Error::Ok);
            REQUIRE(parts.run->layer(l) == Error::Ok);
            for (const RunBuffer buffer : {RunBuffer::Queries, RunBuffer::Keys, RunBuffer::Values,
                                           RunBuffer::Context, RunBuffer::Weights})
                CHECK(test::same_bits(parts.read(buffer, l), alone.read(buffer, l)));
            CHECK(test::same_bits(parts.read(RunBuffer::Hidden, l + 1),
                                  alone.read(RunBuffer::Hidden, l + 1)));
        }
    }

    TEST_CASE("a run begun again with other ids gives what a new run gives") {
        const SmallModel small = SmallModel::random(ElementType::F32, 74);
        Computed again(small);
        Request other = short_request();
        std::ranges::reverse(other.ids);
        test::write(other, *again.run);
        REQUIRE(test::compute(*again.run, small.spec) == Error::Ok);
        Computed fresh(small, other);
        CHECK(test::same_bits(again.read(RunBuffer::Hidden, 2), fresh.read(RunBuffer::Hidden, 2)));
        CHECK(
            test::same_bits(again.read(RunBuffer::Weights, 1), fresh.read(RunBuffer::Weights, 1)));
    }

    TEST_CASE("a layer computed again with another gain changes the layers after it") {
        const SmallModel small = SmallModel::random(ElementType::F32, 75);
        Request off = short_request();
        off.gains.assign(small.spec.layers * small.spec.heads, 1.0f);
        off.gains[2] = 0.0f;
        Computed fresh(small, off);
        Computed again(small);
        test::write(off, *again.run);
        REQUIRE(again.run->layer(0) == Error::Ok);
        std::vector<float> row(off.tokens());
        CHECK(again.run->weight_rows(1, 0, 0, 1, row.data()) == Error::BadArgument);
        REQUIRE(again.run->layer(1) == Error::Ok);
        CHECK(
            test::same_bits(again.read(RunBuffer::Weights, 1), fresh.read(RunBuffer::Weights, 1)));
        CHECK(test::same_bits(again.read(RunBuffer::Hidden, 2), fresh.read(RunBuffer::Hidden, 2)));
    }

    TEST_CASE("texts of one token and of as many as there are positions") {
        const SmallModel small = SmallModel::random(ElementType::F32, 76);
        for (const std::size_t tokens : {std::size_t{1}, small.spec.positions}) {
            Request request;
            for (std::size_t t = 0; t < tokens; ++t)
                request.ids.push_back(static_cast<std::int32_t>(t * 7 % 40));
            Computed computed(small, request);
            const test::Forward expected = test::forward(small, request);
            CHECK(test::within(computed.read(RunBuffer::Hidden, 2), expected.hidden[2], 1e-4));
            CHECK(test::within(computed.read(RunBuffer::Weights, 1), expected.weights[1], 2e-5));
        }
    }

    TEST_CASE("buffers start with gains, key mask and pattern of 1, and are null where none is") {
        const SmallModel small = SmallModel::random(ElementType::F32, 77);
        const Weights weights(small.spec);
        RunOptions options;
        Run plain(weights, 5, options);
        REQUIRE(plain.valid());
        CHECK(test::read(plain, small.spec, 5, RunBuffer::Gains, 0) == std::vector<float>(8, 1.0f));
        const auto* keys = static_cast<const std::uint8_t*>(plain.address(RunBuffer::KeyMask, 0));
        CHECK(std::all_of(keys, keys + 5, [](std::uint8_t byte) { return byte == 1; }));
        CHECK(plain.address(RunBuffer::Pattern, 0) == nullptr);
        CHECK(plain.address(RunBuffer::Hidden, 2) != nullptr);
        CHECK(plain.address(RunBuffer::Hidden, 3) == nullptr);
        CHECK(plain.address(RunBuffer::Queries, 2) == nullptr);
        CHECK(plain.address(static_cast<RunBuffer>(11), 0) == nullptr);
        CHECK(plain.address(static_cast<RunBuffer>(-1), 0) == nullptr);
        options.pattern = PatternKind::Given;
        Run given(weights, 5, options);
        const auto* cells = static_cast<const std::uint8_t*>(given.address(RunBuffer::Pattern, 0));
        REQUIRE(cells != nullptr);
        CHECK(std::all_of(cells, cells + 25, [](std::uint8_t byte) { return byte == 1; }));
    }

    TEST_CASE("validate of a run: too long, wrong scalars, weights that an algorithm has not") {
        const model::ModelSpec spec = SmallModel::random(ElementType::F32, 78).spec;
        const auto check = [&](std::size_t tokens, auto change) {
            RunOptions options;
            change(options);
            return model::validate(spec, tokens, options);
        };
        const auto nothing = [](RunOptions&) {};
        CHECK(check(1, nothing) == Error::Ok);
        CHECK(check(24, nothing) == Error::Ok);
        CHECK(check(25, nothing) == Error::TooLong);
        CHECK(check(0, nothing) == Error::TooLong);
        CHECK(check(kHuge, nothing) == Error::TooLong);
        for (const float wrong : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity()})
            CHECK(check(3, [&](RunOptions& o) { o.temperature = wrong; }) == Error::BadArgument);
        for (const int wrong : {-1, 5}) {
            CHECK(check(3, [&](RunOptions& o) { o.pattern = static_cast<PatternKind>(wrong); }) ==
                  Error::BadArgument);
            CHECK(check(3, [&](RunOptions& o) { o.algorithm = static_cast<AlgorithmId>(wrong); }) ==
                  Error::BadArgument);
        }
        CHECK(check(3, [](RunOptions& o) { o.algorithm = AlgorithmId::Flash; }) == Error::BadShape);
        CHECK(check(3, [](RunOptions& o) {
                  o.algorithm = AlgorithmId::Flash;
                  o.keep_weights = false;
              }) == Error::Ok);
    }

    TEST_CASE("ids and types outside their tables are refused, wherever they stand") {
        const SmallModel small = SmallModel::random(ElementType::F32, 79);
        Weights weights(small.spec);
        small.load(weights);
        for (const std::int32_t wrong : {-1, 40, std::numeric_limits<std::int32_t>::max(),
                                         std::numeric_limits<std::int32_t>::min()})
            for (std::size_t place = 0; place < 6; ++place)
                for (const bool id : {true, false}) {
                    Request request = short_request();
                    (id ? request.ids : request.types)[place] = wrong;
                    Run run(weights, 6, {});
                    test::write(request, run);
                    CHECK(run.begin() == Error::BadArgument);
                    CHECK(run.layer(0) == Error::BadArgument);
                }
        Request request = short_request();
        request.types[5] = 2;
        Run run(weights, 6, {});
        test::write(request, run);
        CHECK(run.begin() == Error::BadArgument);
    }

    TEST_CASE("what has not arrived is not-loaded; what is there can be computed meanwhile") {
        const SmallModel small = SmallModel::random(ElementType::F32, 80);
        Weights weights(small.spec);
        Run run(weights, 6, {});
        test::write(short_request(), run);
        for (std::size_t role = 0; role < model::kSharedRoles; ++role) {
            CHECK(run.begin() == Error::NotLoaded);
            small.load(weights, static_cast<TensorRole>(role));
        }
        CHECK(run.begin() == Error::Ok);
        for (std::size_t role = model::kSharedRoles; role < model::kRoles; ++role) {
            const bool keys_there = static_cast<TensorRole>(role) > TensorRole::KeyBias;
            CHECK(run.layer_weights(0) == (keys_there ? Error::Ok : Error::NotLoaded));
            CHECK(run.layer(0) == Error::NotLoaded);
            CHECK(run.layer_weights(1) == Error::BadArgument);
            small.load(weights, static_cast<TensorRole>(role), 0);
        }
        CHECK(run.layer(0) == Error::Ok);
        CHECK(run.layer_weights(1) == Error::NotLoaded);
        CHECK(run.layer(1) == Error::NotLoaded);
    }

    TEST_CASE("layers out of turn, rows and heads that are not there are bad arguments") {
        const SmallModel small = SmallModel::random(ElementType::F32, 81);
        Weights weights(small.spec);
        small.load(weights);
        Run run(weights, 6, {});
        test::write(short_request(), run);
        std::vector<float> target(36);
        CHECK(run.layer(0) == Error::BadArgument);
        REQUIRE(run.begin() == Error::Ok);
        CHECK(run.layer(1) == Error::BadArgument);
        CHECK(run.layer_weights(1) == Error::BadArgument);
        CHECK(run.weight_rows(0, 0, 0, 6, target.data()) == Error::BadArgument);
        REQUIRE(run.layer(0) == Error::Ok);
        REQUIRE(run.layer(1) == Error::Ok);
        CHECK(run.layer(2) == Error::BadArgument);
        CHECK(run.layer(kHuge) == Error::BadArgument);
        CHECK(run.weight_rows(0, 0, 0, 6, target.data()) == Error::Ok);
        for (const auto& [layer, head, from, to] :
             std::vector<std::array<std::size_t, 4>>{{2, 0, 0, 1},
                                                     {kHuge, 0, 0, 1},
                                                     {0, 4, 0, 1},
                                                     {0, kHuge, 0, 1},
                                                     {0, 0, 0, 7},
                                                     {0, 0, 3, 2},
                                                     {0, 0, kHuge, kHuge}}) {
            CHECK(run.weight_rows(layer, head, from, to, target.data()) == Error::BadArgument);
            CHECK(run.score_rows(layer, head, from, to, target.data()) == Error::BadArgument);
        }
        REQUIRE(run.begin() == Error::Ok);
        CHECK(run.layer(1) == Error::BadArgument);
    }
}
