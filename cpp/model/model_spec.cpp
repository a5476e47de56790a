#include "model/model_spec.hpp"

namespace headlights::model {

Error validate(const ModelSpec& spec) noexcept {
    constexpr std::size_t kLargest = std::size_t{1} << 20;
    constexpr std::size_t kMostParts = 1024;
    const std::size_t sizes[] = {spec.layers,     spec.heads,     spec.width, spec.feed_forward,
                                 spec.vocabulary, spec.positions, spec.types};
    for (const std::size_t size : sizes)
        if (size == 0 || size > kLargest) return Error::BadShape;
    if (spec.layers > kMostParts || spec.heads > kMostParts || spec.width % spec.heads != 0)
        return Error::BadShape;
    if (!(spec.epsilon > 0.0f && spec.epsilon < 1.0f)) return Error::BadArgument;
    return Error::Ok;
}

}  // namespace headlights::model
