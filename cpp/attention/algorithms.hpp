// The one table of attention algorithms that tests, benchmarks, bindings and the page iterate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "attention/explained.hpp"
#include "attention/flash.hpp"
#include "attention/reference.hpp"

namespace headlights::attention {

// JavaScript knows the same list by position.
enum class AlgorithmId : std::int32_t { Explained, Flash, Reference };

struct Algorithm {
    const char* name;
    bool keeps_weights;  // can write Result::scores and Result::weights
    std::size_t (*workspace)(const Shape&) noexcept;  // numbers of fp32 workspace
    void (*run)(const Problem&, const Result&, float* workspace) noexcept;
};

inline constexpr std::array<Algorithm, 3> kAlgorithms{{
    {"explained", true, explained_workspace, explained},
    {"flash", false, flash_workspace, flash},
    {"reference", true, reference_workspace, reference},
}};

[[nodiscard]] constexpr const Algorithm& algorithm(AlgorithmId id) noexcept {
    return kAlgorithms[static_cast<std::size_t>(id)];
}

}  // namespace headlights::attention
