// Seeded numbers for tests and digests: SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
// pseudorandom number generators"). The distributions of <random> differ between libraries; these
// numbers are the same on every machine, to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlights::test {

class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    [[nodiscard]] std::uint64_t bits() noexcept {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // One of 0 .. count - 1; count > 0 (the bias of the remainder does not matter here).
    [[nodiscard]] std::size_t below(std::size_t count) noexcept {
        return static_cast<std::size_t>(bits() % count);
    }

    // Uniform in [low, high), in steps of 2^-24 of the width.
    [[nodiscard]] float uniform(float low, float high) noexcept {
        return low + (high - low) * (static_cast<float>(bits() >> 40) * 0x1p-24f);
    }

    // Mean 0, variance 1, never beyond 3.5: the sum of four uniform numbers.
    [[nodiscard]] float bell() noexcept {
        const float sum = uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1);
        return sum * 0.8660254f;
    }

    [[nodiscard]] std::vector<float> bells(std::size_t count) {
        std::vector<float> numbers(count);
        for (float& number : numbers) number = bell();
        return numbers;
    }

    [[nodiscard]] std::vector<float> uniforms(std::size_t count, float low, float high) {
        std::vector<float> numbers(count);
        for (float& number : numbers) number = uniform(low, high);
        return numbers;
    }

private:
    std::uint64_t state_;
};

}  // namespace headlights::test
