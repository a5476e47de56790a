// What JavaScript can call: a registration list and thin functions. The shapes, units and errors of
// each function stand in web/src/engine/wasm/module.ts, which mirrors this file; nothing else
// includes Emscripten.
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <emscripten/bind.h>

#include "attention/additions.hpp"
#include "attention/algorithms.hpp"
#include "attention/multi_head.hpp"
#include "attention/steps.hpp"
#include "core/aligned_buffer.hpp"
#include "core/checksum.hpp"
#include "core/finite.hpp"
#include "core/numpy_random.hpp"
#include "model/run.hpp"

namespace {

using namespace headlights;

// Embind passes numbers; addresses and sizes fit 32 bits.
using Address = std::uint32_t;
using Size = std::uint32_t;
using Code = std::int32_t;

template <class T> T* pointer(Address address) { return reinterpret_cast<T*>(address); }
Address address_of(const void* pointer) {
    return static_cast<Address>(reinterpret_cast<std::uintptr_t>(pointer));
}
constexpr Code code(Error error) { return static_cast<Code>(error); }

struct Spec {
    Size layers, heads, width, feed_forward, vocabulary, positions, types;
    float epsilon;
};

model::ModelSpec spec_of(const Spec& spec) {
    return {spec.layers,     spec.heads,     spec.width, spec.feed_forward,
            spec.vocabulary, spec.positions, spec.types, spec.epsilon};
}

class Model {
public:
    explicit Model(const model::ModelSpec& spec) : weights(spec) {}

    Address allocate(Code role, Size layer, Code type) {
        return address_of(weights.allocate(static_cast<model::TensorRole>(role), layer,
                                           static_cast<ElementType>(type)));
    }
    Size byte_length(Code role, Size, Code type) const {
        return weights.byte_length(static_cast<model::TensorRole>(role),
                                   static_cast<ElementType>(type));
    }
    void set_ready(Code role, Size layer) {
        weights.set_ready(static_cast<model::TensorRole>(role), layer);
    }
    Size count_non_finite(Code role, Size layer, Size from, Size to) const {
        return weights.count_non_finite(static_cast<model::TensorRole>(role), layer, from, to);
    }
    bool layer_ready(Size layer, bool all) const { return weights.layer_ready(layer, all); }
    Size memory() const { return weights.memory(); }

    model::Weights weights;
};

struct Options {
    Code pattern;
    Size radius;
    float temperature;
    bool positions;
    Code algorithm;
    bool keep_weights;
};

model::RunOptions options_of(const Options& options) {
    return {static_cast<attention::PatternKind>(options.pattern),
            options.radius,
            options.temperature,
            options.positions,
            static_cast<attention::AlgorithmId>(options.algorithm),
            options.keep_weights};
}

class Run {
public:
    Run(const Model& model, std::size_t tokens, const model::RunOptions& options)
        : run(model.weights, tokens, options) {}

    Address address(Code buffer, Size layer) {
        return address_of(run.address(static_cast<model::RunBuffer>(buffer), layer));
    }
    Size reuse(const Run& other) { return static_cast<Size>(run.reuse(other.run)); }
    Code begin() { return code(run.begin()); }
    Code layer(Size layer) { return code(run.layer(layer)); }
    Code layer_weights(Size layer) { return code(run.layer_weights(layer)); }
    Code score_rows(Size layer, Size head, Size from, Size to, Address target) const {
        return code(run.score_rows(layer, head, from, to, pointer<float>(target)));
    }
    Code weight_rows(Size layer, Size head, Size from, Size to, Address target) const {
        return code(run.weight_rows(layer, head, from, to, pointer<float>(target)));
    }

    Code steps(Size layer, Size head, Size i, Size j, Address target) const {
        return code(run.steps(layer, head, i, j, pointer<float>(target)));
    }
    Code additions(Size layer, Size i, Address target) {
        return code(run.additions(layer, i, pointer<float>(target)));
    }

