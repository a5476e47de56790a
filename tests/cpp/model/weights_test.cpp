#include "model/weights.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/aligned_buffer.hpp"
#include "support/small_model.hpp"

using namespace headlights;
using model::ModelSpec;
using model::TensorRole;
using model::Weights;
using test::SmallModel;

namespace {

constexpr ModelSpec kSpec{2, 4, 64, 96, 40, 24, 2, 1e-12f};

bool has_role_a_layer(std::size_t role) { return role >= model::kSharedRoles; }

}  // namespace

TEST_SUITE("model") {
    TEST_CASE("a spec with a size of 0, one too large, or sizes that do not fit is refused") {
        CHECK(model::validate(kSpec) == Error::Ok);
        std::size_t ModelSpec::*const sizes[] = {&ModelSpec::layers,     &ModelSpec::heads,
                                                 &ModelSpec::width,      &ModelSpec::feed_forward,
                                                 &ModelSpec::vocabulary, &ModelSpec::positions,
                                                 &ModelSpec::types};
        for (std::size_t ModelSpec::*const size : sizes)
            for (const std::size_t wrong : {std::size_t{0}, (std::size_t{1} << 20) + 4,
                                            std::numeric_limits<std::size_t>::max()}) {
                ModelSpec spec = kSpec;
                spec.*size = wrong;
                CHECK(model::validate(spec) == Error::BadShape);
            }
        ModelSpec uneven = kSpec;
        uneven.heads = 5;
        CHECK(model::validate(uneven) == Error::BadShape);
        ModelSpec many = kSpec;
        many.layers = 1025;
        CHECK(model::validate(many) == Error::BadShape);
        many = kSpec;
        many.heads = 2048;
        many.width = 2048;
        CHECK(model::validate(many) == Error::BadShape);
    }

    TEST_CASE("a spec's epsilon must lie between 0 and 1") {
        for (const float epsilon : {0.0f, -1e-5f, 1.0f, std::numeric_limits<float>::quiet_NaN(),
                                    std::numeric_limits<float>::infinity()}) {
            ModelSpec spec = kSpec;
            spec.epsilon = epsilon;
            CHECK(model::validate(spec) == Error::BadArgument);
        }
    }

    TEST_CASE("byte_length: rows times row bytes in every type that fits, else 0") {
        const Weights weights(kSpec);
        for (std::size_t index = 0; index < model::kRoles; ++index) {
            const auto role = static_cast<TensorRole>(index);
            const auto [rows, columns] = test::size_of(kSpec, role);
            CHECK(weights.byte_length(role, ElementType::F32) == rows * columns * 4);
            const bool vector = rows == 1;
            CHECK(weights.byte_length(role, ElementType::F16) == (vector ? 0 : rows * columns * 2));
            CHECK(weights.byte_length(role, ElementType::BF16) ==
                  (vector ? 0 : rows * columns * 2));
            CHECK(weights.byte_length(role, ElementType::Q8_0) ==
                  (vector ? 0 : rows * columns / 32 * 34));
            CHECK(weights.byte_length(role, static_cast<ElementType>(4)) == 0);
            CHECK(weights.byte_length(role, static_cast<ElementType>(-1)) == 0);
        }
        CHECK(weights.byte_length(static_cast<TensorRole>(21), ElementType::F32) == 0);
        CHECK(weights.byte_length(static_cast<TensorRole>(-1), ElementType::F32) == 0);
        ModelSpec odd = kSpec;
        odd.width = 48;
        CHECK(Weights(odd).byte_length(TensorRole::QueryWeight, ElementType::Q8_0) == 0);
        CHECK(Weights(odd).byte_length(TensorRole::DownWeight, ElementType::Q8_0) == 48 * 3 * 34);
    }

    TEST_CASE("allocate gives zeroed memory once, other memory for another type, null if none") {
        const std::size_t before = bytes_in_use();
        {
            Weights weights(kSpec);
            CHECK(weights.memory() == 0);
            unsigned char* first = weights.allocate(TensorRole::KeyWeight, 1, ElementType::F16);
            REQUIRE(first != nullptr);
            CHECK(std::all_of(first, first + 64 * 64 * 2, [](auto byte) { return byte == 0; }));
            first[5] = 7;
            CHECK(weights.allocate(TensorRole::KeyWeight, 1, ElementType::F16) == first);
            CHECK(first[5] == 7);
            CHECK(weights.memory() == 64 * 64 * 2);
            // BF16 takes as many bytes, but what stood there means something else.
            unsigned char* second = weights.allocate(TensorRole::KeyWeight, 1, ElementType::BF16);
            REQUIRE(second != nullptr);
            CHECK(second[5] == 0);
            CHECK(weights.memory() == 64 * 64 * 2);
            CHECK(weights.allocate(TensorRole::KeyWeight, 2, ElementType::F32) == nullptr);
            CHECK(weights.allocate(TensorRole::KeyBias, 0, ElementType::F16) == nullptr);
            CHECK(weights.allocate(static_cast<TensorRole>(99), 0, ElementType::F32) == nullptr);
            CHECK(bytes_in_use() == before + weights.memory());
        }
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("a layer is ready for its weights with queries and keys, for all with every tensor") {
        const SmallModel small = SmallModel::random(ElementType::F32, 1);
        Weights weights(small.spec);
        for (std::size_t index = 0; index < model::kRoles; ++index) {
            const auto role = static_cast<TensorRole>(index);
            CHECK(weights.embeddings_ready() == has_role_a_layer(index));
            CHECK(weights.layer_ready(1, /*all=*/false) == (role > TensorRole::KeyBias));
            CHECK_FALSE(weights.layer_ready(1, /*all=*/true));
            small.load(weights, role, has_role_a_layer(index) ? 1 : 0);
        }
        CHECK(weights.layer_ready(1, /*all=*/true));
        CHECK_FALSE(weights.layer_ready(0, /*all=*/false));
        CHECK_FALSE(weights.layer_ready(2, /*all=*/false));
    }

    TEST_CASE("a tensor without memory cannot be ready, and a new type makes it not ready") {
        const SmallModel small = SmallModel::random(ElementType::F32, 2);
        Weights weights(small.spec);
        for (std::size_t index = 0; index < model::kSharedRoles; ++index)
            weights.set_ready(static_cast<TensorRole>(index), 0);
        weights.set_ready(static_cast<TensorRole>(99), 0);
        CHECK_FALSE(weights.embeddings_ready());
        small.load(weights);
        CHECK(weights.embeddings_ready());
        CHECK(weights.allocate(TensorRole::WordEmbedding, 0, ElementType::F16) != nullptr);
        CHECK_FALSE(weights.embeddings_ready());
    }

    TEST_CASE("count_non_finite looks at the rows asked for and no others") {
        SmallModel small = SmallModel::random(ElementType::F32, 3);
        Weights weights(small.spec);
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 0, 40) == 0);
        small.load(weights);
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 0, 40) == 0);
        auto* numbers = reinterpret_cast<float*>(
            weights.allocate(TensorRole::WordEmbedding, 0, ElementType::F32));
        numbers[7 * 64 + 63] = std::numeric_limits<float>::quiet_NaN();
        numbers[39 * 64] = std::numeric_limits<float>::infinity();
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 0, 40) == 2);
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 0, 1000) == 2);
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 7, 8) == 1);
        CHECK(weights.count_non_finite(TensorRole::WordEmbedding, 0, 8, 39) == 0);
        CHECK(weights.count_non_finite(TensorRole::QueryBias, 1, 0, 1) == 0);
        CHECK(weights.count_non_finite(TensorRole::QueryBias, 2, 0, 1) == 0);
    }
}
