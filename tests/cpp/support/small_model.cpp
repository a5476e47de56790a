#include "support/small_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlights::test {

using attention::PatternKind;
using model::ModelSpec;
using model::RunBuffer;
using model::TensorRole;
using Doubles = std::vector<double>;

namespace {

// Names of the tensors in a BERT file, by role.
constexpr const char* kNames[] = {
    "embeddings.word_embeddings.weight",
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "embeddings.LayerNorm.weight",
    "embeddings.LayerNorm.bias",
    "attention.self.query.weight",
    "attention.self.query.bias",
    "attention.self.key.weight",
    "attention.self.key.bias",
    "attention.self.value.weight",
    "attention.self.value.bias",
    "attention.output.dense.weight",
    "attention.output.dense.bias",
    "attention.output.LayerNorm.weight",
    "attention.output.LayerNorm.bias",
    "intermediate.dense.weight",
    "intermediate.dense.bias",
    "output.dense.weight",
    "output.dense.bias",
    "output.LayerNorm.weight",
    "output.LayerNorm.bias",
};
static_assert(std::size(kNames) == model::kRoles);

std::size_t layers_of(const ModelSpec& spec, std::size_t role) {
    return role < model::kSharedRoles ? 1 : spec.layers;
}

Stored in_f32(std::size_t rows, std::size_t columns, const std::vector<float>& numbers) {
    Stored stored{ElementType::F32, rows, columns, {}, 0};
    stored.bytes.resize(numbers.size() * sizeof(float));
    std::memcpy(stored.bytes.data(), numbers.data(), stored.bytes.size());
    return stored;
}

// y[t] = W x[t] + b.
Doubles affine(const Doubles& x, const Stored& weight, const Stored& bias) {
    const std::vector<float> w = weight.decoded();
    const std::vector<float> b = bias.decoded();
    Doubles y;
    for (std::size_t t = 0; t < x.size() / weight.columns; ++t)
        for (std::size_t n = 0; n < weight.rows; ++n) {
            double sum = b[n];
            for (std::size_t c = 0; c < weight.columns; ++c)
                sum += x[t * weight.columns + c] * w[n * weight.columns + c];
            y.push_back(sum);
        }
    return y;
}

void normalise(Doubles& x, const Stored& weight, const Stored& bias, double epsilon) {
    const std::size_t d = weight.columns;
    const std::vector<float> w = weight.decoded();
    const std::vector<float> b = bias.decoded();
    for (std::size_t start = 0; start < x.size(); start += d) {
        double mean = 0;
        double variance = 0;
        for (std::size_t c = 0; c < d; ++c) mean += x[start + c] / static_cast<double>(d);
        for (std::size_t c = 0; c < d; ++c)
            variance += (x[start + c] - mean) * (x[start + c] - mean) / static_cast<double>(d);
        for (std::size_t c = 0; c < d; ++c)
            x[start + c] = (x[start + c] - mean) / std::sqrt(variance + epsilon) * w[c] + b[c];
    }
}

void add(Doubles& target, const Doubles& source) {
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += source[i];
}

Doubles embeddings(const SmallModel& model, const Request& request) {
    const std::size_t d = model.spec.width;
    const std::vector<float> words = model.tensor(TensorRole::WordEmbedding).decoded();
    const std::vector<float> types = model.tensor(TensorRole::TypeEmbedding).decoded();
    const std::vector<float> places = model.tensor(TensorRole::PositionEmbedding).decoded();
    Doubles x;
    for (std::size_t t = 0; t < request.tokens(); ++t)
        for (std::size_t c = 0; c < d; ++c) {
            const auto id = static_cast<std::size_t>(request.ids[t]);
            const std::size_t type =
                request.types.empty() ? 0 : static_cast<std::size_t>(request.types[t]);
            x.push_back(static_cast<double>(words[id * d + c]) + types[type * d + c] +
                        (request.options.positions ? places[t * d + c] : 0.0f));
        }
    normalise(x, model.tensor(TensorRole::EmbeddingNormWeight),
              model.tensor(TensorRole::EmbeddingNormBias), model.spec.epsilon);
    return x;
}

bool allows(const Request& request, std::size_t i, std::size_t j) {
    if (!request.key_mask.empty() && request.key_mask[j] == 0) return false;
    const std::size_t apart = i > j ? i - j : j - i;
    switch (request.options.pattern) {
    case PatternKind::None: return true;
    case PatternKind::Causal: return j <= i;
    case PatternKind::Window: return apart <= request.options.radius;
    case PatternKind::CausalWindow: return j <= i && apart <= request.options.radius;
    case PatternKind::Given:
        return request.pattern.empty() || request.pattern[i * request.tokens() + j] != 0;
    }
    return false;
}

// Appends scores, weights and context of one layer to `result`.
void attend(const ModelSpec& spec, const Request& request, Forward& result) {
    const std::size_t T = request.tokens();
    const std::size_t d = spec.width;
    const std::size_t dk = spec.head_size();
    const Doubles& q = result.queries.back();
    const Doubles& k = result.keys.back();
    const Doubles& v = result.values.back();
    Doubles scores;
    Doubles weights;
    Doubles context(T * d, 0.0);
    const double scale = 1 / std::sqrt(static_cast<double>(dk)) / request.options.temperature;
    for (std::size_t h = 0; h < spec.heads; ++h)
        for (std::size_t i = 0; i < T; ++i) {
            Doubles row(T, 0.0);
            double largest = -HUGE_VAL;
            for (std::size_t j = 0; j < T; ++j) {
                for (std::size_t c = h * dk; c < (h + 1) * dk; ++c)
                    row[j] += q[i * d + c] * k[j * d + c];
                row[j] *= scale;
                if (allows(request, i, j)) largest = std::max(largest, row[j]);
            }
            scores.insert(scores.end(), row.begin(), row.end());
            double sum = 0;
            for (std::size_t j = 0; j < T; ++j) {
                row[j] = allows(request, i, j) ? std::exp(row[j] - largest) : 0.0;
                sum += row[j];
            }
            for (std::size_t j = 0; j < T; ++j) {
                if (sum > 0) row[j] /= sum;
                for (std::size_t c = h * dk; c < (h + 1) * dk; ++c)
                    context[i * d + c] += row[j] * v[j * d + c];
            }
            weights.insert(weights.end(), row.begin(), row.end());
        }
    result.scores.push_back(scores);
    result.weights.push_back(weights);
    result.context.push_back(context);
}

Doubles with_gains(Doubles context, const ModelSpec& spec, const Request& request,
                   std::size_t layer) {
    if (request.gains.empty()) return context;
    for (std::size_t i = 0; i < context.size(); ++i)
        context[i] *= request.gains[layer * spec.heads + i % spec.width / spec.head_size()];
    return context;
}

}  // namespace

