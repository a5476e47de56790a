# HEADLIGHTS_VARIANT -> compiler flags: the only place that names instruction-set flags.
set(HEADLIGHTS_VARIANT "sse" CACHE STRING "Instruction set: sse, avx2 (native), baseline, relaxed (wasm)")
set_property(CACHE HEADLIGHTS_VARIANT PROPERTY STRINGS sse avx2 baseline relaxed)
option(HEADLIGHTS_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)

add_library(headlights_flags INTERFACE)

if(HEADLIGHTS_VARIANT STREQUAL "sse")
  # Four lanes, no fused multiply-add: the same operations as baseline wasm.
  target_compile_options(headlights_flags INTERFACE -msse4.1)
elseif(HEADLIGHTS_VARIANT STREQUAL "avx2")
  target_compile_options(headlights_flags INTERFACE -mavx2 -mfma)
elseif(HEADLIGHTS_VARIANT STREQUAL "baseline")
  target_compile_options(headlights_flags INTERFACE -msimd128)
elseif(HEADLIGHTS_VARIANT STREQUAL "relaxed")
  target_compile_options(headlights_flags INTERFACE -msimd128 -mrelaxed-simd)
else()
  message(FATAL_ERROR "HEADLIGHTS_VARIANT is '${HEADLIGHTS_VARIANT}': use sse, avx2, baseline or relaxed")
endif()

# Results must not depend on what a compiler thinks is fast: no contraction, no fast-math.
target_compile_options(headlights_flags INTERFACE -ffp-contract=off)

if(HEADLIGHTS_SANITIZE)
  target_compile_options(headlights_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(headlights_flags INTERFACE -fsanitize=address,undefined)
endif()
