#include "attention/explained.hpp"

#include <algorithm>

#include "attention/masked_row.hpp"
#include "attention/packed_head.hpp"
#include "kernels/gemm.hpp"

namespace headlights::attention {

namespace {

// Query rows that go through scores, softmax and context together; a multiple of the rows of a tile
// of sums (kernels/panel.cpp).
constexpr std::size_t kRows = 24;

// One head's queries [from, to) against every key.
void score_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                MatrixView y) noexcept {
    kernels::gemm_rows(problem.queries(h).rows_from(from, to - from), problem.keys(h),
                       problem.scale, y);
}

// The query rows of one head, whose keys and values are packed.
void explain_head(const Problem& problem, std::size_t h, const PackedHead& packed, bool finite,
                  const Result& result, float* workspace) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    for (std::size_t from = 0; from < Tq; from += kRows) {
        const std::size_t to = std::min(from + kRows, Tq);
        const std::size_t offset = (h * Tq + from) * Tk;
        const MatrixView weights =
            dense(result.weights ? result.weights + offset : workspace, to - from, Tk);
        const MatrixView scores =
            result.scores ? dense(result.scores + offset, to - from, Tk) : weights;
        const KeyRange range = problem.mask.key_range_of(from, to, Tq, Tk);
        const KeyRange scored = result.scores ? KeyRange{0, Tk} : whole_panels(range, Tk);
        packed_scores(problem.queries(h).rows_from(from, to - from), packed, scored, problem.scale,
                      scores.columns_from(scored.begin, scored.end - scored.begin));
        for (std::size_t r = 0; r < to - from; ++r)
            masked_softmax(problem.mask, from + r, Tq, Tk, scores.row(r), weights.row(r));
        const MatrixView context = result.context.head(h, Tq, dv).rows_from(from, to - from);
        if (finite)
            packed_context(weights.columns_from(range.begin, range.end - range.begin), packed,
                           range, /*accumulate=*/false, context);
        else
            masked_context(problem.mask, from, Tq, weights, problem.values(h), context);
    }
}

}  // namespace

std::size_t explained_workspace(const Shape& shape) noexcept {
    return packed_size(shape) + std::min(kRows, shape.Tq) * shape.Tk;
}

void explained(const Problem& problem, const Result& result, float* workspace) noexcept {
    PackedHead packed;
    bool finite = true;
    for (std::size_t h = 0; h < problem.shape.H; ++h) {
        const std::size_t kv = problem.kv_head(h);
        if (h == 0 || kv != problem.kv_head(h - 1)) {
            packed = pack_head(problem, kv, workspace);
            finite = all_finite(problem.values(h));
        }
        explain_head(problem, h, packed, finite, result, workspace + packed_size(problem.shape));
    }
}

void explained_weight_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                           float* weights) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    const MatrixView rows = dense(weights, to - from, Tk);
    score_rows(problem, h, from, to, rows);
    for (std::size_t r = 0; r < rows.rows; ++r)
        masked_softmax(problem.mask, from + r, Tq, Tk, rows.row(r), rows.row(r));
}

void explained_score_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                          float* scores) noexcept {
    score_rows(problem, h, from, to, dense(scores, to - from, problem.shape.Tk));
}

}  // namespace headlights::attention
