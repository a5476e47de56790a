#include "support/safetensors.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace headlights::test {

std::string golden_folder() { return HEADLIGHTS_GOLDEN; }

namespace {

std::vector<unsigned char> bytes_of(const std::string& path) {
    std::ifstream file(golden_folder() + "/" + path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open tests/golden/" + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

// A reader of the JSON that such headers use: objects, arrays of whole numbers, strings.
class Safetensors::Header {
public:
    Header(Safetensors& target, std::string_view text) : target_(target), text_(text) {}

    void read() {
        object([this](const std::string& name) {
            if (name == "__metadata__")
                object([this](const std::string& key) { target_.metadata_[key] = string(); });
            else
                tensor(name);
        });
        while (next_ < text_.size())
            if (text_[next_++] != ' ') target_.fail("something stands after the header");
    }

private:
    void tensor(const std::string& name) {
        Tensor& tensor = target_.tensors_[name];
        object([&](const std::string& key) {
            if (key == "dtype") {
                tensor.type = string();
            } else if (key == "shape") {
                tensor.shape = numbers();
            } else if (key == "data_offsets") {
                const std::vector<std::size_t> offsets = numbers();
                if (offsets.size() != 2 || offsets[0] > offsets[1])
                    target_.fail(name + " has wrong offsets");
                tensor.begin = offsets[0];
                tensor.end = offsets[1];
            } else {
                target_.fail(name + " has the unknown field " + key);
            }
        });
    }

    char peek() {
        while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\n')) ++next_;
        if (next_ == text_.size()) target_.fail("the header ends too early");
        return text_[next_];
    }
    void expect(char character) {
        if (peek() != character)
            target_.fail(std::string("the header has ") + text_[next_] + " where " + character +
                         " is expected");
        ++next_;
    }
    bool accept(char character) {
        if (peek() != character) return false;
        ++next_;
        return true;
    }

    template <class Visit> void object(Visit visit) {
        expect('{');
        if (accept('}')) return;
        do {
            const std::string key = string();
            expect(':');
            visit(key);
        } while (accept(','));
        expect('}');
    }

    std::vector<std::size_t> numbers() {
        std::vector<std::size_t> list;
        expect('[');
        if (accept(']')) return list;
        do {
            std::size_t value = 0;
            if (peek() < '0' || peek() > '9') target_.fail("the header lacks a number");
            while (next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9')
                value = value * 10 + static_cast<std::size_t>(text_[next_++] - '0');
            list.push_back(value);
        } while (accept(','));
        expect(']');
        return list;
    }

    // Escapes beyond ASCII are kept as they are written: no test reads such a string.
    std::string string() {
        std::string text;
        expect('"');
        for (; next_ < text_.size() && text_[next_] != '"'; ++next_) {
            if (text_[next_] == '\\' && next_ + 1 < text_.size() &&
                (text_[next_ + 1] == '"' || text_[next_ + 1] == '\\'))
                ++next_;
            text += text_[next_];
        }
        expect('"');
        return text;
    }

    Safetensors& target_;
    std::string_view text_;
    std::size_t next_ = 0;
};

Safetensors::Safetensors(const std::string& path) : Safetensors(path, bytes_of(path)) {}

Safetensors::Safetensors(const std::string& path, std::vector<unsigned char> bytes)
    : path_(path), file_(std::move(bytes)) {
    std::uint64_t length = 0;
    if (file_.size() < 8) fail("the file is shorter than 8 bytes");
    std::memcpy(&length, file_.data(), 8);
    if (length > file_.size() - 8) fail("the header is longer than the file");
    const std::size_t data = 8 + static_cast<std::size_t>(length);
    Header(*this, {reinterpret_cast<const char*>(file_.data()) + 8, data - 8}).read();
    for (auto& [name, tensor] : tensors_) {
        tensor.begin += data;
        tensor.end += data;
        if (tensor.end > file_.size()) fail(name + " lies beyond the end of the file");
    }
}

void Safetensors::fail(const std::string& what) const {
    throw std::runtime_error(path_ + ": " + what);
}

const Safetensors::Tensor& Safetensors::tensor(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail("there is no tensor " + name);
    return found->second;
}

const std::vector<std::size_t>& Safetensors::shape(const std::string& name) const {
    return tensor(name).shape;
}

template <class T>
std::vector<T> Safetensors::read(const std::string& name, std::string_view type) const {
    const Tensor& found = tensor(name);
    if (found.type != type) fail(name + " is " + found.type + ", not " + std::string(type));
    std::size_t count = 1;
    for (const std::size_t size : found.shape) count *= size;
    if (count * sizeof(T) != found.end - found.begin) fail(name + " has not the size of its shape");
    std::vector<T> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), file_.data() + found.begin, count * sizeof(T));
    return numbers;
}

std::vector<float> Safetensors::floats(const std::string& name) const {
    return read<float>(name, "F32");
}
std::vector<double> Safetensors::doubles(const std::string& name) const {
    return read<double>(name, "F64");
}
std::vector<std::int32_t> Safetensors::integers(const std::string& name) const {
    return read<std::int32_t>(name, "I32");
}
std::vector<std::uint8_t> Safetensors::bytes(const std::string& name) const {
    return read<std::uint8_t>(name, "U8");
}

const std::string& Safetensors::metadata(const std::string& key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) fail("the metadata has no " + key);
    return found->second;
}

double Safetensors::number(const std::string& key) const {
    const std::string& text = metadata(key);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') fail("the metadata's " + key + " is no number: " + text);
    return value;
}

}  // namespace headlights::test
