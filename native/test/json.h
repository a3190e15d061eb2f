#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace antara::test {

/// A JSON value of a vector file: whole numbers only, no escapes beyond \" in strings. The files
/// are ours; what does not fit aborts the test.
struct Json {
  enum class Kind { null, boolean, number, text, list, object };

  Kind kind = Kind::null;
  std::int64_t number = 0;  // also of a boolean
  std::string text;
  std::vector<Json> list;
  std::vector<std::pair<std::string, Json>> members;

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  /// The member called `name`, or null.
  [[nodiscard]] const Json& operator[](std::string_view name) const {
    static const Json absent;
    for (const auto& [key, value] : members) {
      if (key == name) return value;
    }
    return absent;
  }
  [[nodiscard]] std::int64_t or_else(std::int64_t other) const {
    return is(Kind::number) || is(Kind::boolean) ? number : other;
  }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view source) : source_(source) {}

  Json value() {
    Json result;
    const char next = peek();
    if (next == '{') {
      result.kind = Json::Kind::object;
      sequence('{', '}', [&] {
        std::string key = string();
        expect(':');
        result.members.emplace_back(std::move(key), value());
      });
    } else if (next == '[') {
      result.kind = Json::Kind::list;
      sequence('[', ']', [&] { result.list.push_back(value()); });
    } else if (next == '"') {
      result.kind = Json::Kind::text;
      result.text = string();
    } else if (next == 't' || next == 'f') {
      result.kind = Json::Kind::boolean;
      result.number = next == 't' ? 1 : 0;
      at_ += next == 't' ? 4 : 5;
    } else if (next == 'n') {
      at_ += 4;
    } else {
      result.kind = Json::Kind::number;
      char* end = nullptr;
      result.number = std::strtoll(source_.data() + at_, &end, 10);
      const auto length = static_cast<std::size_t>(end - (source_.data() + at_));
      if (length == 0) std::abort();
      at_ += length;
    }
    return result;
  }

 private:
  char peek() {
    while (at_ < source_.size() && std::isspace(static_cast<unsigned char>(source_[at_]))) ++at_;
    if (at_ == source_.size()) std::abort();
    return source_[at_];
  }

  void expect(char wanted) {
    if (peek() != wanted) std::abort();
    ++at_;
  }

  template <typename Item>
  void sequence(char open, char close, Item item) {
    expect(open);
    while (peek() != close) {
      item();
      if (peek() == ',') ++at_;
    }
    ++at_;
  }

  std::string string() {
    expect('"');
    std::string result;
    for (; source_[at_] != '"'; ++at_) {
      if (source_[at_] == '\\') ++at_;
      result.push_back(source_[at_]);
    }
    ++at_;
    return result;
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

/// The file test/vectors/`name`; aborts where there is none.
inline Json read_vectors(const std::string& name) {
  std::ifstream file{std::string{ANTARA_TEST_VECTORS} + "/" + name};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return JsonReader{text}.value();
}

}  // namespace antara::test
