// A row-major matrix of fp32 numbers that somebody else owns: pointer, rows, columns, distance of
// rows. The letters of all dimensions are listed in cpp/README.md (H, Hkv, Tq, Tk, d, dk, dv).
#pragma once

#include <cstddef>

namespace headlights {

template <class T> struct BasicMatrixView {
    T* data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;  // elements from one row to the next, at least `columns`

    [[nodiscard]] T* row(std::size_t index) const noexcept { return data + index * stride; }
    [[nodiscard]] BasicMatrixView<T> rows_from(std::size_t first,
                                               std::size_t count) const noexcept {
        return {row(first), count, columns, stride};
    }
    [[nodiscard]] BasicMatrixView<T> columns_from(std::size_t first,
                                                  std::size_t count) const noexcept {
        return {data + first, rows, count, stride};
    }
    operator BasicMatrixView<const T>() const noexcept { return {data, rows, columns, stride}; }
};

using MatrixView = BasicMatrixView<float>;
using ConstMatrixView = BasicMatrixView<const float>;

// A dense matrix: rows follow each other without gaps.
template <class T>
[[nodiscard]] BasicMatrixView<T> dense(T* data, std::size_t rows, std::size_t columns) noexcept {
    return {data, rows, columns, columns};
}

}  // namespace headlights
