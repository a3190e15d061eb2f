#include <algorithm>
#include <string>
#include <vector>

#include "bytes/byte_reader.h"
#include "bytes/byte_writer.h"
#include "bytes/hex.h"
#include "check.h"

namespace {

using namespace antara;

struct CompactSizeCase {
  const char* name;
  std::vector<std::uint8_t> bytes;
  std::uint64_t value;
  ErrorCode error;
};

const std::vector<CompactSizeCase> compact_size_cases{
    {"zero", {0x00}, 0, ErrorCode::ok},
    {"largest single byte", {0xfc}, 0xfc, ErrorCode::ok},
    {"smallest of two bytes", {0xfd, 0xfd, 0x00}, 0xfd, ErrorCode::ok},
    {"largest of two bytes", {0xfd, 0xff, 0xff}, 0xffff, ErrorCode::ok},
    {"smallest of four bytes", {0xfe, 0x00, 0x00, 0x01, 0x00}, 0x10000, ErrorCode::ok},
    {"MAX_SIZE", {0xfe, 0x00, 0x00, 0x00, 0x02}, 0x02000000, ErrorCode::ok},
    {"over MAX_SIZE", {0xfe, 0x01, 0x00, 0x00, 0x02}, 0, ErrorCode::length_over_limit},
    {"not the shortest of two", {0xfd, 0xfc, 0x00}, 0, ErrorCode::non_canonical_length},
    {"not the shortest of four", {0xfe, 0xff, 0xff, 0, 0}, 0, ErrorCode::non_canonical_length},
    {"not the shortest of eight",
     {0xff, 1, 0, 0, 0, 0, 0, 0, 0},
     0,
     ErrorCode::non_canonical_length},
    {"eight bytes", {0xff, 0, 0, 0, 0, 1, 0, 0, 0}, 0, ErrorCode::length_over_limit},
    {"2^64 - 1", {0xff, 255, 255, 255, 255, 255, 255, 255, 255}, 0, ErrorCode::length_over_limit},
    {"nothing", {}, 0, ErrorCode::truncated},
    {"cut in two bytes", {0xfd, 0xfd}, 0, ErrorCode::truncated},
    {"cut in eight bytes", {0xff, 0, 0, 0}, 0, ErrorCode::truncated},
};

void compact_sizes() {
  for (const CompactSizeCase& item : compact_size_cases) {
    ByteReader reader{item.bytes};
    CHECK(reader.compact_size() == item.value);
    CHECK((reader.finish() == Error{item.error, 0}));
    if (item.error != ErrorCode::ok) continue;
    std::vector<std::uint8_t> written;
    ByteWriter{written}.compact_size(item.value);
    CHECK(written == item.bytes);
  }
}

void error_is_sticky() {
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  ByteReader reader{bytes};
  CHECK(reader.u16() == 0x0201);
  CHECK(reader.u32() == 0);
  CHECK(reader.u8() == 0);
  CHECK(reader.bytes(0).empty());
  CHECK((reader.finish() == Error{ErrorCode::truncated, 2}));
}

void counts_are_bounded_by_input() {
  const std::vector<std::uint8_t> bytes{0xfe, 0xff, 0xff, 0xff, 0x01, 0, 0, 0};
  ByteReader reader{bytes};
  CHECK(reader.element_count(41) == 0);
  CHECK((reader.error() == Error{ErrorCode::count_over_input, 0}));
}

HexText unhex(const std::string& text, std::vector<std::uint8_t>& output, bool portable) {
  output.assign(text.size() / 2, 0);
  const std::span<const char> view{text.data(), text.size()};
  return portable ? bytes_from_hex_portable(view, output) : bytes_from_hex(view, output);
}

void hex_both_ways() {
  for (std::size_t length = 0; length < 100; ++length) {
    std::vector<std::uint8_t> bytes(length);
    for (std::size_t index = 0; index < length; ++index) {
      bytes[index] = static_cast<std::uint8_t>(index * 37 + length);
    }
    std::string text(2 * length, '\0');
    hex_from_bytes(bytes, text.data());
    for (const bool portable : {false, true}) {
      std::vector<std::uint8_t> read;
      const HexText result = unhex(text, read, portable);
      CHECK(!result.error.failed() && !result.has_upper_case && read == bytes);
      CHECK((unhex(text + "0", read, portable).error ==
             Error{ErrorCode::odd_length_hex, static_cast<std::uint32_t>(length)}));
    }
    // Any other character, anywhere, is found where it stands.
    for (std::size_t position = 0; position < text.size(); ++position) {
      for (const char wrong : {'g', 'G', '/', ':', '@', '`', ' ', '\0', '\x7f', '\x80', '\xff'}) {
        std::string bad = text;
        bad[position] = wrong;
        for (const bool portable : {false, true}) {
          std::vector<std::uint8_t> read;
          CHECK((unhex(bad, read, portable).error ==
                 Error{ErrorCode::malformed_hex, static_cast<std::uint32_t>(position / 2)}));
        }
      }
    }
    // One upper-case letter, anywhere, is noticed.
    for (std::size_t position = 0; position < text.size(); ++position) {
      std::string upper = text;
      upper[position] = 'C';
      for (const bool portable : {false, true}) {
        std::vector<std::uint8_t> read;
        const HexText result = unhex(upper, read, portable);
        CHECK(!result.error.failed() && result.has_upper_case);
      }
    }
  }
  const std::vector<std::uint8_t> bytes{0x01, 0x23, 0xab};
  std::string reversed(6, '\0');
  reversed_hex_from_bytes(bytes, reversed.data());
  CHECK(reversed == "ab2301");
}

void reversed_hex_is_the_hex_of_reversed_bytes() {
  for (std::size_t length = 0; length < 100; ++length) {
    std::vector<std::uint8_t> bytes(length);
    for (std::size_t index = 0; index < length; ++index) {
      bytes[index] = static_cast<std::uint8_t>(index * 37 + length);
    }
    std::string reversed(2 * length, '\0');
    reversed_hex_from_bytes(bytes, reversed.data());
    std::reverse(bytes.begin(), bytes.end());
    std::string expected(2 * length, '\0');
    hex_from_bytes(bytes, expected.data());
    CHECK(reversed == expected);
  }
}

/// Every value a character can have, at every position of a text that vector code reads in one
/// long step, one short step and one that reaches back.
void only_22_characters_are_hex() {
  const std::string digits = "0123456789abcdefABCDEF";
  for (std::size_t position = 0; position < 2 * 53; ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string text(2 * 53, '5');
      text[position] = static_cast<char>(value);
      const bool is_hex = digits.find(static_cast<char>(value)) != std::string::npos;
      for (const bool portable : {false, true}) {
        std::vector<std::uint8_t> read;
        const HexText result = unhex(text, read, portable);
        CHECK(result.error.failed() != is_hex);
        CHECK(!is_hex || result.has_upper_case == (value < 'a' && value >= 'A'));
      }
    }
  }
}

}  // namespace

int main() {
  compact_sizes();
  error_is_sticky();
  counts_are_bounded_by_input();
  hex_both_ways();
  reversed_hex_is_the_hex_of_reversed_bytes();
  only_22_characters_are_hex();
  return antara::test::report();
}
