#include "support/attention_case.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "core/aligned_buffer.hpp"
#include "support/fenced.hpp"

namespace headlights::test {

using attention::PatternKind;

namespace {

constexpr std::size_t kFence = 16;
constexpr std::uint32_t kMark = 0x7fc0feedu;

std::vector<std::uint8_t> random_bytes(std::size_t count, double density, Random& random) {
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes) byte = random.uniform(0, 1) < density ? 1 : 0;
    return bytes;
}

std::vector<std::uint8_t> key_mask_of(KeyMask kind, std::size_t Tk, Random& random) {
    switch (kind) {
    case KeyMask::None: return {};
    case KeyMask::Random: return random_bytes(Tk, 0.6, random);
    case KeyMask::Nothing: return std::vector<std::uint8_t>(Tk, 0);
    case KeyMask::LastKeys: break;
    }
    std::vector<std::uint8_t> padding(Tk, 1);
    for (std::size_t j = Tk - Tk / 3; j < Tk; ++j) padding[j] = 0;
    return padding;
}

FencedHeads random_heads(std::size_t heads, std::size_t rows, std::size_t columns,
                         HeadLayout layout, Random& random) {
    FencedHeads numbers(heads, rows, columns, layout, /*read_only=*/true);
    numbers.assign(random.bells(heads * rows * columns));
    return numbers;
}

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

}  // namespace

FencedHeads::FencedHeads(std::size_t heads, std::size_t rows, std::size_t columns,
                         HeadLayout layout, bool read_only)
    : heads_(heads), rows_(rows), columns_(columns) {
    const std::size_t gap = layout == HeadLayout::Padded ? 3 : 0;
    row_stride_ = layout == HeadLayout::Columns ? heads * columns : columns + gap;
    head_stride_ = layout == HeadLayout::Columns ? columns : rows * row_stride_ + gap;
    start_ = (read_only ? 0 : kFence) + (layout == HeadLayout::Padded ? 1 : 0);
    const bool none = heads == 0 || rows == 0 || columns == 0;
    const std::size_t end = none ? start_ : index(heads - 1, rows - 1, columns - 1) + 1;
    numbers_.assign(end + (read_only ? 0 : kFence), std::bit_cast<float>(kMark));
}

std::vector<float> FencedHeads::values() const {
    std::vector<float> dense;
    dense.reserve(heads_ * rows_ * columns_);
    for (std::size_t h = 0; h < heads_; ++h)
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t c = 0; c < columns_; ++c) dense.push_back(at(h, row, c));
    return dense;
}

void FencedHeads::assign(const std::vector<float>& dense) {
    std::size_t next = 0;
    for (std::size_t h = 0; h < heads_; ++h)
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t c = 0; c < columns_; ++c) at(h, row, c) = dense[next++];
}

bool FencedHeads::intact() const {
    std::vector<bool> inside(numbers_.size(), false);
    for (std::size_t h = 0; h < heads_; ++h)
        for (std::size_t row = 0; row < rows_; ++row)
            for (std::size_t c = 0; c < columns_; ++c) inside[index(h, row, c)] = true;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
        if (!inside[i] && std::bit_cast<std::uint32_t>(numbers_[i]) != kMark) return false;
    return true;
}

std::vector<MaskCase> mask_cases() {
    const MaskCase patterns[] = {
        {"none", PatternKind::None},
        {"causal", PatternKind::Causal},
        {"window 0", PatternKind::Window, 0},
        {"window 2", PatternKind::Window, 2},
        {"window 70", PatternKind::Window, 70},
        {"window without end", PatternKind::Window, std::numeric_limits<std::size_t>::max()},
        {"causal window 0", PatternKind::CausalWindow, 0},
        {"causal window 3", PatternKind::CausalWindow, 3},
        {"causal window without end", PatternKind::CausalWindow,
         std::numeric_limits<std::size_t>::max() / 2},
        {"given, all", PatternKind::Given, 0, 1},
        {"given, half", PatternKind::Given, 0, 0.5},
        {"given, few", PatternKind::Given, 0, 0.1},
        {"given, nothing", PatternKind::Given, 0, 0},
    };
    constexpr std::pair<const char*, KeyMask> kKeyMasks[] = {{"", KeyMask::None},
                                                             {" + some keys", KeyMask::Random},
                                                             {" + padding", KeyMask::LastKeys},
                                                             {" + no keys", KeyMask::Nothing}};
    std::vector<MaskCase> cases;
    for (const MaskCase& pattern : patterns)
        for (const auto& [name, keys] : kKeyMasks) {
            cases.push_back(pattern);
            cases.back().name += name;
            cases.back().keys = keys;
        }
    return cases;
}

