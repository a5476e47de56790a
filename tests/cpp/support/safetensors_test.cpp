#include "support/safetensors.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

using headlights::test::Safetensors;

namespace {

std::vector<unsigned char> file_of(const std::string& header, std::size_t data_bytes) {
    std::vector<unsigned char> file(8 + header.size() + data_bytes);
    const std::uint64_t length = header.size();
    std::memcpy(file.data(), &length, 8);
    std::memcpy(file.data() + 8, header.data(), header.size());
    for (std::size_t i = 0; i < data_bytes; ++i)
        file[8 + header.size() + i] = static_cast<unsigned char>(i);
    return file;
}

}  // namespace

TEST_SUITE("support") {
    const std::string kHeader =
        R"({"__metadata__":{"a":"say \"1\"","n":"2.5"},"t":{"dtype":"U8","shape":[2,3],)"
        R"("data_offsets":[1,7]},"none":{"dtype":"F32","shape":[0],"data_offsets":[7,7]}} )";

    TEST_CASE("a file gives its tensors, shapes and metadata") {
        const Safetensors file("made up", file_of(kHeader, 7));
        CHECK(file.has("t"));
        CHECK_FALSE(file.has("u"));
        CHECK(file.shape("t") == std::vector<std::size_t>{2, 3});
        CHECK(file.bytes("t") == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
        CHECK(file.floats("none").empty());
        CHECK(file.metadata("a") == "say \"1\"");
        CHECK(file.number("n") == 2.5);
    }

    TEST_CASE("what is not there or not as it says is an error, not a number") {
        const Safetensors file("made up", file_of(kHeader, 7));
        CHECK_THROWS_AS((void)file.floats("t"), std::runtime_error);
        CHECK_THROWS_AS((void)file.bytes("u"), std::runtime_error);
        CHECK_THROWS_AS((void)file.number("a"), std::runtime_error);
        CHECK_THROWS_AS((void)file.metadata("b"), std::runtime_error);
        CHECK_THROWS_AS(Safetensors("no such file"), std::runtime_error);
    }

    TEST_CASE("files cut off at any byte are errors") {
        const std::vector<unsigned char> whole = file_of(kHeader, 7);
        for (std::size_t size = 0; size < whole.size(); ++size)
            CHECK_THROWS_AS(Safetensors("cut", {whole.begin(),
                                                whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                            std::runtime_error);
    }
}