std::pair<std::size_t, std::size_t> size_of(const ModelSpec& spec, TensorRole role) {
    const std::size_t d = spec.width;
    switch (role) {
    case TensorRole::WordEmbedding: return {spec.vocabulary, d};
    case TensorRole::PositionEmbedding: return {spec.positions, d};
    case TensorRole::TypeEmbedding: return {spec.types, d};
    case TensorRole::QueryWeight:
    case TensorRole::KeyWeight:
    case TensorRole::ValueWeight:
    case TensorRole::OutputWeight: return {d, d};
    case TensorRole::UpWeight: return {spec.feed_forward, d};
    case TensorRole::DownWeight: return {d, spec.feed_forward};
    case TensorRole::UpBias: return {1, spec.feed_forward};
    default: return {1, d};
    }
}

SmallModel SmallModel::from_numbers(
    const ModelSpec& spec,
    const std::function<std::vector<float>(const std::string& name)>& numbers_of) {
    SmallModel model;
    model.spec = spec;
    for (std::size_t role = 0; role < model::kRoles; ++role)
        for (std::size_t layer = 0; layer < layers_of(spec, role); ++layer) {
            const std::string prefix = role < model::kSharedRoles
                                           ? "bert."
                                           : "bert.encoder.layer." + std::to_string(layer) + ".";
            const auto [rows, columns] = size_of(spec, static_cast<TensorRole>(role));
            model.tensors_[{static_cast<int>(role), layer}] =
                in_f32(rows, columns, numbers_of(prefix + kNames[role]));
        }
    return model;
}