AttentionCase::AttentionCase(const attention::Shape& sizes, const MaskCase& mask,
                             HeadLayout head_layout, std::uint64_t seed)
    : shape(sizes),
      layout(head_layout),
      scale(sizes.dk == 0 ? 1.0f : 1.0f / std::sqrt(static_cast<float>(sizes.dk))),
      kind(mask.kind),
      radius(mask.radius),
      q(0, 0, 0, head_layout, true),
      k(q),
      v(q) {
    Random random(seed);
    q = random_heads(shape.H, shape.Tq, shape.dk, layout, random);
    k = random_heads(shape.Hkv, shape.Tk, shape.dk, layout, random);
    v = random_heads(shape.Hkv, shape.Tk, shape.dv, layout, random);
    if (kind == PatternKind::Given) given = random_bytes(shape.Tq * shape.Tk, mask.density, random);
    key_mask = key_mask_of(mask.keys, shape.Tk, random);
}

attention::Problem AttentionCase::problem() const noexcept {
    return {shape,
            q.view(),
            k.view(),
            v.view(),
            scale,
            {kind, radius, given.empty() ? nullptr : given.data(),
             key_mask.empty() ? nullptr : key_mask.data()}};
}

bool AttentionCase::allows(std::size_t i, std::size_t j) const noexcept {
    // Position of query i is i + Tk - Tq; both sides are moved by Tq to stay unsigned.
    const std::size_t query = i + shape.Tk;
    const std::size_t key = j + shape.Tq;
    if (!key_mask.empty() && key_mask[j] == 0) return false;
    switch (kind) {
    case PatternKind::None: return true;
    case PatternKind::Causal: return key <= query;
    case PatternKind::Window: return distance(key, query) <= radius;
    case PatternKind::CausalWindow: return key <= query && distance(key, query) <= radius;
    case PatternKind::Given: return given[i * shape.Tk + j] != 0;
    }
    return false;
}

ExpectedAttention AttentionCase::expected() const {
    ExpectedAttention result;
    for (std::size_t h = 0; h < shape.H; ++h) {
        const std::size_t group = h * shape.Hkv / shape.H;
        for (std::size_t i = 0; i < shape.Tq; ++i) {
            std::vector<double> row(shape.Tk);
            double largest = -HUGE_VAL;
            for (std::size_t j = 0; j < shape.Tk; ++j) {
                for (std::size_t c = 0; c < shape.dk; ++c)
                    row[j] += static_cast<double>(q.at(h, i, c)) * k.at(group, j, c);
                row[j] *= scale;
                result.scores.push_back(row[j]);
                if (allows(i, j)) largest = std::max(largest, row[j]);
            }
            double sum = 0;
            for (std::size_t j = 0; j < shape.Tk; ++j)
                if (allows(i, j)) sum += std::exp(row[j] - largest);
            std::vector<double> context(shape.dv);
            for (std::size_t j = 0; j < shape.Tk; ++j) {
                const double weight = allows(i, j) ? std::exp(row[j] - largest) / sum : 0.0;
                result.weights.push_back(weight);
                if (!allows(i, j)) continue;
                for (std::size_t c = 0; c < shape.dv; ++c) context[c] += weight * v.at(group, j, c);
            }
            result.context.insert(result.context.end(), context.begin(), context.end());
        }
    }
    return result;
}

Outcome run(const attention::Algorithm& algorithm, const AttentionCase& problem, bool want_scores,
            bool want_weights) {
    const attention::Shape& shape = problem.shape;
    const bool scores_kept = want_scores && algorithm.keeps_weights;
    const bool weights_kept = want_weights && algorithm.keeps_weights;
    Fenced scores(shape.H * shape.Tq, shape.Tk);
    Fenced weights(shape.H * shape.Tq, shape.Tk);
    FencedHeads context(shape.H, shape.Tq, shape.dv, problem.layout, /*read_only=*/false);
    // As long as asked for, aligned as the engine's buffers, marks after it.
    const std::size_t size = algorithm.workspace(shape);
    AlignedBuffer<float> workspace(size + kFence);
    for (float& number : workspace.span()) number = std::bit_cast<float>(kMark);
    algorithm.run(problem.problem(),
                  {scores_kept ? scores.data() : nullptr, weights_kept ? weights.data() : nullptr,
                   context.view()},
                  workspace.data());
    Outcome outcome;
    if (scores_kept) outcome.scores = scores.values();
    if (weights_kept) outcome.weights = weights.values();
    outcome.context = context.values();
    outcome.intact = scores.intact() && weights.intact() && context.intact();
    for (std::size_t i = size; i < workspace.size(); ++i)
        outcome.intact =
            outcome.intact && std::bit_cast<std::uint32_t>(workspace.data()[i]) == kMark;
    return outcome;
}

}  // namespace headlights::test
