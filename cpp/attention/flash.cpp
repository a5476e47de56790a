#include "attention/flash.hpp"

#include <algorithm>
#include <limits>

#include "attention/masked_row.hpp"
#include "attention/packed_head.hpp"
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
bool mask_tile_row(const Problem& problem, std::size_t i, KeyRange keys, float* scores) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    const KeyRange range = problem.mask.key_range(i, Tq, Tk);
    if (!problem.mask.has_bytes() && range.begin <= keys.begin && keys.end <= range.end)
        return true;
    bool any = false;
    for (std::size_t j = keys.begin; j < keys.end; ++j) {
        const bool allowed =
            j >= range.begin && j < range.end && problem.mask.byte_allows(i, j, Tk);
        if (!allowed) scores[j - keys.begin] = kLowest;
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
    float* scores;         // [to - from, keys of the step]
    MatrixView context;    // [to - from, dv]
    RowState* states;
};

// Adds weighted values of allowed keys alone, one by one.
void add_allowed(const Problem& problem, std::size_t h, std::size_t i, KeyRange keys,
                 const float* weights, MatrixView context) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    const KeyRange range = problem.mask.key_range(i, Tq, Tk);
    for (std::size_t j = std::max(keys.begin, range.begin); j < std::min(keys.end, range.end); ++j)
        if (problem.mask.byte_allows(i, j, Tk))
            kernels::gemm_weighted_sum({weights + j - keys.begin, 1, 1, 1},
                                       problem.values(h).rows_from(j, 1), /*accumulate=*/true,
                                       context);
}

// One step of the online softmax: the tile's rows against the keys of a few whole panels.
void absorb_keys(const Problem& problem, std::size_t h, const PackedHead& packed, KeyRange keys,
                 bool finite, const Tile& tile) noexcept {
    const std::size_t rows = tile.to - tile.from;
    const MatrixView scores = dense(tile.scores, rows, keys.end - keys.begin);
    packed_scores(problem.queries(h).rows_from(tile.from, rows), packed, keys, problem.scale,
                  scores);
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = scores.row(r);
        if (mask_tile_row(problem, tile.from + r, keys, row))
            absorb_row(tile.states[r], row, scores.columns, tile.context.row(r), problem.shape.dv);
        else
            std::fill(row, row + scores.columns, 0.0f);
    }
    if (finite) {
        packed_context(scores, packed, keys, /*accumulate=*/true, tile.context);
        return;
    }
    for (std::size_t r = 0; r < rows; ++r)
        add_allowed(problem, h, tile.from + r, keys, scores.row(r), tile.context.rows_from(r, 1));
}

// The query rows [from, to) of one head, whose keys and values are packed.
void flash_rows(const Problem& problem, std::size_t h, std::size_t from, std::size_t to,
                const PackedHead& packed, bool finite, MatrixView context, float* scores) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = problem.shape;
    RowState states[kRows];
    for (std::size_t r = 0; r < context.rows; ++r)
        std::fill(context.row(r), context.row(r) + dv, 0.0f);
    const KeyRange range = whole_panels(problem.mask.key_range_of(from, to, Tq, Tk), Tk);
    for (std::size_t first = range.begin; first < range.end; first += kKeys)
        absorb_keys(problem, h, packed, {first, std::min(first + kKeys, range.end)}, finite,
                    {from, to, scores, context, states});
    for (std::size_t r = 0; r < context.rows; ++r)
        if (states[r].seen) kernels::multiply(context.row(r), dv, 1.0f / states[r].sum);
}

}  // namespace

std::size_t flash_workspace(const Shape& shape) noexcept {
    return packed_size(shape) + kRows * kKeys;
}

void flash(const Problem& problem, const Result& result, float* workspace) noexcept {
    const Shape& shape = problem.shape;
    PackedHead packed;
    bool finite = true;
    for (std::size_t h = 0; h < shape.H; ++h) {
        const std::size_t kv = problem.kv_head(h);
        if (h == 0 || kv != problem.kv_head(h - 1)) {
            packed = pack_head(problem, kv, workspace);
            finite = all_finite(problem.values(h));
        }
        const MatrixView context = result.context.head(h, shape.Tq, shape.dv);
        for (std::size_t from = 0; from < shape.Tq; from += kRows) {
            const std::size_t to = std::min(from + kRows, shape.Tq);
            flash_rows(problem, h, from, to, packed, finite, context.rows_from(from, to - from),
                       workspace + packed_size(shape));
        }
    }
}

}  // namespace headlights::attention
