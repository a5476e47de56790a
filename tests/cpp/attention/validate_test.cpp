#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "attention/problem.hpp"

using namespace headlights;
using attention::PatternKind;
using attention::Problem;
using attention::Shape;
using attention::validate;

namespace {

Problem with_shape(const Shape& shape) {
    Problem problem;
    problem.shape = shape;
    return problem;
}

}  // namespace

TEST_SUITE("attention") {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

    TEST_CASE("validate accepts sizes of 0 except the heads") {
        CHECK(validate(with_shape({1, 1, 0, 0, 0, 0})) == Error::Ok);
        CHECK(validate(with_shape({8, 2, 5, 7, 4, 3})) == Error::Ok);
    }

    TEST_CASE("validate refuses a scale that is not finite") {
        Problem problem = with_shape({1, 1, 2, 2, 2, 2});
        for (const float scale :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
              -std::numeric_limits<float>::infinity()}) {
            problem.scale = scale;
            CHECK(validate(problem) == Error::BadArgument);
        }
        problem.scale = -3.0f;
        CHECK(validate(problem) == Error::Ok);
    }

    TEST_CASE("validate refuses patterns that are not in the list") {
        Problem problem = with_shape({1, 1, 2, 2, 2, 2});
        for (const std::int32_t kind : {-1, 5, 1000}) {
            problem.mask.kind = static_cast<PatternKind>(kind);
            CHECK(validate(problem) == Error::BadArgument);
        }
    }

    TEST_CASE("validate refuses heads that do not fit together") {
        CHECK(validate(with_shape({0, 1, 2, 2, 2, 2})) == Error::BadShape);
        CHECK(validate(with_shape({1, 0, 2, 2, 2, 2})) == Error::BadShape);
        CHECK(validate(with_shape({0, 0, 2, 2, 2, 2})) == Error::BadShape);
        CHECK(validate(with_shape({4, 3, 2, 2, 2, 2})) == Error::BadShape);
        CHECK(validate(with_shape({2, 4, 2, 2, 2, 2})) == Error::BadShape);
    }

    TEST_CASE("validate refuses a given pattern that is missing, unless there is no cell") {
        Problem problem = with_shape({1, 1, 2, 3, 2, 2});
        problem.mask.kind = PatternKind::Given;
        CHECK(validate(problem) == Error::BadShape);
        const std::uint8_t cells[6] = {};
        problem.mask.given = cells;
        CHECK(validate(problem) == Error::Ok);
        problem = with_shape({1, 1, 0, 3, 2, 2});
        problem.mask.kind = PatternKind::Given;
        CHECK(validate(problem) == Error::Ok);
    }

    TEST_CASE("validate notices every size that overflows") {
        const std::size_t half = std::size_t{1} << (4 * sizeof(std::size_t));
        CHECK(validate(with_shape({1, 1, half, half, 1, 1})) == Error::OutOfMemory);
        CHECK(validate(with_shape({kMost / 4, 1, 2, 2, 1, 1})) == Error::OutOfMemory);
        CHECK(validate(with_shape({1, 1, 1, half, half, 1})) == Error::OutOfMemory);
        CHECK(validate(with_shape({1, 1, 1, half, 1, half})) == Error::OutOfMemory);
        CHECK(validate(with_shape({1, 1, half, 1, half, 1})) == Error::OutOfMemory);
        CHECK(validate(with_shape({1, 1, half, 1, 1, half})) == Error::OutOfMemory);
        CHECK(validate(with_shape({1, 1, half, 0, half, 1})) == Error::OutOfMemory);
    }
}
