#include "attention/problem.hpp"

#include <cmath>

#include "core/checked.hpp"

namespace headlights::attention {

Error validate(const Problem& problem) noexcept {
    const Shape& shape = problem.shape;
    const auto kind = static_cast<std::int32_t>(problem.mask.kind);
    if (!std::isfinite(problem.scale)) return Error::BadArgument;
    if (kind < 0 || kind > static_cast<std::int32_t>(PatternKind::Given)) return Error::BadArgument;
    if (shape.H == 0 || shape.Hkv == 0 || shape.H % shape.Hkv != 0) return Error::BadShape;
    const bool cells = shape.Tq > 0 && shape.Tk > 0;
    if (problem.mask.kind == PatternKind::Given && problem.mask.given == nullptr && cells)
        return Error::BadShape;
    if (!checked_product({shape.H, shape.Tq, shape.Tk, sizeof(float)}) ||
        !checked_product({shape.H, shape.Tq, shape.dk, sizeof(float)}) ||
        !checked_product({shape.H, shape.Tk, shape.dk, sizeof(float)}) ||
        !checked_product({shape.H, shape.Tk, shape.dv, sizeof(float)}) ||
        !checked_product({shape.H, shape.Tq, shape.dv, sizeof(float)}))
        return Error::OutOfMemory;
    return Error::Ok;
}

}  // namespace headlights::attention
