// Reads safetensors files of tests/golden: a header in JSON, then the tensors' bytes. Throws a
// sentence that names the file for anything unexpected; a test that cannot read its file fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlights::test {

// The folder tests/golden.
[[nodiscard]] std::string golden_folder();

class Safetensors {
public:
    // `path` is relative to tests/golden.
    explicit Safetensors(const std::string& path);
    // The bytes of a file; `path` only names it in errors.
    Safetensors(const std::string& path, std::vector<unsigned char> bytes);

    [[nodiscard]] bool has(const std::string& name) const { return tensors_.contains(name); }
    [[nodiscard]] const std::vector<std::size_t>& shape(const std::string& name) const;

    // The numbers of a tensor whose dtype is F32, F64, I32 or U8.
    [[nodiscard]] std::vector<float> floats(const std::string& name) const;
    [[nodiscard]] std::vector<double> doubles(const std::string& name) const;
    [[nodiscard]] std::vector<std::int32_t> integers(const std::string& name) const;
    [[nodiscard]] std::vector<std::uint8_t> bytes(const std::string& name) const;

    // A value of the metadata, and the same as a number.
    [[nodiscard]] const std::string& metadata(const std::string& key) const;
    [[nodiscard]] double number(const std::string& key) const;

private:
    struct Tensor {
        std::string type;
        std::vector<std::size_t> shape;
        std::size_t begin = 0;  // in file_
        std::size_t end = 0;
    };
    class Header;

    [[noreturn]] void fail(const std::string& what) const;
    [[nodiscard]] const Tensor& tensor(const std::string& name) const;
    template <class T>
    [[nodiscard]] std::vector<T> read(const std::string& name, std::string_view type) const;

    std::string path_;
    std::vector<unsigned char> file_;
    std::map<std::string, Tensor> tensors_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace headlights::test
