// The values of DER elements (strings, bits, integers): read by both rules, and written again.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cc/der.h"
#include "cc/der_writer.h"
#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

constexpr Error none{};

// X.690 8.6 and 8.7
void strings_may_be_in_pieces() {
  struct Pieces {
    std::string_view bytes;
    std::string_view whole;
    /// True if there is exactly one piece, which a slice can name.
    bool is_one;
    Error error = none;
  };
  const std::vector<Pieces> rows{
      {"8003aabbcc", "aabbcc", true},
      {"8000", "", true},
      {"a0050403aabbcc", "aabbcc", true},
      {"a0070401aa0402bbcc", "aabbcc", false},
      {"a00904000401aa0402bbcc", "aabbcc", false},
      {"a0020400", "", true},
      {"a000", "", false},
      {"a0800401aa0402bbcc0000", "aabbcc", false},
      {"a08004000401aa0000", "aa", false},
      {"a08024800401aa00000401bb0000", "aabb", false},
      {"a00724050403aabbcc", "aabbcc", true},
      {"a0050303aabbcc", "", false, {ErrorCode::der_wrong_tag, 2}},
      {"a005040aaabbcc", "", false, {ErrorCode::der_element_over_end, 3}},
      {"a0800401aa00010000", "", false, {ErrorCode::der_wrong_tag, 5}},
      {"a0800401aa", "", false, {ErrorCode::der_element_over_end, 5}},
      {"8103aabbcc", "", false, {ErrorCode::der_wrong_tag, 0}},
      {"a1050403aabbcc", "", false, {ErrorCode::der_wrong_tag, 0}},
  };
  for (const Pieces& row : rows) {
    const Buffer bytes = unhex(row.bytes);
    const Buffer whole = unhex(row.whole);
    for (const std::size_t room :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      Buffer output(16, 0xee);
      DerReader reader{bytes, DerRules::daemon};
      const std::size_t length = reader.copy_string(0x80, MutableBytes{output}.first(room));
      CHECK(reader.error() == row.error);
      CHECK(length == whole.size());
      if (row.error.failed()) continue;
      CHECK(reader.offset() == bytes.size());
      for (std::size_t at = 0; at < output.size(); ++at) {
        CHECK(output[at] == (at < std::min(room, whole.size()) ? whole[at] : 0xee));
      }
    }
    DerReader one{bytes, DerRules::daemon};
    const Slice slice = one.string(0x80);
    const Error expected =
        row.error.failed() || row.is_one ? row.error : Error{ErrorCode::der_constructed_string, 0};
    CHECK(one.error() == expected);
    CHECK(slice.length == (row.is_one ? whole.size() : 0));
    if (row.is_one) CHECK(slice.offset == bytes.size() - whole.size());
    const bool is_primitive = bytes[0] == 0x80;
    DerReader strict{bytes};
    static_cast<void>(strict.string(0x80));
    CHECK(strict.failed() != is_primitive);
  }
}

// Each piece begins with its own count of unused bits; the last one holds.
void bits_may_be_in_pieces() {
  struct Bits {
    std::string_view bytes;
    std::string_view whole;
    std::uint8_t unused_bits;
    Error error = none;
  };
  const std::vector<Bits> rows{
      {"820203aa", "aa", 3},
      {"820103", "", 3},
      {"8200", "", 0},
      {"a2040302 05aa", "aa", 5},
      {"a20803020 5aa030206bb", "aabb", 6},
      {"a20603020 5aa0300", "aa", 5},
      {"a20703020 5aa030107", "aa", 7},
      {"a20404020 5aa", "", 0, {ErrorCode::der_wrong_tag, 2}},
      {"a20803020 5aa0402bbcc", "", 5, {ErrorCode::der_wrong_tag, 6}},
  };
  for (const Bits& row : rows) {
    std::string text{row.bytes};
    std::erase(text, ' ');
    const Buffer bytes = unhex(text);
    const Buffer whole = unhex(row.whole);
    Buffer output(8, 0xee);
    std::uint8_t unused_bits = 0xff;
    DerReader reader{bytes, DerRules::daemon};
    CHECK(reader.copy_bits(0x82, MutableBytes{output}.first(4), unused_bits) == whole.size());
    CHECK(reader.error() == row.error);
    if (row.error.failed()) continue;
    CHECK(unused_bits == row.unused_bits);
    CHECK(std::equal(whole.begin(), whole.end(), output.begin()));
    CHECK(output[whole.size()] == 0xee);
  }
}

