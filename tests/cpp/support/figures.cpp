#include "support/figures.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace headlights::test {

namespace {

std::map<std::string, double>& table() {
    static std::map<std::string, double> figures;
    return figures;
}

}  // namespace

void figure(const std::string& name, double value) {
    double& largest = table().try_emplace(name, value).first->second;
    largest = std::max(largest, value);
}

void print_figures() {
    for (const auto& [name, value] : table()) std::printf("%-60s %.3g\n", name.c_str(), value);
}

}  // namespace headlights::test
