#include "kernels/decode.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/float16.hpp"
#include "simd/bytes.hpp"

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

// One row of blocks; the vectors of the row go `step` numbers apart.
void decode_q8(const unsigned char* source, std::size_t columns, float* target,
               std::size_t step) noexcept {
    constexpr std::size_t kVectors = simd::kByteGroup / simd::kLanes;
    for (std::size_t c = 0; c < columns; c += kBlockQ8, source += kBlockQ8Bytes) {
        std::uint16_t bits;
        std::memcpy(&bits, source, 2);
        const simd::vec scale = simd::broadcast(float_from_f16(bits));
        const auto* bytes = reinterpret_cast<const std::int8_t*>(source + 2);
        for (std::size_t group = 0; group < kBlockQ8; group += simd::kByteGroup) {
            simd::vec numbers[kVectors];
            simd::widen_bytes(bytes + group, numbers);
            for (std::size_t v = 0; v < kVectors; ++v, target += step)
                simd::store(target, scale * numbers[v]);
        }
    }
}

// Numbers [first, first + count) of a row that is not in blocks.
void decode_part(ElementType type, const unsigned char* row, std::size_t first, std::size_t count,
                 float* target) noexcept {
    if (count == 0) return;  // then the addresses may be null
    switch (type) {
    case ElementType::F32: std::memcpy(target, row + 4 * first, count * sizeof(float)); break;
    case ElementType::F16: decode_16_bit<float_from_f16>(row + 2 * first, count, target); break;
    case ElementType::BF16: decode_16_bit<float_from_bf16>(row + 2 * first, count, target); break;
    case ElementType::Q8_0: break;
    }
}

}  // namespace

void decode_row(const StoredMatrix& matrix, std::size_t row, float* target) noexcept {
    if (matrix.type == ElementType::Q8_0)
        decode_q8(matrix.row(row), matrix.columns, target, simd::kLanes);
    else
        decode_part(matrix.type, matrix.row(row), 0, matrix.columns, target);
}

std::size_t packed_columns(std::size_t columns) noexcept {
    return (columns + simd::kLanes - 1) / simd::kLanes * simd::kLanes;
}

void decode_row_packed(const StoredMatrix& matrix, std::size_t row, std::size_t slot,
                       std::size_t slots, float* target) noexcept {
    constexpr std::size_t kPart = 32;
    static_assert(kPart % simd::kLanes == 0);
    const unsigned char* source = matrix.row(row);
    float* cursor = target + slot * simd::kLanes;
    if (matrix.type == ElementType::Q8_0) {
        decode_q8(source, matrix.columns, cursor, slots * simd::kLanes);
        return;
    }
    for (std::size_t first = 0; first < matrix.columns; first += kPart) {
        float part[kPart];
        const std::size_t count = std::min(kPart, matrix.columns - first);
        if (count == kPart) {
            decode_part(matrix.type, source, first, kPart, part);
        } else {
            std::fill(part, part + kPart, 0.0f);
            decode_part(matrix.type, source, first, count, part);
        }
        for (std::size_t c = 0; c < count; c += simd::kLanes, cursor += slots * simd::kLanes)
            simd::store(cursor, simd::load(part + c));
    }
}

}  // namespace headlights::kernels
