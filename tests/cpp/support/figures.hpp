// The errors that tests measure, kept so that `headlights_tests --figures` can print them: the
// numbers in cpp/README.md and in the headers come from there.
#pragma once

#include <string>

namespace headlights::test {

// Remembers the largest value given under this name.
void figure(const std::string& name, double value);

// One line a name: "name  value".
void print_figures();

}  // namespace headlights::test
