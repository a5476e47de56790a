// The twelve files of tests/golden/kernels: exact attention worked out elsewhere, with the limits
// that tests/golden/README.md gives.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attention/algorithms.hpp"
#include "support/attention_case.hpp"
#include "support/compare.hpp"
#include "support/figures.hpp"
#include "support/safetensors.hpp"

using namespace headlights;
using attention::PatternKind;
using test::AttentionCase;
using test::Safetensors;

namespace {

constexpr const char* kFiles[] = {"01-one",         "02-odd",          "03-heads8",
                                  "04-ragged",      "05-causal",       "06-causal-offset",
                                  "07-padding",     "08-window",       "09-masked-rows",
                                  "10-large-exact", "11-large-random", "12-gqa"};

attention::Shape shape_of(const Safetensors& file) {
    const auto size = [&](const char* key) { return static_cast<std::size_t>(file.number(key)); };
    return {size("H"), size("H_kv"), size("Tq"), size("Tk"), size("d"), size("d")};
}

test::MaskCase mask_of(const Safetensors& file) {
    const std::string& kind = file.metadata("kind");
    if (kind == "causal") return {kind, PatternKind::Causal};
    if (kind == "window")
        return {kind, PatternKind::Window, static_cast<std::size_t>(file.number("radius"))};
    if (kind == "given") return {kind, PatternKind::Given};
    REQUIRE((kind == "none" || kind == "padding"));
    return {kind, PatternKind::None};
}

AttentionCase case_of(const Safetensors& file) {
    AttentionCase problem(shape_of(file), mask_of(file), test::HeadLayout::HeadByHead, 0);
    problem.q.assign(file.floats("q"));
    problem.k.assign(file.floats("k"));
    problem.v.assign(file.floats("v"));
    problem.scale = static_cast<float>(file.number("scale"));
    if (problem.kind == PatternKind::Given) problem.given = file.bytes("mask");
    if (file.has("key_padding")) problem.key_mask = file.bytes("key_padding");
    return problem;
}

void check_file(const Safetensors& file, const AttentionCase& problem,
                const attention::Algorithm& algorithm) {
    const test::Outcome outcome = test::run(algorithm, problem);
    const std::vector<double> output = file.doubles("output");
    const std::string name = std::string("golden kernels, ") + algorithm.name;
    CHECK(test::within(outcome.context, output, 2e-6));
    test::figure(name + " output", test::largest_difference(outcome.context, output));
    if (!algorithm.keeps_weights) return;
    const std::vector<double> scores = file.doubles("scores");
    const std::vector<double> weights = file.doubles("weights");
    const double size = 1 + test::largest_of(scores);
    CHECK(test::within(outcome.scores, scores, 1e-6 * size));
    CHECK(test::within(outcome.weights, weights, 1e-6));
    test::figure(name + " scores / (1 + largest)",
                 test::largest_difference(outcome.scores, scores) / size);
    test::figure(name + " weights", test::largest_difference(outcome.weights, weights));
}

}  // namespace

TEST_SUITE("attention") {
    TEST_CASE("the golden kernels come out within 1e-6 (weights), 2e-6 (output), 1e-6 (scores)") {
        for (const char* name : kFiles) {
            const Safetensors file(std::string("kernels/") + name + ".safetensors");
            const AttentionCase problem = case_of(file);
            REQUIRE(attention::validate(problem.problem()) == Error::Ok);
            for (const attention::Algorithm& algorithm : attention::kAlgorithms) {
                INFO(name, ", ", algorithm.name);
                check_file(file, problem, algorithm);
            }
        }
    }

    TEST_CASE("the masks of the golden kernels are those of the definitions") {
        for (const char* name : kFiles) {
            const Safetensors file(std::string("kernels/") + name + ".safetensors");
            if (!file.has("mask")) continue;
            INFO(name);
            const AttentionCase problem = case_of(file);
            const std::vector<std::uint8_t> mask = file.bytes("mask");
            for (std::size_t cell = 0; cell < mask.size(); ++cell)
                CHECK(problem.allows(cell / problem.shape.Tk, cell % problem.shape.Tk) ==
                      (mask[cell] != 0));
        }
    }
}
