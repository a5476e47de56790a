// What JavaScript can call: a registration list and thin functions. The shapes, units and errors of
// each function stand in web/src/engine/wasm/module.ts, which mirrors this file; nothing else
// includes Emscripten.
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <emscripten/bind.h>

#include "attention/algorithms.hpp"
#include "core/aligned_buffer.hpp"
#include "core/checksum.hpp"
#include "core/finite.hpp"
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
    Code begin() { return code(run.begin()); }
    Code layer(Size layer) { return code(run.layer(layer)); }
    Code layer_weights(Size layer) { return code(run.layer_weights(layer)); }
    Code score_rows(Size layer, Size head, Size from, Size to, Address target) const {
        return code(run.score_rows(layer, head, from, to, pointer<float>(target)));
    }
    Code weight_rows(Size layer, Size head, Size from, Size to, Address target) const {
        return code(run.weight_rows(layer, head, from, to, pointer<float>(target)));
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

Code run_attention(const AttentionInput& in) {
    const attention::Shape shape{in.heads,      in.kv_heads,  in.query_length,
                                 in.key_length, in.head_size, in.value_size};
    const attention::Problem problem{
        shape,
        {pointer<const float>(in.queries), shape.Tq * shape.dk, shape.dk},
        {pointer<const float>(in.keys), shape.Tk * shape.dk, shape.dk},
        {pointer<const float>(in.values), shape.Tk * shape.dv, shape.dv},
        in.scale,
        {static_cast<attention::PatternKind>(in.pattern_kind), in.radius,
         pointer<const std::uint8_t>(in.pattern), pointer<const std::uint8_t>(in.key_mask)}};
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

    class_<Model>("Model")
        .function("allocate", &Model::allocate)
        .function("byteLength", &Model::byte_length)
        .function("setReady", &Model::set_ready)
        .function("countNonFinite", &Model::count_non_finite)
        .function("layerReady", &Model::layer_ready)
        .function("memory", &Model::memory);
    class_<Run>("Run")
        .function("address", &Run::address)
        .function("begin", &Run::begin)
        .function("layer", &Run::layer)
        .function("layerWeights", &Run::layer_weights)
        .function("scoreRows", &Run::score_rows)
        .function("weightRows", &Run::weight_rows);

    function("checkSpec", &check_spec);
    function("createModel", &create_model, allow_raw_pointers());
    function("checkRun", &check_run);
    function("createRun", &create_run, allow_raw_pointers());
    function("attention", &run_attention);
    function("allocate", &allocate);
    function("release", &release);
    function("crc32", &crc32_of);
    function("countNonFinite", &count_non_finite_of);
    function("bytesInUse", &bytes_now);
    function("variant", &variant);
}
