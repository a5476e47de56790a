// Prints what every kernel, every attention algorithm but the reference, and a small model compute
// on seeded inputs: one line "<name> <crc32 of the bits, any NaN counting as one>". Two builds that
// agree bit for bit print the same lines; compare-digests.mjs compares them.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "attention/algorithms.hpp"
#include "core/checksum.hpp"
#include "kernels/activation.hpp"
#include "kernels/decode.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/softmax.hpp"
#include "simd/math.hpp"
#include "support/attention_case.hpp"
#include "support/random.hpp"
#include "support/small_model.hpp"
#include "support/stored.hpp"

using namespace headlights;
using test::Random;
using Floats = std::vector<float>;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Collects the results that one line stands for.
class Line {
public:
    explicit Line(std::string name) : name_(std::move(name)) {}
    ~Line() {
        const std::uint32_t crc = crc32(bits_.data(), bits_.size() * sizeof(std::uint32_t));
        std::printf("%s %08x\n", name_.c_str(), static_cast<unsigned>(crc));
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void add(float number) {
        bits_.push_back(std::isnan(number) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(number));
    }
    void add(const Floats& numbers) {
        for (const float number : numbers) add(number);
    }

private:
    std::string name_;
    std::vector<std::uint32_t> bits_;
};

std::string number(std::size_t value) { return std::to_string(value); }

constexpr std::size_t kCounts[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,  12,
                                   13, 15, 16, 17, 31, 32, 33, 63, 64, 100, 384, 1000};

// Evenly spaced numbers, computed without any function that could differ.
Floats evenly(float low, float high, std::size_t count) {
    Floats x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = low + (high - low) * (static_cast<float>(i) / static_cast<float>(count - 1));
    return x;
}

void digest_math() {
    const std::pair<const char*, Floats> ranges[] = {
        {"-110 .. 90", evenly(-110, 90, 1 << 16)},
        {"-2 .. 2", evenly(-2, 2, 1 << 16)},
        {"-0.01 .. 0.01", evenly(-0.01f, 0.01f, 1 << 12)},
        {"special", {0.0f, -0.0f, kNaN, kInfinity, -kInfinity, 3e38f, -3e38f, 1e-45f}},
    };
    for (const auto& [name, x] : ranges) {
        Line exp(std::string("exp ") + name);
        Line erf(std::string("erf ") + name);
        Floats y(simd::kLanes);
        for (std::size_t i = 0; i < x.size(); i += simd::kLanes) {
            simd::store(y.data(), simd::exp(simd::load(x.data() + i)));
            exp.add(y);
            simd::store(y.data(), simd::erf(simd::load(x.data() + i)));
            erf.add(y);
        }
        Floats activated = x;
        kernels::gelu(activated.data(), activated.size());
        Line(std::string("gelu ") + name).add(activated);
    }
}

void digest_decode() {
    Random random(1);
    for (const ElementType type : test::kElementTypes) {
        Line line(std::string("decode_row ") + test::name_of(type));
        for (const std::size_t columns : {0, 32, 64, 96, 384}) {
            const test::Stored stored = test::random_stored(type, 2, columns, random, 0, 1);
            Floats row(columns);
            kernels::decode_row(stored.view(), 1, row.data());
            line.add(row);
        }
    }
}

void digest_gemm_stored() {
    Random random(2);
    for (const ElementType type : test::kElementTypes)
        for (const std::size_t K : kCounts) {
            if (row_bytes(type, K) == 0 && K > 0) continue;
            Line line(std::string("gemm_stored ") + test::name_of(type) + " K " + number(K));
            Floats workspace(kernels::gemm_workspace(K));
            for (const std::size_t T : {1, 2, 3, 4, 5, 8, 13, 70})
                for (const std::size_t N : {1, 2, 3, 8, 9, 20}) {
                    const Floats x = random.bells(T * K);
                    const Floats bias = random.bells(N);
                    test::Stored weights = test::random_stored(type, N, K, random);
                    if (T % 2 == 0) weights = weights.arranged();
                    Floats y(T * N);
                    kernels::gemm_stored(dense(x.data(), T, K), weights.view(), bias.data(),
                                         dense(y.data(), T, N), workspace.data());
                    line.add(y);
                }
        }
}

void digest_gemm_rows() {
    Random random(3);
    for (const std::size_t K : kCounts) {
        Line rows("gemm_rows K " + number(K));
        Line sums("gemm_weighted_sum N " + number(K));
        for (const std::size_t M : {1, 2, 3, 4, 5, 8, 13})
            for (const std::size_t N : {1, 2, 3, 4, 5, 9, 70}) {
                const Floats a = random.bells(M * K);
                const Floats b = random.bells(N * K);
                Floats y(M * N);
                kernels::gemm_rows(dense(a.data(), M, K), dense(b.data(), N, K), 0.37f,
                                   dense(y.data(), M, N));
                rows.add(y);
                Floats z = a;
                kernels::gemm_weighted_sum(dense(y.data(), M, N), dense(b.data(), N, K),
                                           /*accumulate=*/N % 2 == 0, dense(z.data(), M, K));
                sums.add(z);
            }
    }
}

void digest_rows() {
    Random random(4);
    for (const std::size_t count : kCounts) {
        Line softmax("softmax_row " + number(count));
        Line parts("max_of, exponentials, divide, multiply, add " + number(count));
        for (const float spread : {0.5f, 5.0f, 200.0f}) {
            const Floats scores = random.uniforms(count, -spread, spread);
            const float largest = kernels::max_of(scores.data(), count);
            Floats powers(count);
            parts.add(largest);
            parts.add(kernels::exponentials(scores.data(), count, largest, powers.data()));
            parts.add(powers);
            kernels::divide(powers.data(), count, 3.7f);
            parts.add(powers);
            kernels::multiply(powers.data(), count, 1.3f);
            kernels::add(powers.data(), scores.data(), count);
            parts.add(powers);
            for (const float special : {0.0f, kNaN, kInfinity, -kInfinity}) {
                if (count == 0) continue;
                Floats weights = scores;
                if (special != 0.0f) weights[random.below(count)] = special;
                kernels::softmax_row(weights.data(), count, weights.data());
                softmax.add(weights);
            }
        }
        Line norm("layer_norm " + number(count));
        for (const float epsilon : {1e-12f, 1e-5f}) {
            Floats x = random.bells(3 * count);
            const Floats weight = random.bells(count);
            const Floats bias = random.bells(count);
            if (count > 0) x[2 * count] = kNaN;
            kernels::layer_norm(dense(x.data(), 3, count), weight.data(), bias.data(), epsilon,
                                dense(x.data(), 3, count));
            norm.add(x);
        }
    }
}

void digest_attention() {
    constexpr attention::Shape kShapes[] = {
        {1, 1, 1, 1, 1, 1}, {4, 2, 6, 9, 8, 5},     {2, 2, 25, 13, 12, 6}, {1, 1, 17, 1, 5, 2},
        {1, 1, 4, 0, 3, 3}, {1, 1, 49, 129, 33, 4}, {2, 1, 25, 65, 9, 8},
    };
    std::uint64_t seed = 0;
    for (const attention::Shape& shape : kShapes)
        for (const test::MaskCase& mask : test::mask_cases())
            for (const bool special : {false, true}) {
                test::AttentionCase problem(shape, mask, test::HeadLayout::Columns, ++seed);
                if (special && shape.Tk > 0) {
                    problem.k.at(0, shape.Tk / 2, 0) = kNaN;
                    problem.v.at(0, shape.Tk - 1, shape.dv - 1) = kInfinity;
                }
                for (const attention::Algorithm& algorithm : attention::kAlgorithms) {
                    if (algorithm.run == attention::reference) continue;
                    const test::Outcome outcome = test::run(algorithm, problem);
                    Line line(std::string(algorithm.name) + ", " + mask.name +
                              (special ? ", NaN and infinity" : "") + ", Tq " + number(shape.Tq) +
                              ", Tk " + number(shape.Tk) + ", H " + number(shape.H));
                    line.add(outcome.scores);
                    line.add(outcome.weights);
                    line.add(outcome.context);
                }
            }
}

void digest_model() {
    for (const ElementType type : test::kElementTypes) {
        const test::SmallModel small = test::SmallModel::random(type, 5);
        model::Weights weights(small.spec);
        small.load(weights);
        test::Request request;
        for (std::int32_t t = 0; t < 17; ++t) request.ids.push_back(t * 7 % 40);
        request.gains = {1, 0, 0.5f, 1, 1, 1, 2, 1};
        model::Run run(weights, request.tokens(), request.options);
        test::write(request, run);
        if (test::compute(run, small.spec) != Error::Ok) std::puts("model failed 00000000");
        for (std::size_t l = 0; l <= small.spec.layers; ++l)
            for (const model::RunBuffer buffer :
                 {model::RunBuffer::Hidden, model::RunBuffer::Weights})
                Line(std::string("model ") + test::name_of(type) + " layer " + number(l) +
                     (buffer == model::RunBuffer::Hidden ? " hidden" : " weights"))
                    .add(test::read(run, small.spec, request.tokens(), buffer, l));
    }
}

}  // namespace

int main() {
    digest_math();
    digest_decode();
    digest_gemm_stored();
    digest_gemm_rows();
    digest_rows();
    digest_attention();
    digest_model();
    return 0;
}
