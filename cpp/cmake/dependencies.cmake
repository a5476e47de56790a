# xsimd and doctest are header-only. They come from a folder of links made by the set-up, never from the
# system's include folder as a whole: its C library headers would shadow those of the wasm sysroot.
set(HEADLIGHTS_INCLUDE_ROOT "${CMAKE_SOURCE_DIR}/build/include"
    CACHE PATH "Folder that holds xsimd/ and doctest/")
foreach(header xsimd/xsimd.hpp doctest/doctest.h)
  if(NOT EXISTS "${HEADLIGHTS_INCLUDE_ROOT}/${header}")
    message(FATAL_ERROR "${header} is not in ${HEADLIGHTS_INCLUDE_ROOT}: run 'npm start' or 'npm test' once")
  endif()
endforeach()
add_library(headlights_dependencies INTERFACE)
target_include_directories(headlights_dependencies SYSTEM INTERFACE "${HEADLIGHTS_INCLUDE_ROOT}")
