#include "support/safetensors.hpp"
#include "support/small_model.hpp"

namespace headlights::test {

SmallModel golden_bert() {
    const Safetensors file("models-tiny/bert/model.safetensors");
    return SmallModel::from_numbers({2, 4, 48, 96, 480, 64, 2, 1e-12f},
                                    [&](const std::string& name) { return file.floats(name); });
}

}  // namespace headlights::test
