#include "model/weights.hpp"

#include "core/checked.hpp"
#include "core/finite.hpp"

namespace headlights::model {

using kernels::Layout;

namespace {

constexpr std::size_t kLayerRoles = kRoles - kSharedRoles;

constexpr std::size_t index_of(TensorRole role) noexcept { return static_cast<std::size_t>(role); }

constexpr bool known(TensorRole role) noexcept { return index_of(role) < kRoles; }

}  // namespace

Weights::Weights(const ModelSpec& spec)
    : spec_(spec), tensors_(kSharedRoles + spec.layers * kLayerRoles) {}

Weights::Extent Weights::extent(TensorRole role) const noexcept {
    const std::size_t d = spec_.width;
    switch (role) {
    case TensorRole::WordEmbedding: return {spec_.vocabulary, d, false};
    case TensorRole::PositionEmbedding: return {spec_.positions, d, false};
    case TensorRole::TypeEmbedding: return {spec_.types, d, false};
    case TensorRole::QueryWeight:
    case TensorRole::KeyWeight:
    case TensorRole::ValueWeight:
    case TensorRole::OutputWeight: return {d, d, false};
    case TensorRole::UpWeight: return {spec_.feed_forward, d, false};
    case TensorRole::DownWeight: return {d, spec_.feed_forward, false};
    case TensorRole::UpBias: return {1, spec_.feed_forward, true};
    default: return {1, d, true};
    }
}

Weights::Tensor* Weights::find(TensorRole role, std::size_t layer) noexcept {
    return const_cast<Tensor*>(static_cast<const Weights*>(this)->find(role, layer));
}

const Weights::Tensor* Weights::find(TensorRole role, std::size_t layer) const noexcept {
    if (!known(role)) return nullptr;
    const std::size_t index = index_of(role);
    if (index < kSharedRoles) return &tensors_[index];
    if (layer >= spec_.layers) return nullptr;
    return &tensors_[kSharedRoles + layer * kLayerRoles + index - kSharedRoles];
}

std::size_t Weights::byte_length(TensorRole role, ElementType type) const noexcept {
    if (!known(role)) return 0;
    const Extent size = extent(role);
    if (size.vector && type != ElementType::F32) return 0;
    return checked_product({size.rows, row_bytes(type, size.columns)}).value_or(0);
}

unsigned char* Weights::allocate(TensorRole role, std::size_t layer, ElementType type) noexcept {
    Tensor* tensor = find(role, layer);
    const std::size_t bytes = byte_length(role, type);
    if (tensor == nullptr || bytes == 0) return nullptr;
    tensor->ready = false;
    if (tensor->bytes.size() != bytes || tensor->type != type || tensor->layout != Layout::Rows) {
        tensor->type = type;
        tensor->layout = Layout::Rows;
        tensor->bytes = {};
        tensor->bytes = AlignedBuffer<unsigned char>(bytes);
    }
    return tensor->bytes.data();
}

void Weights::set_ready(TensorRole role, std::size_t layer) noexcept {
    Tensor* tensor = find(role, layer);
    if (tensor == nullptr || tensor->bytes.size() == 0) return;
    const Extent size = extent(role);
    if (index_of(role) >= kSharedRoles && !size.vector) arrange(*tensor, size);
    tensor->ready = true;
}

void Weights::arrange(Tensor& tensor, Extent size) noexcept {
    if (tensor.layout == Layout::Panels) return;
    const AlignedBuffer<unsigned char> scratch(kernels::arrange_scratch(tensor.type, size.columns));
    if (!scratch.valid()) return;
    kernels::arrange_in_panels(tensor.bytes.data(), tensor.type, size.rows, size.columns,
                               scratch.data());
    tensor.layout = Layout::Panels;
}

bool Weights::ready(TensorRole first, TensorRole last, std::size_t layer) const noexcept {
    for (std::size_t role = index_of(first); role <= index_of(last); ++role) {
        const Tensor* tensor = find(static_cast<TensorRole>(role), layer);
        if (tensor == nullptr || !tensor->ready) return false;
    }
    return true;
}

bool Weights::layer_ready(std::size_t layer, bool all) const noexcept {
    return ready(TensorRole::QueryWeight, all ? TensorRole::LayerNormBias : TensorRole::KeyBias,
                 layer);
}

bool Weights::embeddings_ready() const noexcept {
    return ready(TensorRole::WordEmbedding, TensorRole::EmbeddingNormBias, 0);
}

std::size_t Weights::count_non_finite(TensorRole role, std::size_t layer, std::size_t from,
                                      std::size_t to) const noexcept {
    const Tensor* tensor = find(role, layer);
    if (tensor == nullptr || tensor->bytes.size() == 0) return 0;
    const Extent size = extent(role);
    const std::size_t bytes = row_bytes(tensor->type, size.columns);
    std::size_t found = 0;
    for (std::size_t row = from; row < to && row < size.rows; ++row)
        found +=
            count_non_finite_in_row(tensor->bytes.data() + row * bytes, tensor->type, size.columns);
    return found;
}

kernels::StoredMatrix Weights::matrix(TensorRole role, std::size_t layer) const noexcept {
    const Tensor* tensor = find(role, layer);
    const Extent size = extent(role);
    return {tensor->bytes.data(), tensor->type, size.rows, size.columns, tensor->layout};
}

const float* Weights::vector(TensorRole role, std::size_t layer) const noexcept {
    return reinterpret_cast<const float*>(find(role, layer)->bytes.data());
}

std::size_t Weights::memory() const noexcept {
    std::size_t bytes = 0;
    for (const Tensor& tensor : tensors_) bytes += tensor.bytes.size();
    return bytes;
}

}  // namespace headlights::model
