// Lists of numbers out of the JSON files of tests/golden/demos: the numbers of one key, flattened.
#pragma once

#include <string>
#include <vector>

namespace headlights::test {

// `path` is relative to tests/golden. Throws a sentence when the file or the key is not there.
[[nodiscard]] std::vector<double> number_list(const std::string& path, const std::string& key);

}  // namespace headlights::test
