# Toolchain file of the wasm presets: finds the installed Emscripten by its compiler and hands over to its own file.
find_program(HEADLIGHTS_EMCC emcc REQUIRED)
file(REAL_PATH "${HEADLIGHTS_EMCC}" emcc_file)
get_filename_component(EMSCRIPTEN_ROOT_PATH "${emcc_file}" DIRECTORY)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")

# A distribution's binaryen can be older than this Emscripten expects; the npm package has the right one.
# An emsdk brings its own. The tools only run when linking.
if(NOT EXISTS "${EMSCRIPTEN_ROOT_PATH}/../bin/wasm-opt")
  set(CMAKE_CXX_LINKER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;EM_BINARYEN_ROOT=${CMAKE_CURRENT_LIST_DIR}/../../node_modules/binaryen")
endif()
