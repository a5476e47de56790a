#include "kernels/decode.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/float16.hpp"
#include "kernels/panel.hpp"
#include "simd/bytes.hpp"
#include "simd/half.hpp"

namespace headlights::kernels {

namespace {

using simd::vec;

constexpr std::size_t kGroup = kPanelColumns;  // rows of a panel
constexpr std::size_t kVectors = kGroup / simd::kLanes;
static_assert(kGroup == simd::kByteGroup && kGroup == simd::kHalfGroup);

void store_group(const vec (&vectors)[kVectors], float* target) noexcept {
    for (std::size_t v = 0; v < kVectors; ++v) simd::store(target + v * simd::kLanes, vectors[v]);
}

float f16_at(const unsigned char* source) noexcept {
    std::uint16_t bits;
    std::memcpy(&bits, source, 2);
    return float_from_f16(bits);
}

void decode_f16(const unsigned char* source, std::size_t count, float* target) noexcept {
    std::size_t c = 0;
    for (; c + kGroup <= count; c += kGroup) {
        vec numbers[kVectors];
        simd::widen_halves(source + 2 * c, numbers);
        store_group(numbers, target + c);
    }
    for (; c < count; ++c) target[c] = f16_at(source + 2 * c);
}

// A plain loop: the compiler makes shifts of vectors of it.
void decode_bf16(const unsigned char* source, std::size_t count, float* target) noexcept {
    for (std::size_t c = 0; c < count; ++c) {
        std::uint16_t bits;
        std::memcpy(&bits, source + 2 * c, 2);
        target[c] = float_from_bf16(bits);
    }
}

void decode_q8(const unsigned char* source, std::size_t count, float* target) noexcept {
    for (std::size_t c = 0; c < count; c += kBlockQ8, source += kBlockQ8Bytes) {
        const vec scale = simd::broadcast(f16_at(source));
        const auto* bytes = reinterpret_cast<const std::int8_t*>(source + 2);
        for (std::size_t i = 0; i < kBlockQ8; i += kGroup) {
            vec numbers[kVectors];
            simd::widen_bytes(bytes + i, numbers);
            for (vec& number : numbers) number = scale * number;
            store_group(numbers, target + c + i);
        }
    }
}

// Numbers [first, first + count) of a row, both whole blocks of the type.
void decode_part(ElementType type, const unsigned char* row, std::size_t first, std::size_t count,
                 float* target) noexcept {
    if (count == 0) return;  // then the addresses may be null
    const unsigned char* source = row + row_bytes(type, first);
    switch (type) {
    case ElementType::F32: std::memcpy(target, source, count * sizeof(float)); break;
    case ElementType::F16: decode_f16(source, count, target); break;
    case ElementType::BF16: decode_bf16(source, count, target); break;
    case ElementType::Q8_0: decode_q8(source, count, target); break;
    }
}

// `depth` numbers of eight interleaved rows, whole blocks of the type.
void decode_interleaved_q8(const unsigned char* source, std::size_t depth, float* target) noexcept {
    for (std::size_t k = 0; k < depth; k += kBlockQ8) {
        vec scales[kVectors];
        simd::widen_halves(source, scales);
        source += 2 * kGroup;
        for (std::size_t i = 0; i < kBlockQ8; ++i, source += kGroup, target += kGroup) {
            vec numbers[kVectors];
            simd::widen_bytes(reinterpret_cast<const std::int8_t*>(source), numbers);
            for (std::size_t v = 0; v < kVectors; ++v) numbers[v] = scales[v] * numbers[v];
            store_group(numbers, target);
        }
    }
}

const float* decode_interleaved(ElementType type, const unsigned char* source, std::size_t depth,
                                float* target) noexcept {
    switch (type) {
    case ElementType::F32:
        if (reinterpret_cast<std::uintptr_t>(source) % alignof(float) == 0)
            return reinterpret_cast<const float*>(source);
        std::memcpy(target, source, depth * kGroup * sizeof(float));
        break;
    case ElementType::F16: decode_f16(source, depth * kGroup, target); break;
    case ElementType::BF16: decode_bf16(source, depth * kGroup, target); break;
    case ElementType::Q8_0: decode_interleaved_q8(source, depth, target); break;
    }
    return target;
}

// Eight rows of numbers of `size` bytes, each as long as `count` of them.
template <std::size_t size>
void interleave(const unsigned char* rows, std::size_t row_size, std::size_t count,
                unsigned char* target) noexcept {
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t r = 0; r < kGroup; ++r, target += size)
            std::memcpy(target, rows + r * row_size + k * size, size);
}

void interleave_group(const unsigned char* rows, ElementType type, std::size_t columns,
                      unsigned char* target) noexcept {
    const std::size_t size = row_bytes(type, columns);
    switch (type) {
    case ElementType::F32: interleave<4>(rows, size, columns, target); break;
    case ElementType::F16:
    case ElementType::BF16: interleave<2>(rows, size, columns, target); break;
    case ElementType::Q8_0:
        for (std::size_t k = 0; k < columns; k += kBlockQ8, rows += kBlockQ8Bytes) {
            interleave<2>(rows, size, 1, target);
            interleave<1>(rows + 2, size, kBlockQ8, target + 2 * kGroup);
            target += kGroup * kBlockQ8Bytes;
        }
        break;
    }
}

// True where the eight rows from `row` on are interleaved.
bool is_panel(const StoredMatrix& matrix, std::size_t row) noexcept {
    return matrix.layout == Layout::Panels && row + kGroup <= matrix.rows;
}

}  // namespace

