#include "kernels/decode.hpp"

#include <cstdint>
#include <cstring>

#include "core/float16.hpp"

namespace headlights::kernels {

namespace {

// Plain loops over fixed blocks: the compiler turns them into widening SIMD conversions, and every
// number is one exact conversion (and for Q8_0 one product), so the result does not depend on the
// vector width.
template <float (*convert)(std::uint16_t)>
void decode_16_bit(const unsigned char* source, std::size_t columns, float* target) noexcept {
    for (std::size_t c = 0; c < columns; ++c) {
        std::uint16_t bits;
        std::memcpy(&bits, source + 2 * c, 2);
        target[c] = convert(bits);
    }
}

void decode_q8(const unsigned char* source, std::size_t columns, float* target) noexcept {
    for (std::size_t c = 0; c < columns; c += kBlockQ8, source += kBlockQ8Bytes) {
        std::uint16_t bits;
        std::memcpy(&bits, source, 2);
        const float scale = float_from_f16(bits);
        std::int8_t bytes[kBlockQ8];
        std::memcpy(bytes, source + 2, kBlockQ8);
        for (std::size_t i = 0; i < kBlockQ8; ++i)
            target[c + i] = scale * static_cast<float>(bytes[i]);
    }
}

}  // namespace

void decode_row(const StoredMatrix& matrix, std::size_t row, float* target) noexcept {
    const unsigned char* source = matrix.row(row);
    switch (matrix.type) {
    case ElementType::F32: std::memcpy(target, source, matrix.columns * sizeof(float)); break;
    case ElementType::F16: decode_16_bit<float_from_f16>(source, matrix.columns, target); break;
    case ElementType::BF16: decode_16_bit<float_from_bf16>(source, matrix.columns, target); break;
    case ElementType::Q8_0: decode_q8(source, matrix.columns, target); break;
    }
}

}  // namespace headlights::kernels
