// One attention problem with its own memory, a mask, a way to lie in memory, and what must come
// out: worked out in double from the definitions, cell by cell, apart from the code under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attention/algorithms.hpp"
#include "attention/problem.hpp"
#include "support/random.hpp"

namespace headlights::test {

// How the heads of q, k, v and the context lie in memory.
enum class HeadLayout {
    HeadByHead,  // [H, T, d], dense
    Columns,     // [T, H d]: head h in columns h d .. (h + 1) d, as a model's projections lie
    Padded,      // as HeadByHead with gaps after rows and heads, and an odd start
};

// Heads by rows by columns of numbers, their surroundings marked (see fenced.hpp).
class FencedHeads {
public:
    FencedHeads(std::size_t heads, std::size_t rows, std::size_t columns, HeadLayout layout,
                bool read_only);

    [[nodiscard]] attention::HeadsView<float> view() noexcept {
        return {numbers_.data() + start_, head_stride_, row_stride_};
    }
    [[nodiscard]] attention::HeadsView<const float> view() const noexcept {
        return {numbers_.data() + start_, head_stride_, row_stride_};
    }
    [[nodiscard]] float& at(std::size_t h, std::size_t row, std::size_t column) noexcept {
        return numbers_[index(h, row, column)];
    }
    [[nodiscard]] float at(std::size_t h, std::size_t row, std::size_t column) const noexcept {
        return numbers_[index(h, row, column)];
    }
    // Dense [heads, rows, columns].
    [[nodiscard]] std::vector<float> values() const;
    void assign(const std::vector<float>& dense);
    [[nodiscard]] bool intact() const;

private:
    [[nodiscard]] std::size_t index(std::size_t h, std::size_t row,
                                    std::size_t column) const noexcept {
        return start_ + h * head_stride_ + row * row_stride_ + column;
    }

    std::size_t heads_, rows_, columns_;
    std::size_t start_ = 0, head_stride_ = 0, row_stride_ = 0;
    std::vector<float> numbers_;
};

enum class KeyMask { None, Random, LastKeys, Nothing };

// A kind of mask, before it meets a shape.
struct MaskCase {
    std::string name;
    attention::PatternKind kind = attention::PatternKind::None;
    std::size_t radius = 0;
    double density = 1;  // share of allowed places, for Given
    KeyMask keys = KeyMask::None;
};

// Every pattern, with radii and densities that matter, with each kind of key mask.
[[nodiscard]] std::vector<MaskCase> mask_cases();

// What the definitions give, in double. Scores before the mask.
struct ExpectedAttention {
    std::vector<double> scores;   // [H, Tq, Tk]
    std::vector<double> weights;  // [H, Tq, Tk]
    std::vector<double> context;  // [H, Tq, dv]
};

class AttentionCase {
public:
    // Random q, k, v of variance 1, scale 1 / sqrt(dk).
    AttentionCase(const attention::Shape& shape, const MaskCase& mask, HeadLayout layout,
                  std::uint64_t seed);

    [[nodiscard]] attention::Problem problem() const noexcept;
    [[nodiscard]] ExpectedAttention expected() const;
    // Whether query i may look at key j, from the mask's definition.
    [[nodiscard]] bool allows(std::size_t i, std::size_t j) const noexcept;

    attention::Shape shape;
    HeadLayout layout;
    float scale;
    attention::PatternKind kind;
    std::size_t radius;
    std::vector<std::uint8_t> given;     // empty unless kind is Given
    std::vector<std::uint8_t> key_mask;  // empty: none
    FencedHeads q, k, v;
};

// What an algorithm made of a case. Results that were not wanted are empty.
struct Outcome {
    std::vector<float> scores, weights, context;
    bool intact = true;  // no mark beside a result or the workspace was overwritten
};

[[nodiscard]] Outcome run(const attention::Algorithm& algorithm, const AttentionCase& problem,
                          bool want_scores = true, bool want_weights = true);

}  // namespace headlights::test
