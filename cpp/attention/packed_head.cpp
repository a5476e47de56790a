#include "attention/packed_head.hpp"

#include <algorithm>

#include "kernels/panel.hpp"

namespace headlights::attention {

using kernels::kPanelColumns;

std::size_t packed_size(const Shape& shape) noexcept {
    return kernels::panelled(shape.Tk) * shape.dk + kernels::panelled(shape.dv) * shape.Tk;
}

PackedHead pack_head(const Problem& problem, std::size_t kv, float* target) noexcept {
    const Shape& shape = problem.shape;
    const ConstMatrixView keys = problem.k.head(kv, shape.Tk, shape.dk);
    const ConstMatrixView values = problem.v.head(kv, shape.Tk, shape.dv);
    const PackedHead head{shape.Tk, shape.dk, target,
                          target + kernels::panelled(shape.Tk) * shape.dk};
    for (std::size_t j = 0; j < keys.rows; j += kPanelColumns, target += kPanelColumns * shape.dk)
        kernels::panel_of_rows(keys.rows_from(j, std::min(kPanelColumns, keys.rows - j)), target);
    for (std::size_t c = 0; c < shape.dv; c += kPanelColumns, target += kPanelColumns * shape.Tk)
        kernels::panel_of_columns(values.columns_from(c, std::min(kPanelColumns, shape.dv - c)),
                                  target);
    return head;
}

KeyRange whole_panels(KeyRange range, std::size_t Tk) noexcept {
    return {range.begin / kPanelColumns * kPanelColumns,
            std::min(kernels::panelled(range.end), Tk)};
}

void packed_scores(ConstMatrixView queries, const PackedHead& head, KeyRange range, float scale,
                   MatrixView y) noexcept {
    for (std::size_t j = range.begin; j < range.end; j += kPanelColumns)
        kernels::multiply_panel(
            queries, head.keys + j * head.dk, {nullptr, false, scale},
            y.columns_from(j - range.begin, std::min(kPanelColumns, range.end - j)));
}

void packed_context(ConstMatrixView weights, const PackedHead& head, KeyRange range,
                    bool accumulate, MatrixView y) noexcept {
    for (std::size_t c = 0; c < y.columns; c += kPanelColumns)
        kernels::multiply_panel(weights, head.values + c * head.Tk + range.begin * kPanelColumns,
                                {nullptr, accumulate, 1.0f},
                                y.columns_from(c, std::min(kPanelColumns, y.columns - c)));
}

}  // namespace headlights::attention
