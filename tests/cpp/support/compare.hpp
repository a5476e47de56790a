// Comparisons of arrays that say what differs most and where. A size that differs, a NaN against a
// number and a number against an infinity are differences; compare_test.cpp shows that each fails.
#pragma once

#include <ostream>
#include <span>
#include <string>

namespace headlights::test {

// True if the arrays agree; else `message` says where not. Goes straight into CHECK().
struct Comparison {
    std::string message;  // empty: they agree

    explicit operator bool() const noexcept { return message.empty(); }
    friend std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
        return out << (comparison ? "equal" : comparison.message);
    }
};

// Every |actual - expected| <= limit; NaN where NaN is expected, the same infinity where one is.
[[nodiscard]] Comparison within(std::span<const float> actual, std::span<const double> expected,
                                double limit);
[[nodiscard]] Comparison within(std::span<const float> actual, std::span<const float> expected,
                                double limit);

// The same bits everywhere, except that any NaN equals any NaN.
[[nodiscard]] Comparison same_bits(std::span<const float> actual, std::span<const float> expected);

// Largest |actual - expected| over places where both are finite; 0 if there is none.
[[nodiscard]] double largest_difference(std::span<const float> actual,
                                        std::span<const double> expected);

// Largest absolute value; 0 for none.
[[nodiscard]] double largest_of(std::span<const double> values);

}  // namespace headlights::test
