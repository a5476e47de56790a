// Memory: nothing is taken while computing, everything is given back.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "model/run.hpp"
#include "support/allocations.hpp"
#include "support/effort.hpp"
#include "support/small_model.hpp"

using namespace headlights;
using attention::AlgorithmId;
using test::Request;
using test::SmallModel;

namespace {

Request long_request() {
    Request request;
    for (int t = 0; t < 24; ++t) request.ids.push_back(t);
    request.key_mask.assign(24, 1);
    request.key_mask[3] = 0;
    return request;
}

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("the counter counts") {
        const std::size_t before = test::allocations();
        const auto number = std::make_unique<int>(1);
        CHECK(test::allocations() > before);
        const std::size_t between = test::allocations();
        const AlignedBuffer<float> buffer(10);
        CHECK(test::allocations() > between);
        CHECK(*number == 1);
    }

    TEST_CASE("begin, layer, layer_weights and the row functions allocate nothing") {
        for (const ElementType type : test::kElementTypes)
            for (std::size_t id = 0; id < attention::kAlgorithms.size(); ++id) {
                INFO(test::name_of(type), ", ", attention::kAlgorithms[id].name);
                const SmallModel small = SmallModel::random(type, 90);
                model::Weights weights(small.spec);
                small.load(weights);
                Request request = long_request();
                request.options.algorithm = static_cast<AlgorithmId>(id);
                request.options.keep_weights = attention::kAlgorithms[id].keeps_weights;
                model::Run run(weights, request.tokens(), request.options);
                test::write(request, run);
                std::vector<float> rows(request.tokens() * request.tokens());

                const std::size_t calls = test::allocations();
                const std::size_t bytes = bytes_in_use();
                Error error = run.begin();
                for (std::size_t l = 0; l < small.spec.layers && error == Error::Ok; ++l) {
                    error = run.layer_weights(l);
                    if (error == Error::Ok) error = run.layer(l);
                    if (error == Error::Ok) error = run.score_rows(l, 1, 0, 24, rows.data());
                    if (error == Error::Ok) error = run.weight_rows(l, 1, 0, 24, rows.data());
                }
                const std::size_t calls_after = test::allocations();
                CHECK(error == Error::Ok);
                CHECK(calls_after == calls);
                CHECK(bytes_in_use() == bytes);
            }
    }

    TEST_CASE("memory in use is the same after each of 100 runs, and after the model is gone") {
        const std::size_t before = bytes_in_use();
        {
            const SmallModel small = SmallModel::random(ElementType::Q8_0, 91);
            model::Weights weights(small.spec);
            small.load(weights);
            const std::size_t loaded = bytes_in_use();
            CHECK(loaded == before + weights.memory());
            for (int round = 0; round < 100; ++round) {
                Request request = long_request();
                request.ids.resize(
                    static_cast<std::size_t>(1 + round % (test::kThorough ? 24 : 4)));
                request.key_mask.clear();
                {
                    model::Run run(weights, request.tokens(), request.options);
                    test::write(request, run);
                    REQUIRE(test::compute(run, small.spec) == Error::Ok);
                    CHECK(bytes_in_use() > loaded);
                }
                CHECK(bytes_in_use() == loaded);
            }
        }
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("loading a model again and again takes no more memory") {
        const std::size_t before = bytes_in_use();
        for (int round = 0; round < 5; ++round) {
            const SmallModel small = SmallModel::random(ElementType::F16, 92);
            model::Weights weights(small.spec);
            small.load(weights);
            small.load(weights);
            small.decoded().load(weights);
            CHECK(bytes_in_use() == before + weights.memory());
        }
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("a run is invalid whichever of its allocations fails, and gives all of it back") {
        const SmallModel small = SmallModel::random(ElementType::F32, 93);
        const model::Weights weights(small.spec);
        model::RunOptions options;
        options.pattern = attention::PatternKind::Given;
        const std::size_t before = bytes_in_use();
        std::size_t place = 0;
        for (bool happened = true; happened; ++place) {
            const test::FailingAllocation failing(place);
            const model::Run run(weights, 7, options);
            happened = failing.happened();
            CHECK(run.valid() == !happened);
        }
        // 5 arrays of the request, 3 hidden, 2 layers of 5, 4 of work; then none failed.
        CHECK(place == 5 + 3 + 2 * 5 + 4 + 1);
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("a tensor whose memory cannot be had is null, and can be asked for again") {
        const SmallModel small = SmallModel::random(ElementType::F32, 94);
        model::Weights weights(small.spec);
        {
            const test::FailingAllocation failing(0);
            CHECK(weights.allocate(model::TensorRole::KeyWeight, 0, ElementType::F32) == nullptr);
        }
        CHECK(weights.memory() == 0);
        weights.set_ready(model::TensorRole::KeyWeight, 0);
        CHECK(weights.allocate(model::TensorRole::KeyWeight, 0, ElementType::F32) != nullptr);
    }
}
