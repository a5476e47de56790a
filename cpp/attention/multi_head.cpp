#include "attention/multi_head.hpp"

#include <algorithm>

#include "attention/explained.hpp"
#include "core/checked.hpp"
#include "kernels/gemm.hpp"

namespace headlights::attention {

namespace {

// y [T, parts * size] = x w; in one product, or one for each part of `size` columns.
void project(ConstMatrixView x, ConstMatrixView w, std::size_t parts, std::size_t size,
             Projection projection, float* y) noexcept {
    const MatrixView target = dense(y, x.rows, parts * size);
    if (projection == Projection::Batched) {
        kernels::gemm_weighted_sum(x, w, /*accumulate=*/false, target);
        return;
    }
    for (std::size_t part = 0; part < parts; ++part)
        kernels::gemm_weighted_sum(x, w.columns_from(part * size, size), /*accumulate=*/false,
                                   target.columns_from(part * size, size));
}

}  // namespace

Error validate(const MultiHead& block) noexcept {
    const Shape& shape = block.shape;
    const Problem problem{shape, {}, {}, {}, block.scale, block.mask};
    if (const Error error = validate(problem); error != Error::Ok) return error;
    for (const std::size_t width : {shape.dk, shape.dv})
        if (!checked_product({shape.H, width, std::max({block.d, block.d_out, shape.Tq, shape.Tk}),
                              sizeof(float)}))
            return Error::OutOfMemory;
    return Error::Ok;
}

Problem problem_of(const MultiHead& block, const MultiHeadResult& result) noexcept {
    const Shape& shape = block.shape;
    return {shape,
            {result.queries, shape.dk, shape.H * shape.dk},
            {result.keys, shape.dk, shape.Hkv * shape.dk},
            {result.values, shape.dv, shape.Hkv * shape.dv},
            block.scale,
            block.mask};
}

std::size_t multi_head_workspace(const Shape& shape) noexcept { return explained_workspace(shape); }

void multi_head(const MultiHead& block, Projection projection, const MultiHeadResult& result,
                float* workspace) noexcept {
    const auto& [H, Hkv, Tq, Tk, dk, dv] = block.shape;
    project(block.x, block.w_q, H, dk, projection, result.queries);
    project(block.memory, block.w_k, Hkv, dk, projection, result.keys);
    project(block.memory, block.w_v, Hkv, dv, projection, result.values);
    explained(problem_of(block, result),
              {result.scores, result.weights, {result.concat, dv, H * dv}}, workspace);
    kernels::gemm_weighted_sum(dense<const float>(result.concat, Tq, H * dv), block.w_o,
                               /*accumulate=*/false, dense(result.output, Tq, block.d_out));
}

}  // namespace headlights::attention
