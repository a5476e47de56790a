// Small BERT models for tests: the one of tests/golden/models-tiny/bert, or one of random numbers
// in any element type; and the forward pass in double with all interventions, written from the
// definitions (Devlin et al. 2019; Vaswani et al. 2017) apart from the code under test.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/run.hpp"
#include "model/weights.hpp"
#include "support/stored.hpp"

namespace headlights::test {

class SmallModel {
public:
    // F32 tensors from numbers that are asked for by the names of a Hugging Face file.
    [[nodiscard]] static SmallModel from_numbers(
        const model::ModelSpec& spec,
        const std::function<std::vector<float>(const std::string& name)>& numbers_of);

    // Random numbers: 2 layers, 4 heads, width 64; matrices in `type`, vectors in F32.
    [[nodiscard]] static SmallModel random(ElementType type, std::uint64_t seed);

    // The same numbers with every tensor in F32.
    [[nodiscard]] SmallModel decoded() const;

    [[nodiscard]] const Stored& tensor(model::TensorRole role, std::size_t layer = 0) const {
        return tensors_.at({static_cast<int>(role), layer});
    }

    // Writes a tensor, or all of them, into `weights` and declares them ready.
    void load(model::Weights& weights, model::TensorRole role, std::size_t layer = 0) const;
    void load(model::Weights& weights) const;

    model::ModelSpec spec;

private:
    std::map<std::pair<int, std::size_t>, Stored> tensors_;
};

// tests/golden/models-tiny/bert: 2 layers, 4 heads, width 48.
[[nodiscard]] SmallModel golden_bert();

// Rows and columns of a tensor; 1 row for vectors.
[[nodiscard]] std::pair<std::size_t, std::size_t> size_of(const model::ModelSpec& spec,
                                                          model::TensorRole role);

// A text and what is to be done with it. Empty arrays are what a run starts with.
struct Request {
    std::vector<std::int32_t> ids, types;
    model::RunOptions options;
    std::vector<float> gains;            // [L, H]
    std::vector<std::uint8_t> key_mask;  // [T]
    std::vector<std::uint8_t> pattern;   // [T, T]

    [[nodiscard]] std::size_t tokens() const noexcept { return ids.size(); }
};

// Copies the request's arrays into a run of the same number of tokens.
void write(const Request& request, model::Run& run);

// begin() and every layer; the first error, if any.
[[nodiscard]] Error compute(model::Run& run, const model::ModelSpec& spec);

// A buffer of a run, copied. Weights are empty if the run keeps none.
[[nodiscard]] std::vector<float> read(model::Run& run, const model::ModelSpec& spec,
                                      std::size_t tokens, model::RunBuffer buffer,
                                      std::size_t layer);

// The forward pass in double; laid out as the buffers of a run.
struct Forward {
    std::vector<std::vector<double>> hidden;                          // [L + 1][T, d]
    std::vector<std::vector<double>> queries, keys, values, context;  // [L][T, d]
    std::vector<std::vector<double>> scores, weights;                 // [L][H, T, T]
};

[[nodiscard]] Forward forward(const SmallModel& model, const Request& request);

}  // namespace headlights::test
