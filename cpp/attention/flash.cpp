#include "attention/flash.hpp"

#include <algorithm>
#include <limits>

#include "attention/masked_row.hpp"
#include "kernels/gemm.hpp"
#include "kernels/softmax.hpp"

namespace headlights::attention {

namespace {

constexpr std::size_t kRows = 24;  // query rows of a tile
constexpr std::size_t kKeys = 64;  // keys of a tile
constexpr float kLowest = -std::numeric_limits<float>::infinity();

// Running state of one query row.
struct RowState {
    float maximum = kLowest;
    float sum = 0.0f;
    bool seen = false;  // at least one key was allowed
};

// Puts -infinity where the mask forbids; says whether any key of the tile is allowed.
bool mask_tile_row(const Problem& problem, std::size_t i, std::size_t first, std::size_t count,
                   float* scores) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    const KeyRange range = problem.mask.key_range(i, Tq, Tk);
    bool any = false;
    for (std::size_t j = first; j < first + count; ++j) {
        const bool allowed =
            j >= range.begin && j < range.end && problem.mask.byte_allows(i, j, Tk);
        if (!allowed) scores[j - first] = kLowest;
        any = any || allowed;
    }
    return any;
}

// Turns one row of masked scores into unnormalised weights and corrects the row's state and
// context.
void absorb_row(RowState& state, float* scores, std::size_t count, float* context,
                std::size_t dv) noexcept {
    const float maximum = std::max(state.maximum, kernels::max_of(scores, count));
    // As long as all allowed scores are -infinity they are shifted by 0, to weigh 0 and not NaN: a
    // later tile may hold a finite one.
    const float shift = maximum == kLowest ? 0.0f : maximum;
    if (state.maximum != maximum && state.seen) {
        float rescale = 0.0f;
        kernels::exponentials(&state.maximum, 1, shift, &rescale);
        state.sum *= rescale;
        kernels::multiply(context, dv, rescale);
    }
    state.sum += kernels::exponentials(scores, count, shift, scores);
    state.maximum = maximum;
    state.seen = true;
}

struct Tile {
    std::size_t from, to;  // query rows
    MatrixView scores;     // [kRows, kKeys]
    MatrixView context;    // [to - from, dv]
    RowState* states;
};

void absorb_keys(const Problem& problem, std::size_t h, std::size_t first, std::size_t count,
                 bool finite, const Tile& tile) noexcept {
    const std::size_t rows = tile.to - tile.from;
    const ConstMatrixView values = problem.values(h).rows_from(first, count);
    const MatrixView scores{tile.scores.data, rows, count, kKeys};
    kernels::gemm_rows(problem.queries(h).rows_from(tile.from, rows),
                       problem.keys(h).rows_from(first, count), problem.scale, scores);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = scores.row(r);
        if (mask_tile_row(problem, tile.from + r, first, count, row))
            absorb_row(tile.states[r], row, count, tile.context.row(r), problem.shape.dv);
        else
            std::fill(row, row + count, 0.0f);
    }
    if (finite) {
        kernels::gemm_weighted_sum(scores, values, /*accumulate=*/true, tile.context);
        return;
    }
    for (std::size_t r = 0; r < rows; ++r) {
        const KeyRange range =
            problem.mask.key_range(tile.from + r, problem.shape.Tq, problem.shape.Tk);
        for (std::size_t j = std::max(first, range.begin); j < std::min(first + count, range.end);
             ++j)
            if (problem.mask.byte_allows(tile.from + r, j, problem.shape.Tk))
                kernels::gemm_weighted_sum({scores.row(r) + j - first, 1, 1, 1},
                                           values.rows_from(j - first, 1), /*accumulate=*/true,
                                           tile.context.rows_from(r, 1));
    }
}

}  // namespace

std::size_t flash_workspace(const Shape&) noexcept { return kRows * kKeys; }

void flash(const Problem& problem, const Result& result, float* workspace) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    for (std::size_t h = 0; h < H; ++h) {
        const bool finite = all_finite(problem.values(h));
        for (std::size_t from = 0; from < Tq; from += kRows) {
            const std::size_t to = std::min(from + kRows, Tq);
            RowState states[kRows];
            const MatrixView context = result.context.head(h, Tq, dv).rows_from(from, to - from);
            for (std::size_t r = 0; r < context.rows; ++r)
                std::fill(context.row(r), context.row(r) + dv, 0.0f);
            const Tile tile{from, to, dense(workspace, kRows, kKeys), context, states};
            const KeyRange range = problem.mask.key_range_of(from, to, Tq, Tk);
            for (std::size_t first = range.begin; first < range.end; first += kKeys)
                absorb_keys(problem, h, first, std::min(kKeys, range.end - first), finite, tile);
            for (std::size_t r = 0; r < context.rows; ++r)
                if (states[r].seen) kernels::divide(context.row(r), dv, states[r].sum);
        }
    }
}

}  // namespace headlights::attention
