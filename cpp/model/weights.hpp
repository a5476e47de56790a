// The weights of one model in the forms in which they arrived. Bytes are written from outside,
// straight to the address that allocate() gives; set_ready() says when a tensor may be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "kernels/decode.hpp"
#include "model/model_spec.hpp"

namespace headlights::model {

// JavaScript knows the same list by position. Matrices are stored [out, in].
enum class TensorRole : std::int32_t {
    WordEmbedding,
    PositionEmbedding,
    TypeEmbedding,
    EmbeddingNormWeight,
    EmbeddingNormBias,
    QueryWeight,  // from here on: one a layer
    QueryBias,
    KeyWeight,
    KeyBias,
    ValueWeight,
    ValueBias,
    OutputWeight,
    OutputBias,
    AttentionNormWeight,
    AttentionNormBias,
    UpWeight,
    UpBias,
    DownWeight,
    DownBias,
    LayerNormWeight,
    LayerNormBias,
};

inline constexpr std::size_t kRoles = 21;
inline constexpr std::size_t kSharedRoles = 5;  // those before QueryWeight: no layer

class Weights {
public:
    // The spec must be valid. No tensor has memory yet.
    explicit Weights(const ModelSpec& spec);

    // Bytes of a tensor in a type; 0 if the role is unknown, the type does not fit the row length,
    // a vector is asked for in anything but F32, or the size overflows.
    [[nodiscard]] std::size_t byte_length(TensorRole role, ElementType type) const noexcept;

    // Where the tensor's bytes go: zeroed memory, taken at the first call; null when it cannot be
    // had or byte_length would be 0. A call with another type throws the old bytes away. The tensor
    // is not ready until set_ready() says so again.
    [[nodiscard]] unsigned char* allocate(TensorRole role, std::size_t layer,
                                          ElementType type) noexcept;

    // Its rows are written. The matrices of the layers are arranged for products (kernels::Layout)
    // and change their bytes; where the memory for that cannot be had they stay as they came.
    void set_ready(TensorRole role, std::size_t layer) noexcept;

    // True when the queries and keys of a layer can be computed from its input (`all`: its output
    // too).
    [[nodiscard]] bool layer_ready(std::size_t layer, bool all) const noexcept;
    [[nodiscard]] bool embeddings_ready() const noexcept;

    // NaN and infinite numbers in rows [from, to); a vector is one row. Of a matrix of a layer
    // before it is ready.
    [[nodiscard]] std::size_t count_non_finite(TensorRole role, std::size_t layer, std::size_t from,
                                               std::size_t to) const noexcept;

    // The tensor must be ready. vector(): F32 numbers.
    [[nodiscard]] kernels::StoredMatrix matrix(TensorRole role,
                                               std::size_t layer = 0) const noexcept;
    [[nodiscard]] const float* vector(TensorRole role, std::size_t layer = 0) const noexcept;

    [[nodiscard]] std::size_t memory() const noexcept;
    [[nodiscard]] const ModelSpec& spec() const noexcept { return spec_; }

private:
    struct Tensor {
        AlignedBuffer<unsigned char> bytes;
        ElementType type = ElementType::F32;
        kernels::Layout layout = kernels::Layout::Rows;
        bool ready = false;
    };
    struct Extent {
        std::size_t rows = 0;  // 1 for a vector
        std::size_t columns = 0;
        bool vector = false;
    };

    static void arrange(Tensor& tensor, Extent size) noexcept;
    [[nodiscard]] Extent extent(TensorRole role) const noexcept;
    [[nodiscard]] Tensor* find(TensorRole role, std::size_t layer) noexcept;
    [[nodiscard]] const Tensor* find(TensorRole role, std::size_t layer) const noexcept;
    [[nodiscard]] bool ready(TensorRole first, TensorRole last, std::size_t layer) const noexcept;

    ModelSpec spec_;
    std::vector<Tensor> tensors_;  // the shared roles, then the layer roles of layer 0, 1, ...
};

}  // namespace headlights::model