std::size_t arrange_scratch(ElementType type, std::size_t columns) noexcept {
    return kGroup * row_bytes(type, columns);
}

void arrange_in_panels(unsigned char* data, ElementType type, std::size_t rows, std::size_t columns,
                       unsigned char* scratch) noexcept {
    const std::size_t bytes = arrange_scratch(type, columns);
    if (bytes == 0) return;  // then the addresses may be null
    for (std::size_t row = 0; row + kGroup <= rows; row += kGroup, data += bytes) {
        std::memcpy(scratch, data, bytes);
        interleave_group(scratch, type, columns, data);
    }
}

void decode_row(const StoredMatrix& matrix, std::size_t row, float* target) noexcept {
    const std::size_t group = row / kGroup * kGroup;
    if (!is_panel(matrix, group)) {
        decode_part(matrix.type, matrix.row(row), 0, matrix.columns, target);
        return;
    }
    float part[kBlockQ8 * kGroup];
    for (std::size_t first = 0; first < matrix.columns; first += kBlockQ8) {
        const std::size_t depth = std::min(kBlockQ8, matrix.columns - first);
        const float* panel = decode_panel(matrix, group, first, depth, part);
        for (std::size_t k = 0; k < depth; ++k) target[first + k] = panel[k * kGroup + row - group];
    }
}

const float* decode_panel(const StoredMatrix& matrix, std::size_t row, std::size_t first,
                          std::size_t depth, float* target) noexcept {
    if (is_panel(matrix, row))
        return decode_interleaved(
            matrix.type, matrix.row(row) + kGroup * row_bytes(matrix.type, first), depth, target);
    const std::size_t rows = std::min(kGroup, matrix.rows - row);
    float part[kGroup * kBlockQ8];
    for (std::size_t k = 0; k < depth; k += kBlockQ8) {
        const std::size_t count = std::min(kBlockQ8, depth - k);
        for (std::size_t r = 0; r < rows; ++r)
            decode_part(matrix.type, matrix.row(row + r), first + k, count, part + r * kBlockQ8);
        panel_of_rows({part, rows, count, kBlockQ8}, target + k * kGroup);
    }
    return target;
}

}  // namespace headlights::kernels
