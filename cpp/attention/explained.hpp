// Exact attention that can keep everything a reader may ask for: scores, weights, context.
// Vaswani et al. 2017 (arXiv 1706.03762), equation 1; head by head, a few query rows at a time.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

// Numbers of workspace that explained() needs.
[[nodiscard]] std::size_t explained_workspace(const Shape& shape) noexcept;

// Problem must be valid. Wanted results are written whole. Allocates nothing.
void explained(const Problem& problem, const Result& result, float* workspace) noexcept;

// Weights [to - from, Tk] of query rows [from, to) of head h; equal to the rows that explained()
// gives. Or the scaled scores before the mask.
void explained_weight_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                           float* weights) noexcept;
void explained_score_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                          float* scores) noexcept;

}  // namespace headlights::attention
