// Exact attention without a Tq x Tk matrix: keys come in tiles and the softmax is corrected as they
// come. Milakov and Gimelshein 2018 (arXiv 1805.02867), algorithm 3; tiled as in Dao et al. 2022
// (arXiv 2205.14135), algorithm 1.
//
// The online softmax for the scores 1, 3 | 2, 4 in two tiles:
//   after tile 1: maximum 3, sum e^-2 + e^0 = 1.135, context = e^-2 v1 + e^0 v2
//   tile 2 has maximum 4: rescale factor e^(3-4) = 0.368; sum = 1.135 * 0.368 + e^-2 + e^0 = 1.553,
//   context = old * 0.368 + e^-2 v3 + e^0 v4; at the end context / 1.553.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

// Numbers of workspace that flash() needs: one head's keys and values, and a tile of scores,
// whatever Tq.
[[nodiscard]] std::size_t flash_workspace(const Shape& shape) noexcept;

// Problem must be valid; result.scores and result.weights are ignored. Allocates nothing.
void flash(const Problem& problem, const Result& result, float* workspace) noexcept;

}  // namespace headlights::attention