SmallModel SmallModel::random(ElementType type, std::uint64_t seed) {
    Random random(seed);
    SmallModel model;
    model.spec = {2, 4, 64, 96, 40, 24, 2, 1e-12f};
    for (std::size_t role = 0; role < model::kRoles; ++role)
        for (std::size_t layer = 0; layer < layers_of(model.spec, role); ++layer) {
            const auto [rows, columns] = size_of(model.spec, static_cast<TensorRole>(role));
            const std::string name = kNames[role];
            const bool norm = name.ends_with("LayerNorm.weight");
            model.tensors_[{static_cast<int>(role), layer}] =
                norm        ? in_f32(1, columns, random.uniforms(columns, 0.5f, 1.5f))
                : rows == 1 ? in_f32(1, columns, random.uniforms(columns, -0.5f, 0.5f))
                            : random_stored(type, rows, columns, random, /*exponent=*/-1);
        }
    return model;
}

SmallModel SmallModel::decoded() const {
    SmallModel model;
    model.spec = spec;
    for (const auto& [key, stored] : tensors_)
        model.tensors_[key] = in_f32(stored.rows, stored.columns, stored.decoded());
    return model;
}

void SmallModel::load(model::Weights& weights, TensorRole role, std::size_t layer) const {
    const Stored& stored = tensor(role, layer);
    unsigned char* target = weights.allocate(role, layer, stored.type);
    std::memcpy(target, stored.bytes.data() + stored.shift, stored.bytes.size() - stored.shift);
    weights.set_ready(role, layer);
}

void SmallModel::load(model::Weights& weights) const {
    for (const auto& [key, stored] : tensors_)
        load(weights, static_cast<TensorRole>(key.first), key.second);
}

void write(const Request& request, model::Run& run) {
    const auto copy = [&](const auto& numbers, RunBuffer buffer) {
        if (!numbers.empty())
            std::memcpy(run.address(buffer, 0), numbers.data(),
                        numbers.size() * sizeof(numbers[0]));
    };
    copy(request.ids, RunBuffer::Ids);
    copy(request.types, RunBuffer::TypeIds);
    copy(request.gains, RunBuffer::Gains);
    copy(request.key_mask, RunBuffer::KeyMask);
    if (request.options.pattern == PatternKind::Given) copy(request.pattern, RunBuffer::Pattern);
}

Error compute(model::Run& run, const ModelSpec& spec) {
    Error error = run.begin();
    for (std::size_t layer = 0; error == Error::Ok && layer < spec.layers; ++layer)
        error = run.layer(layer);
    return error;
}

std::vector<float> read(model::Run& run, const ModelSpec& spec, std::size_t tokens,
                        RunBuffer buffer, std::size_t layer) {
    const std::size_t count = buffer == RunBuffer::Weights ? spec.heads * tokens * tokens
                              : buffer == RunBuffer::Gains ? spec.layers * spec.heads
                                                           : tokens * spec.width;
    const auto* numbers = static_cast<const float*>(run.address(buffer, layer));
    if (numbers == nullptr) return {};
    return {numbers, numbers + count};
}

Forward forward(const SmallModel& model, const Request& request) {
    Forward result;
    result.hidden.push_back(embeddings(model, request));
    for (std::size_t l = 0; l < model.spec.layers; ++l) {
        const auto part = [&](TensorRole role) -> const Stored& { return model.tensor(role, l); };
        const Doubles input = result.hidden.back();
        result.queries.push_back(
            affine(input, part(TensorRole::QueryWeight), part(TensorRole::QueryBias)));
        result.keys.push_back(
            affine(input, part(TensorRole::KeyWeight), part(TensorRole::KeyBias)));
        result.values.push_back(
            affine(input, part(TensorRole::ValueWeight), part(TensorRole::ValueBias)));
        attend(model.spec, request, result);
        Doubles attended = affine(with_gains(result.context.back(), model.spec, request, l),
                                  part(TensorRole::OutputWeight), part(TensorRole::OutputBias));
        add(attended, input);
        normalise(attended, part(TensorRole::AttentionNormWeight),
                  part(TensorRole::AttentionNormBias), model.spec.epsilon);
        Doubles inner = affine(attended, part(TensorRole::UpWeight), part(TensorRole::UpBias));
        for (double& x : inner) x *= 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
        Doubles output = affine(inner, part(TensorRole::DownWeight), part(TensorRole::DownBias));
        add(output, attended);
        normalise(output, part(TensorRole::LayerNormWeight), part(TensorRole::LayerNormBias),
                  model.spec.epsilon);
        result.hidden.push_back(output);
    }
    return result;
}

}  // namespace headlights::test
