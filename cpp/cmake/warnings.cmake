# Warnings of our own code; headers of others come in as SYSTEM includes and stay silent.
add_library(headlights_warnings INTERFACE)
target_compile_options(headlights_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                     -Wno-sign-conversion -Werror)
