#include "attention/explained.hpp"

#include <algorithm>

#include "attention/masked_row.hpp"
#include "kernels/gemm.hpp"

namespace headlights::attention {

namespace {

// Query rows that go through scores, softmax and context together; a multiple of the GEMM tiles'
// rows.
constexpr std::size_t kRows = 24;

// Scaled scores of query rows [from, to) against the keys of `range`; y has Tk columns.
void score_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                KeyRange range, MatrixView y) noexcept {
    const std::size_t count = range.end - range.begin;
    kernels::gemm_rows(problem.queries(h).rows_from(from, to - from),
                       problem.keys(h).rows_from(range.begin, count), problem.scale,
                       y.columns_from(range.begin, count));
}

}  // namespace

std::size_t explained_workspace(const Shape& shape) noexcept {
    return std::min(kRows, shape.Tq) * shape.Tk;
}

void explained(const Problem& problem, const Result& result, float* workspace) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    for (std::size_t h = 0; h < H; ++h) {
        const bool finite = all_finite(problem.values(h));
        for (std::size_t from = 0; from < Tq; from += kRows) {
            const std::size_t to = std::min(from + kRows, Tq);
            const std::size_t offset = (h * Tq + from) * Tk;
            const MatrixView weights =
                dense(result.weights ? result.weights + offset : workspace, to - from, Tk);
            const MatrixView scores =
                result.scores ? dense(result.scores + offset, to - from, Tk) : weights;
            const KeyRange needed =
                result.scores ? KeyRange{0, Tk} : problem.mask.key_range_of(from, to, Tq, Tk);
            score_rows(problem, h, from, to, needed, scores);
            for (std::size_t r = 0; r < to - from; ++r)
                masked_softmax(problem.mask, from + r, Tq, Tk, scores.row(r), weights.row(r));
            masked_context(problem.mask, from, Tq, weights, problem.values(h), finite,
                           result.context.head(h, Tq, dv).rows_from(from, to - from));
        }
    }
}

void explained_weight_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                           float* weights) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    const MatrixView rows = dense(weights, to - from, Tk);
    score_rows(problem, h, from, to, {0, Tk}, rows);
    for (std::size_t r = 0; r < rows.rows; ++r)
        masked_softmax(problem.mask, from + r, Tq, Tk, rows.row(r), rows.row(r));
}

void explained_score_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                          float* scores) noexcept {
    score_rows(problem, h, from, to, {0, problem.shape.Tk},
               dense(scores, to - from, problem.shape.Tk));
}

}  // namespace headlights::attention