    model::Run run;
};

Code check_spec(const Spec& spec) { return code(model::validate(spec_of(spec))); }

Model* create_model(const Spec& spec) {
    if (check_spec(spec) != code(Error::Ok)) return nullptr;
    return new (std::nothrow) Model(spec_of(spec));
}

Code check_run(const Model& model, Size tokens, const Options& options) {
    return code(model::validate(model.weights.spec(), tokens, options_of(options)));
}

Run* create_run(const Model& model, Size tokens, const Options& options) {
    if (check_run(model, tokens, options) != code(Error::Ok)) return nullptr;
    std::unique_ptr<Run> run(new (std::nothrow) Run(model, tokens, options_of(options)));
    return run && run->run.valid() ? run.release() : nullptr;
}

struct AttentionInput {
    Address queries, keys, values, scores, weights, context, pattern, key_mask;
    Size heads, kv_heads, query_length, key_length, head_size, value_size;
    float scale;
    Code pattern_kind;
    Size radius;
    Code algorithm;
};

// Both kinds of input name their sizes and their mask alike.
template <class Input> attention::Shape shape_of(const Input& in) {
    return {in.heads, in.kv_heads, in.query_length, in.key_length, in.head_size, in.value_size};
}
template <class Input> attention::Mask mask_of(const Input& in) {
    return {static_cast<attention::PatternKind>(in.pattern_kind), in.radius,
            pointer<const std::uint8_t>(in.pattern), pointer<const std::uint8_t>(in.key_mask)};
}

attention::Problem problem_of(const AttentionInput& in) {
    const attention::Shape shape = shape_of(in);
    return {shape,
            {pointer<const float>(in.queries), shape.Tq * shape.dk, shape.dk},
            {pointer<const float>(in.keys), shape.Tk * shape.dk, shape.dk},
            {pointer<const float>(in.values), shape.Tk * shape.dv, shape.dv},
            in.scale,
            mask_of(in)};
}

Code run_attention(const AttentionInput& in) {
    const attention::Problem problem = problem_of(in);
    const attention::Shape& shape = problem.shape;
    if (const Error error = attention::validate(problem); error != Error::Ok) return code(error);
    if (static_cast<std::size_t>(in.algorithm) >= attention::kAlgorithms.size())
        return code(Error::BadArgument);
    const attention::Algorithm& algorithm =
        attention::algorithm(static_cast<attention::AlgorithmId>(in.algorithm));
    const AlignedBuffer<float> workspace(algorithm.workspace(shape));
    if (!workspace.valid()) return code(Error::OutOfMemory);
    algorithm.run(problem,
                  {pointer<float>(in.scores),
                   pointer<float>(in.weights),
                   {pointer<float>(in.context), shape.Tq * shape.dv, shape.dv}},
                  workspace.data());
    return code(Error::Ok);
}

Code attention_steps(const AttentionInput& in, Size head, Size i, Size j, Address target) {
    const attention::Problem problem = problem_of(in);
    if (const Error error = attention::validate(problem); error != Error::Ok) return code(error);
    if (head >= in.heads || i >= in.query_length || j >= in.key_length)
        return code(Error::BadArgument);
    attention::steps(problem, head, i, j,
                     attention::steps_at(problem.shape, pointer<float>(target)));
    return code(Error::Ok);
}

struct MultiHeadInput {
    Address x, memory, w_q, w_k, w_v, w_o;
    Address queries, keys, values, scores, weights, concat, output, pattern, key_mask;
    Size heads, kv_heads, query_length, key_length, head_size, value_size, width, output_width;
    float scale;
    Code pattern_kind;
    Size radius;
    bool looped;
};

Code multi_head(const MultiHeadInput& in) {
    const attention::Shape shape = shape_of(in);
    const auto matrix = [](Address address, std::size_t rows, std::size_t columns) {
        return dense(pointer<const float>(address), rows, columns);
    };
    const attention::MultiHead block{shape,
                                     in.width,
                                     in.output_width,
                                     matrix(in.x, shape.Tq, in.width),
                                     matrix(in.memory, shape.Tk, in.width),
                                     matrix(in.w_q, in.width, shape.H * shape.dk),
                                     matrix(in.w_k, in.width, shape.Hkv * shape.dk),
                                     matrix(in.w_v, in.width, shape.Hkv * shape.dv),
                                     matrix(in.w_o, shape.H * shape.dv, in.output_width),
                                     in.scale,
                                     mask_of(in)};
    if (const Error error = attention::validate(block); error != Error::Ok) return code(error);
    const AlignedBuffer<float> workspace(attention::multi_head_workspace(shape));
    if (!workspace.valid()) return code(Error::OutOfMemory);
    attention::multi_head(
        block, in.looped ? attention::Projection::Looped : attention::Projection::Batched,
        {pointer<float>(in.queries), pointer<float>(in.keys), pointer<float>(in.values),
         pointer<float>(in.scores), pointer<float>(in.weights), pointer<float>(in.concat),
         pointer<float>(in.output)},
        workspace.data());
    return code(Error::Ok);
}

void head_additions(Address concat, Size heads, Size value_size, Address w_o, Size width,
                    Address residual, Size residual_size, Address target) {
    attention::head_additions(pointer<const float>(concat), heads,
                              dense(pointer<const float>(w_o), heads * value_size, width),
                              pointer<const float>(residual), residual_size,
                              pointer<float>(target));
}

// The first `count` numbers of numpy.random.RandomState(seed).randn().
void gaussians(Size seed, Size count, Address target) {
    NumpyRandom random(seed);
    double* numbers = pointer<double>(target);
    for (Size n = 0; n < count; ++n) numbers[n] = random.gaussian();
}

Address allocate(Size bytes) { return address_of(allocate_bytes(bytes)); }
void release(Address address) { release_bytes(pointer<void>(address)); }
Size crc32_of(Address address, Size bytes) { return crc32(pointer<const void>(address), bytes); }
Size count_non_finite_of(Address address, Size count) {
    return count_non_finite(pointer<const float>(address), count);
}
Size bytes_now() { return bytes_in_use(); }
std::string variant() { return HEADLIGHTS_VARIANT; }

}  // namespace

