#include "support/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace headlights::test {

namespace {

Comparison sizes_differ(std::size_t actual, std::size_t expected) {
    std::ostringstream text;
    text << actual << " numbers where " << expected << " are expected";
    return {text.str()};
}

Comparison differs(std::size_t index, double actual, double expected, std::size_t places,
                   std::size_t size) {
    std::ostringstream text;
    text.precision(9);
    text << "[" << index << "] is " << actual << ", expected " << expected << " (difference "
         << std::abs(actual - expected) << "; " << places << " of " << size << " differ)";
    return {text.str()};
}

// How far apart; infinite if one is NaN or infinite and the other is not the same.
double distance(double actual, double expected) {
    if (std::isnan(actual) && std::isnan(expected)) return 0.0;
    if (actual == expected) return 0.0;
    const double difference = std::abs(actual - expected);
    return std::isfinite(difference) ? difference : HUGE_VAL;
}

template <class T>
Comparison compare(std::span<const float> actual, std::span<const T> expected, double limit) {
    if (actual.size() != expected.size()) return sizes_differ(actual.size(), expected.size());
    std::size_t places = 0;
    std::size_t worst = 0;
    double largest = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double apart = distance(actual[i], expected[i]);
        if (apart <= limit) continue;
        ++places;
        if (apart > largest) {
            largest = apart;
            worst = i;
        }
    }
    if (places == 0) return {};
    return differs(worst, actual[worst], expected[worst], places, actual.size());
}

std::uint32_t comparable(float value) {
    return std::isnan(value) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(value);
}

}  // namespace

Comparison within(std::span<const float> actual, std::span<const double> expected, double limit) {
    return compare(actual, expected, limit);
}

Comparison within(std::span<const float> actual, std::span<const float> expected, double limit) {
    return compare(actual, expected, limit);
}

Comparison same_bits(std::span<const float> actual, std::span<const float> expected) {
    if (actual.size() != expected.size()) return sizes_differ(actual.size(), expected.size());
    std::size_t places = 0;
    std::size_t first = 0;
    for (std::size_t i = actual.size(); i-- > 0;) {
        if (comparable(actual[i]) == comparable(expected[i])) continue;
        ++places;
        first = i;
    }
    if (places == 0) return {};
    return differs(first, actual[first], expected[first], places, actual.size());
}

double largest_difference(std::span<const float> actual, std::span<const double> expected) {
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
        const double difference = std::abs(actual[i] - expected[i]);
        if (std::isfinite(difference)) largest = std::max(largest, difference);
    }
    return largest;
}

double largest_of(std::span<const double> values) {
    double largest = 0.0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace headlights::test
