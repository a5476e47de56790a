// The keys and values of one head as panels (kernels/panel.hpp): arranged once, read for every few
// query rows.
#pragma once

#include <cstddef>

#include "attention/problem.hpp"

namespace headlights::attention {

struct PackedHead {
    std::size_t Tk = 0;
    std::size_t dk = 0;
    const float* keys = nullptr;    // ceil(Tk / 8) panels [dk, 8]: eight keys side by side
    const float* values = nullptr;  // ceil(dv / 8) panels [Tk, 8]: eight dimensions side by side
};

// Numbers that one packed head takes.
[[nodiscard]] std::size_t packed_size(const Shape& shape) noexcept;

// Key/value head `kv` of the problem, packed into `target`.
[[nodiscard]] PackedHead pack_head(const Problem& problem, std::size_t kv, float* target) noexcept;

// The range widened to whole panels.
[[nodiscard]] KeyRange whole_panels(KeyRange range, std::size_t Tk) noexcept;

// y = scale * queries keys^T over the keys of a range of whole panels.  queries [M, dk], y [M, end
// - begin].
void packed_scores(ConstMatrixView queries, const PackedHead& head, KeyRange range, float scale,
                   MatrixView y) noexcept;

// y = weights values, or y += if `accumulate`, over the keys of the range.  weights [M, end -
// begin], y [M, dv].
void packed_context(ConstMatrixView weights, const PackedHead& head, KeyRange range,
                    bool accumulate, MatrixView y) noexcept;

}  // namespace headlights::attention
