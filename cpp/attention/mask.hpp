// Which keys a query may look at: a pattern by position, a given matrix, and a list of keys, all
// ANDed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headlights::attention {

// JavaScript knows the same list by position.
enum class PatternKind : std::int32_t {
    None,          // every key
    Causal,        // keys up to the query's own position
    Window,        // keys at most `radius` positions away
    CausalWindow,  // both
    Given,         // `given` says
};

// The keys [begin, end).
struct KeyRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Query i stands at position i + Tk - Tq. An empty mask (default) allows everything.
struct Mask {
    PatternKind kind = PatternKind::None;
    std::size_t radius = 0;                  // for the windows, in positions
    const std::uint8_t* given = nullptr;     // [Tq, Tk], 1 = may look; read for Given only
    const std::uint8_t* key_mask = nullptr;  // [Tk], 1 = may be looked at, or null

    // True if the keys of a row are not simply those of key_range().
    [[nodiscard]] bool has_bytes() const noexcept {
        return key_mask != nullptr || kind == PatternKind::Given;
    }

    [[nodiscard]] bool byte_allows(std::size_t i, std::size_t j, std::size_t Tk) const noexcept {
        if (key_mask != nullptr && key_mask[j] == 0) return false;
        return kind != PatternKind::Given || given[i * Tk + j] != 0;
    }

    // The keys that the pattern's geometry leaves to query i; possibly none.
    [[nodiscard]] KeyRange key_range(std::size_t i, std::size_t Tq, std::size_t Tk) const noexcept {
        const auto clamp = [Tk](std::ptrdiff_t bound) {
            return static_cast<std::size_t>(
                std::clamp(bound, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(Tk)));
        };
        const auto position = static_cast<std::ptrdiff_t>(i) + static_cast<std::ptrdiff_t>(Tk) -
                              static_cast<std::ptrdiff_t>(Tq);
        // No two places are further apart, and a larger radius must not overflow.
        const auto reach = static_cast<std::ptrdiff_t>(std::min(radius, Tq + Tk));
        KeyRange range{0, Tk};
        if (kind == PatternKind::Causal || kind == PatternKind::CausalWindow)
            range.end = clamp(position + 1);
        if (kind == PatternKind::Window) range.end = clamp(position + reach + 1);
        if (kind == PatternKind::Window || kind == PatternKind::CausalWindow)
            range.begin = std::min(clamp(position - reach), range.end);
        return range;
    }

    // The keys that any query of [first, last) may see by geometry.
    [[nodiscard]] KeyRange key_range_of(std::size_t first, std::size_t last, std::size_t Tq,
                                        std::size_t Tk) const noexcept {
        KeyRange all{Tk, 0};
        for (std::size_t i = first; i < last; ++i) {
            const KeyRange range = key_range(i, Tq, Tk);
            if (range.begin == range.end) continue;
            all.begin = std::min(all.begin, range.begin);
            all.end = std::max(all.end, range.end);
        }
        return all.begin < all.end ? all : KeyRange{0, 0};
    }
};

}  // namespace headlights::attention