// X.690 8.3; the daemon's asn1c reads any 64 bits, and no sign
void integers_have_one_shortest_form() {
  struct Integer {
    std::string_view octets;
    std::uint64_t value;
    ErrorCode strict = ErrorCode::ok;
    ErrorCode daemon = ErrorCode::ok;
  };
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  const std::vector<Integer> rows{
      {"00", 0},
      {"01", 1},
      {"7f", 0x7f},
      {"80", 0x80, ErrorCode::der_integer_negative},
      {"ff", 0xff, ErrorCode::der_integer_negative},
      {"007f", 0x7f, ErrorCode::der_integer_not_minimal},
      {"0080", 0x80},
      {"0100", 0x100},
      {"0000", 0, ErrorCode::der_integer_not_minimal},
      {"000080", 0x80, ErrorCode::der_integer_not_minimal},
      {"", 0, ErrorCode::der_integer_not_minimal},
      {"8000", 0x8000, ErrorCode::der_integer_negative},
      {"7fffffffffffffff", top - 1},
      {"8000000000000000", top, ErrorCode::der_integer_negative},
      {"008000000000000000", top, ErrorCode::der_integer_over_limit},
      {"00ffffffffffffffff", ~std::uint64_t{0}, ErrorCode::der_integer_over_limit},
      {"00ff00000000000000", 0xff00000000000000, ErrorCode::der_integer_over_limit},
      {"010000000000000000", 0, ErrorCode::der_integer_over_limit,
       ErrorCode::der_integer_over_limit},
      {"00010000000000000000", 0, ErrorCode::der_integer_not_minimal,
       ErrorCode::der_integer_over_limit},
  };
  for (const Integer& row : rows) {
    Buffer bytes = unhex(row.octets);
    bytes.insert(bytes.begin(), {0x81, static_cast<std::uint8_t>(bytes.size())});
    const auto at_contents = [](ErrorCode code) {
      return code == ErrorCode::ok ? none : Error{code, 2};
    };
    DerReader strict{bytes};
    const std::uint64_t value = strict.integer(0x81);
    CHECK(strict.error() == at_contents(row.strict));
    CHECK(value == (row.strict == ErrorCode::ok ? row.value : 0));
    DerReader daemon{bytes, DerRules::daemon};
    CHECK(daemon.integer(0x81) == row.value);
    CHECK(daemon.error() == at_contents(row.daemon));
    CHECK(daemon.deviation() == at_contents(row.strict) || row.daemon != ErrorCode::ok);
    CHECK(daemon.offset() == bytes.size());
    // Over 63 bits an octet of zero goes before eight others: X.690 8.3.3.
    const bool is_shortest =
        row.strict == ErrorCode::ok ||
        (row.strict == ErrorCode::der_integer_over_limit && row.daemon == ErrorCode::ok);
    if (!is_shortest) continue;
    Buffer written;
    DerWriter{written}.integer(0x81, row.value);
    CHECK(written == bytes);
    CHECK(der_integer_bytes(row.value) == bytes.size());
  }
  const Buffer constructed = unhex("a1030101");
  DerReader reader{constructed};
  CHECK(reader.integer(0x81) == 0);
  CHECK(reader.failed());
}

void strings_are_written_as_they_are_read() {
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{0x7f}, std::size_t{0x80}, std::size_t{0xff},
        std::size_t{0x100}, std::size_t{0xffff}, std::size_t{0x10000}}) {
    Buffer written;
    const Buffer contents(length, 0x55);
    DerWriter{written}.string(0x80, contents);
    CHECK(written.size() == der_string_bytes(length));
    DerReader reader{written};
    const Slice slice = reader.string(0x80);
    CHECK(reader.finish() == none);
    CHECK(slice.length == length);
    CHECK(slice.offset == 1 + der_length_bytes(length));
  }
}

}  // namespace

int main() {
  strings_may_be_in_pieces();
  bits_may_be_in_pieces();
  integers_have_one_shortest_form();
  strings_are_written_as_they_are_read();
  return antara::test::report();
}
