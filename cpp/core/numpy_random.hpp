// The numbers of NumPy's legacy generator, numpy.random.RandomState(seed): the same bits from the
// same seed, so that a tutorial's matrices can be drawn anew instead of being stored. Mersenne
// Twister MT19937 (Matsumoto & Nishimura 1998, ACM TOMACS 8(1), table II) seeded as NumPy seeds it
// from one integer, doubles of 53 bits, and Gaussian numbers by the polar method (Marsaglia & Bray
// 1964, SIAM Review 6(3)), two at a time, as NumPy's legacy stream does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headlights {

class NumpyRandom {
public:
    explicit NumpyRandom(std::uint32_t seed) noexcept;

    // 32 random bits.
    [[nodiscard]] std::uint32_t bits() noexcept;

    // Uniform in [0, 1): RandomState.random_sample().
    [[nodiscard]] double uniform() noexcept;

    // Mean 0, deviation 1: RandomState.randn(). Equal to NumPy's to the last bit or the one beside
    // it, as the C library rounds log.
    [[nodiscard]] double gaussian() noexcept;

private:
    static constexpr std::size_t kWords = 624;

    void refill() noexcept;

    std::array<std::uint32_t, kWords> state_;
    std::size_t next_ = kWords;
    double second_ = 0.0;  // the other number of a pair
    bool has_second_ = false;
};

}  // namespace headlights
