#include "model/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "attention/additions.hpp"
#include "attention/steps.hpp"
#include "core/checked.hpp"
#include "kernels/activation.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/softmax.hpp"

namespace headlights::model {

using attention::PatternKind;

Error validate(const ModelSpec& spec, std::size_t tokens, const RunOptions& options) noexcept {
    const auto pattern = static_cast<std::int32_t>(options.pattern);
    const auto algorithm = static_cast<std::size_t>(options.algorithm);
    if (tokens == 0 || tokens > spec.positions) return Error::TooLong;
    if (!std::isfinite(options.temperature) || options.temperature <= 0.0f)
        return Error::BadArgument;
    if (pattern < 0 || pattern > static_cast<std::int32_t>(PatternKind::Given))
        return Error::BadArgument;
    if (algorithm >= attention::kAlgorithms.size()) return Error::BadArgument;
    if (options.keep_weights && !attention::algorithm(options.algorithm).keeps_weights)
        return Error::BadShape;
    const std::size_t d = std::max(spec.width, spec.feed_forward);
    if (!checked_product({spec.heads, tokens, tokens, sizeof(float)}) ||
        !checked_product({tokens, d, sizeof(float)}))
        return Error::OutOfMemory;
    return Error::Ok;
}

Run::Run(const Weights& weights, std::size_t tokens, const RunOptions& options)
    : weights_(weights),
      spec_(weights.spec()),
      T_(tokens),
      options_(options),
      ids_(tokens),
      type_ids_(tokens),
      gains_(spec_.layers * spec_.heads),
      key_mask_(tokens),
      pattern_(options.pattern == PatternKind::Given ? tokens * tokens : 0) {
    const std::size_t numbers = T_ * spec_.width;
    const attention::Shape shape{spec_.heads, spec_.heads,       T_,
                                 T_,          spec_.head_size(), spec_.head_size()};
    hidden_.reserve(spec_.layers + 1);
    for (std::size_t l = 0; l <= spec_.layers; ++l) hidden_.emplace_back(numbers);
    layers_.resize(spec_.layers);
    for (Layer& layer : layers_) {
        for (AlignedBuffer<float>* buffer :
             {&layer.queries, &layer.keys, &layer.values, &layer.context})
            *buffer = AlignedBuffer<float>(numbers);
        if (options_.keep_weights) layer.weights = AlignedBuffer<float>(spec_.heads * T_ * T_);
    }
    gained_ = AlignedBuffer<float>(numbers);
    attended_ = AlignedBuffer<float>(numbers);
    inner_ = AlignedBuffer<float>(T_ * spec_.feed_forward);
    workspace_ = AlignedBuffer<float>(
        std::max(attention::algorithm(options_.algorithm).workspace(shape),
                 kernels::gemm_workspace(std::max(spec_.width, spec_.feed_forward))));
    if (!valid()) return;
    std::ranges::fill(gains_.span(), 1.0f);
    std::ranges::fill(key_mask_.span(), std::uint8_t{1});
    std::ranges::fill(pattern_.span(), std::uint8_t{1});
}

bool Run::valid() const noexcept {
    const auto all = [](const auto&... buffers) { return (buffers.valid() && ...); };
    return all(ids_, type_ids_, gains_, key_mask_, pattern_, gained_, attended_, inner_,
               workspace_) &&
           std::ranges::all_of(hidden_, [](const auto& buffer) { return buffer.valid(); }) &&
           std::ranges::all_of(layers_, [&](const Layer& layer) {
               return all(layer.queries, layer.keys, layer.values, layer.context, layer.weights);
           });
}

void* Run::address(RunBuffer buffer, std::size_t layer) noexcept {
    switch (buffer) {
    case RunBuffer::Ids: return ids_.data();
    case RunBuffer::TypeIds: return type_ids_.data();
    case RunBuffer::Gains: return gains_.data();
    case RunBuffer::KeyMask: return key_mask_.data();
    case RunBuffer::Pattern: return pattern_.data();
    case RunBuffer::Hidden: return layer < hidden_.size() ? hidden_[layer].data() : nullptr;
    default: break;
    }
    if (layer >= layers_.size()) return nullptr;
    switch (buffer) {
    case RunBuffer::Queries: return layers_[layer].queries.data();
    case RunBuffer::Keys: return layers_[layer].keys.data();
    case RunBuffer::Values: return layers_[layer].values.data();
    case RunBuffer::Context: return layers_[layer].context.data();
    case RunBuffer::Weights: return layers_[layer].weights.data();
    default: return nullptr;
    }
}

MatrixView Run::rows(const AlignedBuffer<float>& buffer) const noexcept {
    return dense(buffer.data(), T_, spec_.width);
}

bool Run::same_inputs(const Run& other) const noexcept {
    const auto same = [](const auto& a, const auto& b) {
        return std::ranges::equal(a.span(), b.span());
    };
    return &weights_ == &other.weights_ && T_ == other.T_ && options_ == other.options_ &&
           same(ids_, other.ids_) && same(type_ids_, other.type_ids_) &&
           same(key_mask_, other.key_mask_) && same(pattern_, other.pattern_);
}

std::size_t Run::reuse(const Run& other) noexcept {
    if (!same_inputs(other) || other.hidden_ready_ == 0) return 0;
    const auto gains_of = [&](const Run& run, std::size_t layer) {
        return run.gains_.span().subspan(layer * spec_.heads, spec_.heads);
    };
    std::size_t layers = 0;
    while (layers + 1 < other.hidden_ready_ &&
           std::ranges::equal(gains_of(*this, layers), gains_of(other, layers)))
        ++layers;
    if (layers == 0) return 0;
    const auto copy = [](const AlignedBuffer<float>& from, AlignedBuffer<float>& to) {
        std::ranges::copy(from.span(), to.span().begin());
    };
    for (std::size_t l = 0; l <= layers; ++l) copy(other.hidden_[l], hidden_[l]);
    for (std::size_t l = 0; l < spec_.layers; ++l) {
        const Layer& from = other.layers_[l];
        Layer& to = layers_[l];
        to.has_weights = l < layers;
        if (l >= layers) continue;
        copy(from.queries, to.queries);
        copy(from.keys, to.keys);
        copy(from.values, to.values);
        copy(from.context, to.context);
        copy(from.weights, to.weights);
    }
    hidden_ready_ = layers + 1;
    return layers;
}

Error Run::begin() noexcept {
    if (!weights_.embeddings_ready()) return Error::NotLoaded;
    for (std::size_t t = 0; t < T_; ++t) {
        const auto id = static_cast<std::size_t>(ids_.data()[t]);
        const auto type = static_cast<std::size_t>(type_ids_.data()[t]);
        if (ids_.data()[t] < 0 || id >= spec_.vocabulary) return Error::BadArgument;
        if (type_ids_.data()[t] < 0 || type >= spec_.types) return Error::BadArgument;
    }
    const MatrixView hidden = rows(hidden_[0]);
    float* part = workspace_.data();
    for (std::size_t t = 0; t < T_; ++t) {
        const auto id = static_cast<std::size_t>(ids_.data()[t]);
        const auto type = static_cast<std::size_t>(type_ids_.data()[t]);
        kernels::decode_row(weights_.matrix(TensorRole::WordEmbedding), id, hidden.row(t));
        kernels::decode_row(weights_.matrix(TensorRole::TypeEmbedding), type, part);
        kernels::add(hidden.row(t), part, spec_.width);
        if (!options_.positions) continue;
        kernels::decode_row(weights_.matrix(TensorRole::PositionEmbedding), t, part);
        kernels::add(hidden.row(t), part, spec_.width);
    }
    kernels::layer_norm(hidden, weights_.vector(TensorRole::EmbeddingNormWeight),
                        weights_.vector(TensorRole::EmbeddingNormBias), spec_.epsilon, hidden);
    hidden_ready_ = 1;
    for (Layer& layer : layers_) layer.has_weights = false;
    return Error::Ok;
}

void Run::project(const AlignedBuffer<float>& input, TensorRole weight, TensorRole bias,
                  std::size_t layer, MatrixView output) noexcept {
    kernels::gemm_stored(rows(input), weights_.matrix(weight, layer), weights_.vector(bias, layer),
                         output, workspace_.data());
}

attention::Mask Run::mask() const noexcept {
    const auto masks_something = [](const AlignedBuffer<std::uint8_t>& bytes) {
        return std::ranges::find(bytes.span(), std::uint8_t{0}) != bytes.span().end();
    };
    attention::Mask mask{options_.pattern, options_.radius, nullptr, nullptr};
    if (options_.pattern == PatternKind::Given) {
        if (masks_something(pattern_))
            mask.given = pattern_.data();
        else
            mask.kind = PatternKind::None;
    }
    if (masks_something(key_mask_)) mask.key_mask = key_mask_.data();
    return mask;
}

attention::Problem Run::problem(std::size_t layer) const noexcept {
    const std::size_t dk = spec_.head_size();
    const auto heads = [&](const AlignedBuffer<float>& buffer) {
        return attention::HeadsView<const float>{buffer.data(), dk, spec_.width};
    };
    const Layer& kept = layers_[layer];
    const float scale = 1.0f / std::sqrt(static_cast<float>(dk)) / options_.temperature;
    return {{spec_.heads, spec_.heads, T_, T_, dk, dk},
            heads(kept.queries),
            heads(kept.keys),
            heads(kept.values),
            scale,
            mask()};
}

void Run::project_queries_and_keys(std::size_t layer) noexcept {
    const AlignedBuffer<float>& input = hidden_[layer];
    Layer& kept = layers_[layer];
    project(input, TensorRole::QueryWeight, TensorRole::QueryBias, layer, rows(kept.queries));
    project(input, TensorRole::KeyWeight, TensorRole::KeyBias, layer, rows(kept.keys));
}

Error Run::layer_weights(std::size_t layer) noexcept {
    if (layer >= spec_.layers || layer >= hidden_ready_) return Error::BadArgument;
    Layer& kept = layers_[layer];
    if (kept.has_weights) return Error::Ok;
    if (!weights_.layer_ready(layer, /*all=*/false)) return Error::NotLoaded;
    project_queries_and_keys(layer);
    if (options_.keep_weights)
        for (std::size_t h = 0; h < spec_.heads; ++h)
            attention::explained_weight_rows(problem(layer), h, 0, T_,
                                             kept.weights.data() + h * T_ * T_);
    kept.has_weights = true;
    return Error::Ok;
}

void Run::apply_gains(std::size_t layer) noexcept {
    std::memcpy(gained_.data(), layers_[layer].context.data(), gained_.size() * sizeof(float));
    for (std::size_t t = 0; t < T_; ++t) apply_gains(layer, rows(gained_).row(t));
}

void Run::apply_gains(std::size_t layer, float* context) const noexcept {
    const std::size_t dk = spec_.head_size();
    for (std::size_t h = 0; h < spec_.heads; ++h) {
        const float gain = gains_.data()[layer * spec_.heads + h];
        if (gain != 1.0f) kernels::multiply(context + h * dk, dk, gain);
    }
}

void Run::feed_forward(std::size_t layer, ConstMatrixView attended) noexcept {
    const MatrixView inner = dense(inner_.data(), T_, spec_.feed_forward);
    const MatrixView output = rows(hidden_[layer + 1]);
    project(attended_, TensorRole::UpWeight, TensorRole::UpBias, layer, inner);
    kernels::gelu(inner.data, T_ * spec_.feed_forward);
    kernels::gemm_stored(inner, weights_.matrix(TensorRole::DownWeight, layer),
                         weights_.vector(TensorRole::DownBias, layer), output, workspace_.data());
    kernels::add(output.data, attended.data, T_ * spec_.width);
    kernels::layer_norm(output, weights_.vector(TensorRole::LayerNormWeight, layer),
                        weights_.vector(TensorRole::LayerNormBias, layer), spec_.epsilon, output);
}

Error Run::layer(std::size_t layer) noexcept {
    // Where more than the queries and keys is missing, these and the weights are computed still.
    if (!weights_.layer_ready(layer, /*all=*/true)) {
        const Error error = layer_weights(layer);
        return error == Error::Ok ? Error::NotLoaded : error;
    }
    if (layer >= spec_.layers || layer >= hidden_ready_) return Error::BadArgument;
    Layer& kept = layers_[layer];
    if (!kept.has_weights) project_queries_and_keys(layer);
    project(hidden_[layer], TensorRole::ValueWeight, TensorRole::ValueBias, layer,
            rows(kept.values));
    const attention::Result result{nullptr,
                                   options_.keep_weights ? kept.weights.data() : nullptr,
                                   {kept.context.data(), spec_.head_size(), spec_.width}};
    attention::algorithm(options_.algorithm).run(problem(layer), result, workspace_.data());
    kept.has_weights = true;
    apply_gains(layer);
    const MatrixView attended = rows(attended_);
    project(gained_, TensorRole::OutputWeight, TensorRole::OutputBias, layer, attended);
    kernels::add(attended.data, hidden_[layer].data(), T_ * spec_.width);
    kernels::layer_norm(attended, weights_.vector(TensorRole::AttentionNormWeight, layer),
                        weights_.vector(TensorRole::AttentionNormBias, layer), spec_.epsilon,
                        attended);
    feed_forward(layer, attended);
    // What later layers hold came from another input if this one was computed before.
    hidden_ready_ = layer + 2;
    for (std::size_t later = layer + 1; later < spec_.layers; ++later)
        layers_[later].has_weights = false;
    return Error::Ok;
}

Error Run::check_rows(std::size_t layer, std::size_t head, std::size_t from,
                      std::size_t to) const noexcept {
    const bool there = layer < spec_.layers && head < spec_.heads && from <= to && to <= T_;
    return there && layers_[layer].has_weights ? Error::Ok : Error::BadArgument;
}

Error Run::score_rows(std::size_t layer, std::size_t head, std::size_t from, std::size_t to,
                      float* target) const noexcept {
    if (const Error error = check_rows(layer, head, from, to); error != Error::Ok) return error;
    attention::explained_score_rows(problem(layer), head, from, to, target);
    return Error::Ok;
}

Error Run::weight_rows(std::size_t layer, std::size_t head, std::size_t from, std::size_t to,
                       float* target) const noexcept {
    if (const Error error = check_rows(layer, head, from, to); error != Error::Ok) return error;
    attention::explained_weight_rows(problem(layer), head, from, to, target);
    return Error::Ok;
}

Error Run::steps(std::size_t layer, std::size_t head, std::size_t i, std::size_t j,
                 float* target) const noexcept {
    if (const Error error = check_rows(layer, head, i, i + 1); error != Error::Ok) return error;
    if (j >= T_ || layer + 1 >= hidden_ready_) return Error::BadArgument;
    const attention::Problem whole = problem(layer);
    attention::steps(whole, head, i, j, attention::steps_at(whole.shape, target));
    return Error::Ok;
}

Error Run::additions(std::size_t layer, std::size_t i, float* target) noexcept {
    if (layer + 1 >= hidden_ready_ || i >= T_) return Error::BadArgument;
    const std::size_t H = spec_.heads;
    const std::size_t d = spec_.width;
    const attention::Additions additions = attention::additions_at(H + 1, d, target);
    const MatrixView x = dense(target + attention::additions_size(H + 1, d, d), H, d);
    std::memcpy(additions.concat, rows(layers_[layer].context).row(i), d * sizeof(float));
    apply_gains(layer, additions.concat);
    attention::spread_contexts(additions.concat, H, spec_.head_size(), x);
    kernels::gemm_stored(x, weights_.matrix(TensorRole::OutputWeight, layer), nullptr,
                         dense(additions.parts, H, d), workspace_.data());
    std::memcpy(additions.parts + H * d, weights_.vector(TensorRole::OutputBias, layer),
                d * sizeof(float));
    attention::complete(additions, H + 1, d, rows(hidden_[layer]).row(i), d);
    return Error::Ok;
}

}  // namespace headlights::model
