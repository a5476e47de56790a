#include "attention/mask.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "support/attention_case.hpp"

using namespace headlights;
using attention::KeyRange;
using attention::Mask;
using attention::PatternKind;

namespace {

bool allows(const Mask& mask, std::size_t i, std::size_t j, std::size_t Tq, std::size_t Tk) {
    const KeyRange range = mask.key_range(i, Tq, Tk);
    return j >= range.begin && j < range.end && mask.byte_allows(i, j, Tk);
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("ranges and bytes together allow what the definitions allow, cell by cell") {
        std::size_t wrong = 0;
        std::size_t cells = 0;
        for (const test::MaskCase& kind : test::mask_cases())
            for (std::size_t Tq = 0; Tq <= 7; ++Tq)
                for (std::size_t Tk = 0; Tk <= 7; ++Tk) {
                    const test::AttentionCase problem({1, 1, Tq, Tk, 1, 1}, kind,
                                                      test::HeadLayout::HeadByHead, Tq * 10 + Tk);
                    const Mask mask = problem.problem().mask;
                    for (std::size_t i = 0; i < Tq; ++i)
                        for (std::size_t j = 0; j < Tk; ++j, ++cells)
                            wrong += allows(mask, i, j, Tq, Tk) != problem.allows(i, j);
                }
        CHECK(cells > 10000);
        CHECK(wrong == 0);
    }

    TEST_CASE("the range of several rows holds the range of each and no key beyond them") {
        for (const test::MaskCase& kind : test::mask_cases()) {
            const std::size_t Tq = 9;
            const std::size_t Tk = 6;
            const Mask mask{kind.kind, kind.radius, nullptr, nullptr};
            for (std::size_t first = 0; first <= Tq; ++first)
                for (std::size_t last = first; last <= Tq; ++last) {
                    const KeyRange all = mask.key_range_of(first, last, Tq, Tk);
                    std::size_t begin = Tk;
                    std::size_t end = 0;
                    for (std::size_t i = first; i < last; ++i) {
                        const KeyRange one = mask.key_range(i, Tq, Tk);
                        CHECK(one.begin <= one.end);
                        CHECK(one.end <= Tk);
                        if (one.begin == one.end) continue;
                        begin = std::min(begin, one.begin);
                        end = std::max(end, one.end);
                    }
                    CHECK(all.end - all.begin == (begin < end ? end - begin : 0));
                    if (begin < end) CHECK(all.begin == begin);
                }
        }
    }

    TEST_CASE("a window wider than any text is no window") {
        for (const std::size_t radius :
             {std::size_t{1} << 20, std::numeric_limits<std::size_t>::max() / 2,
              std::numeric_limits<std::size_t>::max() / 2 + 1,
              std::numeric_limits<std::size_t>::max()}) {
            const Mask window{PatternKind::Window, radius, nullptr, nullptr};
            const Mask causal{PatternKind::CausalWindow, radius, nullptr, nullptr};
            CHECK(window.key_range(2, 5, 5).begin == 0);
            CHECK(window.key_range(2, 5, 5).end == 5);
            CHECK(causal.key_range(2, 5, 5).begin == 0);
            CHECK(causal.key_range(2, 5, 5).end == 3);
        }
    }

    TEST_CASE("has_bytes says whether geometry alone decides") {
        const std::uint8_t one = 1;
        CHECK_FALSE(Mask{}.has_bytes());
        CHECK_FALSE(Mask{PatternKind::Causal, 0, nullptr, nullptr}.has_bytes());
        CHECK(Mask{PatternKind::Given, 0, &one, nullptr}.has_bytes());
        CHECK(Mask{PatternKind::None, 0, nullptr, &one}.has_bytes());
    }
}
