#include "support/number_lists.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/safetensors.hpp"

namespace headlights::test {

std::vector<double> number_list(const std::string& path, const std::string& key) {
    std::ifstream file(golden_folder() + "/" + path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = text.find("\"" + key + "\"");
    if (at == std::string::npos) throw std::runtime_error(path + " has no list " + key);
    std::vector<double> numbers;
    int depth = 0;
    for (const char* next = text.c_str() + text.find('[', at); *next != '\0';) {
        if (*next == '[') ++depth;
        if (*next == ']' && --depth == 0) break;
        char* end = nullptr;
        const double number = std::strtod(next, &end);
        if (end == next) {
            ++next;
            continue;
        }
        numbers.push_back(number);
        next = end;
    }
    if (numbers.empty()) throw std::runtime_error(path + " has no numbers in " + key);
    return numbers;
}

}  // namespace headlights::test
