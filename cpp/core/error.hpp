// The closed list of things that can be wrong, decided by validate() functions before anything
// runs. Kernels themselves cannot fail. JavaScript knows the same list by position
// (web/src/engine/wasm/module.ts).
#pragma once

#include <cstdint>

namespace headlights {

enum class Error : std::int32_t {
    Ok,           // nothing is wrong
    BadArgument,  // a scalar outside its range, an id outside the vocabulary
    BadShape,     // sizes that do not fit together
    TooLong,      // more tokens than the model has positions
    NotLoaded,    // a tensor that has not arrived
    OutOfMemory,  // memory that could not be had, or a size that overflows
};

}  // namespace headlights
