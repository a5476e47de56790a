#include "core/aligned_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

using namespace headlights;

TEST_SUITE("core") {
    constexpr std::size_t kMost = static_cast<std::size_t>(-1);

    TEST_CASE("buffers are aligned and zeroed, also where memory was used before") {
        for (std::size_t count = 1; count < 300; count += 7) {
            for (int round = 0; round < 2; ++round) {
                const AlignedBuffer<float> buffer(count);
                REQUIRE(buffer.valid());
                CHECK(buffer.size() == count);
                CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % kAlignment == 0);
                CHECK(std::ranges::all_of(buffer.span(), [](float x) { return x == 0.0f; }));
                std::ranges::fill(buffer.span(), 1.0f);
            }
        }
    }

    TEST_CASE("bytes_in_use counts what is asked for and returns to where it was") {
        const std::size_t before = bytes_in_use();
        {
            AlignedBuffer<float> first(100);
            CHECK(bytes_in_use() == before + 400);
            const AlignedBuffer<unsigned char> second(3);
            CHECK(bytes_in_use() == before + 403);
            AlignedBuffer<float> moved(std::move(first));
            CHECK(bytes_in_use() == before + 403);
            CHECK(first.size() == 0);
            CHECK(first.valid());
            moved = AlignedBuffer<float>(10);
            CHECK(bytes_in_use() == before + 43);
            moved = {};
            CHECK(bytes_in_use() == before + 3);
        }
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("a buffer keeps its numbers when it is moved") {
        AlignedBuffer<int> source(3);
        source.data()[2] = 7;
        AlignedBuffer<int> target;
        target = std::move(source);
        REQUIRE(target.size() == 3);
        CHECK(target.data()[2] == 7);
        AlignedBuffer<int>& same = target;
        target = std::move(same);
        CHECK(target.data()[2] == 7);
    }

    TEST_CASE("an empty buffer is valid and has no address") {
        const AlignedBuffer<float> none;
        const AlignedBuffer<float> empty(0);
        CHECK(none.valid());
        CHECK(empty.valid());
        CHECK(empty.data() == nullptr);
        CHECK(empty.span().empty());
        release_bytes(nullptr);
    }

    TEST_CASE("memory that cannot be had gives an invalid, empty buffer and changes no count") {
        const std::size_t before = bytes_in_use();
        for (const std::size_t bytes :
             {kMost, kMost - kAlignment, kMost - 2 * kAlignment, kMost / 2 + 1, kMost / 4 * 3}) {
            const AlignedBuffer<unsigned char> buffer(bytes);
            CHECK_FALSE(buffer.valid());
            CHECK(buffer.size() == 0);
            CHECK(buffer.data() == nullptr);
        }
        CHECK(bytes_in_use() == before);
    }

    TEST_CASE("a count whose bytes overflow gives an invalid buffer, not a short one") {
        const AlignedBuffer<float> wraps_to_nothing(kMost / 4 + 1);
        CHECK_FALSE(wraps_to_nothing.valid());
        const AlignedBuffer<float> wraps_to_little(kMost / 4 + 17);
        CHECK_FALSE(wraps_to_little.valid());
        CHECK(wraps_to_little.size() == 0);
    }
}
