// Size arithmetic that notices overflow. Used wherever a byte count is computed from outside
// numbers.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>

namespace headlights {

// Product of all factors, or nothing if it does not fit std::size_t. An empty list gives 1.
[[nodiscard]] constexpr std::optional<std::size_t> checked_product(
    std::initializer_list<std::size_t> factors) noexcept {
    std::size_t product = 1;
    for (const std::size_t factor : factors) {
        if (factor != 0 && product > std::numeric_limits<std::size_t>::max() / factor)
            return std::nullopt;
        product *= factor;
    }
    return product;
}

}  // namespace headlights
