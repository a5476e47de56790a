// What distinguishes one model of the family from another: sizes and constants, no weights.
// The family so far: BERT encoders (Devlin et al. 2019, arXiv 1810.04805): learned positions,
// segment embeddings, LayerNorm after each residual sum, exact GELU, biases everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"

namespace headlights::model {

struct ModelSpec {
    std::size_t layers = 0;        // L
    std::size_t heads = 0;         // H
    std::size_t width = 0;         // d, a multiple of H
    std::size_t feed_forward = 0;  // width of the feed-forward block's inside
    std::size_t vocabulary = 0;
    std::size_t positions = 0;  // most tokens of a run
    std::size_t types = 0;      // segments
    float epsilon = 0.0f;       // of every LayerNorm

    [[nodiscard]] std::size_t head_size() const noexcept { return width / heads; }
};

// Ok, BadShape (a size of 0 or above 2^20, width not a multiple of heads, above 1,024 layers or
// heads), BadArgument (epsilon not in (0, 1)).
[[nodiscard]] Error validate(const ModelSpec& spec) noexcept;

}  // namespace headlights::model