EMSCRIPTEN_BINDINGS(headlights) {
    using namespace emscripten;

    value_object<Spec>("Spec")
        .field("layers", &Spec::layers)
        .field("heads", &Spec::heads)
        .field("width", &Spec::width)
        .field("feedForward", &Spec::feed_forward)
        .field("vocabulary", &Spec::vocabulary)
        .field("positions", &Spec::positions)
        .field("types", &Spec::types)
        .field("epsilon", &Spec::epsilon);
    value_object<Options>("RunOptions")
        .field("pattern", &Options::pattern)
        .field("radius", &Options::radius)
        .field("temperature", &Options::temperature)
        .field("positions", &Options::positions)
        .field("algorithm", &Options::algorithm)
        .field("keepWeights", &Options::keep_weights);
    value_object<AttentionInput>("AttentionInput")
        .field("queries", &AttentionInput::queries)
        .field("keys", &AttentionInput::keys)
        .field("values", &AttentionInput::values)
        .field("scores", &AttentionInput::scores)
        .field("weights", &AttentionInput::weights)
        .field("context", &AttentionInput::context)
        .field("pattern", &AttentionInput::pattern)
        .field("keyMask", &AttentionInput::key_mask)
        .field("heads", &AttentionInput::heads)
        .field("kvHeads", &AttentionInput::kv_heads)
        .field("queryLength", &AttentionInput::query_length)
        .field("keyLength", &AttentionInput::key_length)
        .field("headSize", &AttentionInput::head_size)
        .field("valueSize", &AttentionInput::value_size)
        .field("scale", &AttentionInput::scale)
        .field("patternKind", &AttentionInput::pattern_kind)
        .field("radius", &AttentionInput::radius)
        .field("algorithm", &AttentionInput::algorithm);

    value_object<MultiHeadInput>("MultiHeadInput")
        .field("x", &MultiHeadInput::x)
        .field("memory", &MultiHeadInput::memory)
        .field("wQ", &MultiHeadInput::w_q)
        .field("wK", &MultiHeadInput::w_k)
        .field("wV", &MultiHeadInput::w_v)
        .field("wO", &MultiHeadInput::w_o)
        .field("queries", &MultiHeadInput::queries)
        .field("keys", &MultiHeadInput::keys)
        .field("values", &MultiHeadInput::values)
        .field("scores", &MultiHeadInput::scores)
        .field("weights", &MultiHeadInput::weights)
        .field("concat", &MultiHeadInput::concat)
        .field("output", &MultiHeadInput::output)
        .field("pattern", &MultiHeadInput::pattern)
        .field("keyMask", &MultiHeadInput::key_mask)
        .field("heads", &MultiHeadInput::heads)
        .field("kvHeads", &MultiHeadInput::kv_heads)
        .field("queryLength", &MultiHeadInput::query_length)
        .field("keyLength", &MultiHeadInput::key_length)
        .field("headSize", &MultiHeadInput::head_size)
        .field("valueSize", &MultiHeadInput::value_size)
        .field("width", &MultiHeadInput::width)
        .field("outputWidth", &MultiHeadInput::output_width)
        .field("scale", &MultiHeadInput::scale)
        .field("patternKind", &MultiHeadInput::pattern_kind)
        .field("radius", &MultiHeadInput::radius)
        .field("looped", &MultiHeadInput::looped);

    class_<Model>("Model")
        .function("allocate", &Model::allocate)
        .function("byteLength", &Model::byte_length)
        .function("setReady", &Model::set_ready)
        .function("countNonFinite", &Model::count_non_finite)
        .function("layerReady", &Model::layer_ready)
        .function("memory", &Model::memory);
    class_<Run>("Run")
        .function("address", &Run::address)
        .function("reuse", &Run::reuse)
        .function("begin", &Run::begin)
        .function("layer", &Run::layer)
        .function("layerWeights", &Run::layer_weights)
        .function("scoreRows", &Run::score_rows)
        .function("weightRows", &Run::weight_rows)
        .function("steps", &Run::steps)
        .function("additions", &Run::additions);

    function("checkSpec", &check_spec);
    function("createModel", &create_model, allow_raw_pointers());
    function("checkRun", &check_run);
    function("createRun", &create_run, allow_raw_pointers());
    function("attention", &run_attention);
    function("attentionSteps", &attention_steps);
    function("multiHead", &multi_head);
    function("headAdditions", &head_additions);
    function("gaussians", &gaussians);
    function("allocate", &allocate);
    function("release", &release);
    function("crc32", &crc32_of);
    function("countNonFinite", &count_non_finite_of);
    function("bytesInUse", &bytes_now);
    function("variant", &variant);
}
