// A matrix whose surroundings are watched: before it, after it and in the gaps between its rows
// stand marks, so that a kernel which writes outside is found. The marks are NaN, so that one which
// reads outside spoils its result; inputs end with their last number, where the address sanitizer
// of native-debug watches too.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix_view.hpp"

namespace headlights::test {

// How a matrix lies in memory. `shift` numbers before the first one (misaligned unless a multiple
// of the vector width), rows `gap` numbers longer than their columns.
struct Layout {
    std::size_t shift = 0;
    std::size_t gap = 0;
};

class Fenced {
public:
    // A matrix to be written: `fence` marks stand after it.
    Fenced(std::size_t rows, std::size_t columns, Layout layout = {})
        : Fenced(rows, columns, layout, kFence) {}

    // A matrix to be read, holding `values` (dense, rows x columns).
    Fenced(std::span<const float> values, std::size_t rows, std::size_t columns, Layout layout = {})
        : Fenced(rows, columns, layout, 0) {
        for (std::size_t r = 0; r < rows; ++r)
            std::copy_n(values.begin() + r * columns, columns, view().row(r));
    }

    [[nodiscard]] MatrixView view() noexcept {
        return {numbers_.data() + start_, rows_, columns_, stride_};
    }
    [[nodiscard]] ConstMatrixView view() const noexcept {
        return {numbers_.data() + start_, rows_, columns_, stride_};
    }
    [[nodiscard]] float* data() noexcept { return numbers_.data() + start_; }
    [[nodiscard]] const float* data() const noexcept { return numbers_.data() + start_; }

    // The numbers without their gaps.
    [[nodiscard]] std::vector<float> values() const {
        std::vector<float> dense;
        dense.reserve(rows_ * columns_);
        for (std::size_t r = 0; r < rows_; ++r)
            dense.insert(dense.end(), view().row(r), view().row(r) + columns_);
        return dense;
    }

    // True while every mark still stands.
    [[nodiscard]] bool intact() const noexcept {
        for (std::size_t index = 0; index < numbers_.size(); ++index)
            if (!inside(index) && std::bit_cast<std::uint32_t>(numbers_[index]) != kMark)
                return false;
        return true;
    }

private:
    static constexpr std::size_t kFence = 16;            // two vectors of eight lanes
    static constexpr std::uint32_t kMark = 0x7fc0feedu;  // a NaN that no arithmetic makes

    Fenced(std::size_t rows, std::size_t columns, Layout layout, std::size_t fence)
        : rows_(rows),
          columns_(columns),
          stride_(columns + layout.gap),
          start_(fence + layout.shift),
          numbers_(start_ + (rows == 0 ? 0 : (rows - 1) * stride_ + columns) + fence,
                   std::bit_cast<float>(kMark)) {}

    [[nodiscard]] bool inside(std::size_t index) const noexcept {
        if (index < start_ || stride_ == 0) return false;
        const std::size_t place = index - start_;
        return place / stride_ < rows_ && place % stride_ < columns_;
    }

    std::size_t rows_;
    std::size_t columns_;
    std::size_t stride_;
    std::size_t start_;
    std::vector<float> numbers_;
};

}  // namespace headlights::test
