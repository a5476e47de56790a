#include "core/numpy_random.hpp"

#include <cmath>

namespace headlights {

NumpyRandom::NumpyRandom(std::uint32_t seed) noexcept {
    for (std::size_t i = 0; i < kWords; ++i) {
        state_[i] = seed;
        seed = 1812433253u * (seed ^ (seed >> 30)) + static_cast<std::uint32_t>(i) + 1u;
    }
}

void NumpyRandom::refill() noexcept {
    constexpr std::size_t kShift = 397;
    for (std::size_t i = 0; i < kWords; ++i) {
        const std::uint32_t mixed =
            (state_[i] & 0x80000000u) | (state_[(i + 1) % kWords] & 0x7fffffffu);
        const std::uint32_t odd = (mixed & 1u) != 0 ? 0x9908b0dfu : 0u;
        state_[i] = state_[(i + kShift) % kWords] ^ (mixed >> 1) ^ odd;
    }
    next_ = 0;
}

std::uint32_t NumpyRandom::bits() noexcept {
    if (next_ == kWords) refill();
    std::uint32_t word = state_[next_++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

double NumpyRandom::uniform() noexcept {
    const double high = bits() >> 5;  // 27 bits
    const double low = bits() >> 6;   // 26 bits
    return (high * 0x1p26 + low) / 0x1p53;
}

double NumpyRandom::gaussian() noexcept {
    if (has_second_) {
        has_second_ = false;
        return second_;
    }
    double x, y, square;
    do {
        x = 2.0 * uniform() - 1.0;
        y = 2.0 * uniform() - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double stretch = std::sqrt(-2.0 * std::log(square) / square);
    second_ = stretch * x;
    has_second_ = true;
    return stretch * y;
}

}  // namespace headlights
