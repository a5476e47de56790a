// One forward pass of an encoder over one text, layer by layer, keeping what a reader may look at
// (the taps) and obeying interventions. All memory is taken by the constructor; begin() and layer()
// allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/algorithms.hpp"
#include "core/aligned_buffer.hpp"
#include "model/weights.hpp"

namespace headlights::model {

struct RunOptions {
    attention::PatternKind pattern = attention::PatternKind::None;
    std::size_t radius = 0;    // of the windows, in tokens
    float temperature = 1.0f;  // divides the scores, > 0
    bool positions = true;     // false leaves the learned positions out
    attention::AlgorithmId algorithm = attention::AlgorithmId::Explained;
    bool keep_weights = true;  // false: weights are recomputed row by row on request

    bool operator==(const RunOptions&) const = default;
};

// Ok, TooLong (more tokens than positions, or none), BadArgument (temperature, pattern or
// algorithm), BadShape (weights asked from an algorithm that has none), OutOfMemory (sizes
// overflow).
[[nodiscard]] Error validate(const ModelSpec& spec, std::size_t tokens,
                             const RunOptions& options) noexcept;

// JavaScript knows the same list by position.
enum class RunBuffer : std::int32_t {
    Ids,
    TypeIds,
    Gains,    // [L, H], multiplies a head's context before the output projection
    KeyMask,  // [T], 1 = may be looked at
    Pattern,  // [T, T], 1 = may look; read for PatternKind::Given
    Hidden,   // layer 0..L: [T, d]
    Queries,  // layer 0..L-1: [T, d], head h in columns h dk .. (h + 1) dk
    Keys,
    Values,
    Context,  // before gains and output projection
    Weights,  // [H, T, T]
};

class Run {
public:
    // `weights` must outlive the run; tokens and options must be valid. Check valid() before use.
    Run(const Weights& weights, std::size_t tokens, const RunOptions& options);

    [[nodiscard]] bool valid() const noexcept;

    // First byte of a buffer, null if there is none such.
    [[nodiscard]] void* address(RunBuffer buffer, std::size_t layer) noexcept;

    // Takes the layers of another run that this one would compute to the same bits: those before
    // the first whose gains differ, if the other run reads the same weights and its tokens, options
    // and masks are the same. Returns how many; 0 where there is nothing to take. Then begin() is
    // not needed. Both runs' inputs must be written before.
    [[nodiscard]] std::size_t reuse(const Run& other) noexcept;

    // Embeddings into hidden 0. NotLoaded, or BadArgument for an id outside its table.
    [[nodiscard]] Error begin() noexcept;

    // Queries, keys and weights of a layer whose input is there. NotLoaded; BadArgument for a layer
    // out of turn.
    [[nodiscard]] Error layer_weights(std::size_t layer) noexcept;

    // The whole layer: the above, values, context, hidden layer + 1. Computed again (after gains or
    // masks were changed) it makes the layers after it out of turn until they are computed again.
    [[nodiscard]] Error layer(std::size_t layer) noexcept;

    // Rows [from, to) of one head, recomputed into target [(to - from), T] from kept queries and
    // keys: equal to what the pass computed. BadArgument for rows, head or layer that are not
    // there.
    [[nodiscard]] Error score_rows(std::size_t layer, std::size_t head, std::size_t from,
                                   std::size_t to, float* target) const noexcept;
    [[nodiscard]] Error weight_rows(std::size_t layer, std::size_t head, std::size_t from,
                                    std::size_t to, float* target) const noexcept;

    // One head's row i taken apart against key j, into attention::steps_size() numbers of target;
    // the layer must have been computed whole. BadArgument otherwise.
    [[nodiscard]] Error steps(std::size_t layer, std::size_t head, std::size_t i, std::size_t j,
                              float* target) const noexcept;

    // What each head of a computed layer, after its gain, and the output projection's bias add to
    // token i: N = H + 1 parts into the first attention::additions_size(H + 1, d, d) numbers of
    // target, whose rest, H d numbers, is scratch. BadArgument for a layer or token that is not
    // there.
    [[nodiscard]] Error additions(std::size_t layer, std::size_t i, float* target) noexcept;

private:
    struct Layer {
        AlignedBuffer<float> queries, keys, values, context, weights;
        bool has_weights = false;  // queries, keys and weights are computed
    };

    [[nodiscard]] MatrixView rows(const AlignedBuffer<float>& buffer) const noexcept;
    void project(const AlignedBuffer<float>& input, TensorRole weight, TensorRole bias,
                 std::size_t layer, MatrixView output) noexcept;
    void project_queries_and_keys(std::size_t layer) noexcept;
    void apply_gains(std::size_t layer) noexcept;
    void apply_gains(std::size_t layer, float* context) const noexcept;  // one token's [d]
    void feed_forward(std::size_t layer, ConstMatrixView attended) noexcept;
    [[nodiscard]] bool same_inputs(const Run& other) const noexcept;
    [[nodiscard]] attention::Mask mask() const noexcept;
    [[nodiscard]] attention::Problem problem(std::size_t layer) const noexcept;
    [[nodiscard]] Error check_rows(std::size_t layer, std::size_t head, std::size_t from,
                                   std::size_t to) const noexcept;

    const Weights& weights_;
    ModelSpec spec_;
    std::size_t T_;
    RunOptions options_;
    std::size_t hidden_ready_ = 0;  // hidden 0 .. hidden_ready_ - 1 are there

    AlignedBuffer<std::int32_t> ids_, type_ids_;
    AlignedBuffer<float> gains_;
    AlignedBuffer<std::uint8_t> key_mask_, pattern_;
    std::vector<AlignedBuffer<float>> hidden_;
    std::vector<Layer> layers_;

    AlignedBuffer<float> gained_, attended_, inner_, workspace_;
};

}  // namespace headlights::model
