// The reader of DER by itself: where strict rules and the daemon's part, and where its errors are.
// Conditions and fulfillments go no further than their own shapes.

#include "cc/der.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cc/der_writer.h"
#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

constexpr Error none{};

// asn1c ber_fetch_tag: seven bits an octet, until more than 23 are taken and another follows.
void identifiers_may_be_spread() {
  struct Spread {
    std::string_view bytes;
    std::uint8_t identifier;
    Error error;
  };
  const std::vector<Spread> rows{
      {"a200", 0xa2, none},
      {"bf02", 0xa2, none},
      {"bf03", 0xa3, none},
      {"bf1e", 0xbe, none},
      {"bf1f", 0xbf, none},
      {"bf8002", 0xa2, none},
      {"bf8100", 0xbf, none},
      {"bf83ffffff7f", 0xbf, none},
      {"bf84808080", 0, {ErrorCode::der_wrong_tag, 0}},
      {"bf8480808000", 0, {ErrorCode::der_wrong_tag, 0}},
      {"9f01", 0x81, none},
      {"bf", 0, {ErrorCode::truncated, 1}},
      {"bf81", 0, {ErrorCode::truncated, 2}},
  };
  for (const Spread& row : rows) {
    const Buffer bytes = unhex(row.bytes);
    DerReader daemon{bytes, DerRules::daemon};
    CHECK(daemon.peek() == row.identifier);
    CHECK(daemon.error() == row.error);
    CHECK(daemon.offset() == 0 || row.error.failed());
    const bool is_spread = bytes[0] != 0xa2;
    CHECK(daemon.deviation().failed() == is_spread);
    DerReader strict{bytes};
    CHECK(strict.peek() == (is_spread ? 0 : row.identifier));
    CHECK(strict.error() == (is_spread ? Error{ErrorCode::der_wrong_tag, 0} : none));
  }
  DerReader empty{Bytes{}};
  CHECK(empty.peek() == 0 && !empty.failed());
}

// X.690 8.1.3 and 10.1
void lengths_have_one_shortest_form() {
  struct Length {
    std::string_view header;
    std::size_t length;
    Error strict;
    bool daemon_reads;
  };
  const std::vector<Length> rows{
      {"8000", 0, none, true},
      {"807f", 0x7f, none, true},
      {"80817f", 0x7f, {ErrorCode::der_length_not_minimal, 1}, true},
      {"808180", 0x80, none, true},
      {"8081ff", 0xff, none, true},
      {"80820080", 0x80, {ErrorCode::der_length_not_minimal, 1}, true},
      {"808200ff", 0xff, {ErrorCode::der_length_not_minimal, 1}, true},
      {"80820100", 0x100, none, true},
      {"8083000100", 0x100, {ErrorCode::der_length_not_minimal, 1}, true},
  };
  for (const Length& row : rows) {
    Buffer bytes = unhex(row.header);
    const std::size_t start = bytes.size();
    bytes.resize(start + row.length, 0x55);
    DerReader strict{bytes};
    const Slice slice = strict.string(0x80);
    CHECK(strict.error() == row.strict);
    if (!row.strict.failed()) CHECK(slice.offset == start && slice.length == row.length);
    DerReader daemon{bytes, DerRules::daemon};
    const Slice same = daemon.string(0x80);
    CHECK(daemon.failed() != row.daemon_reads);
    CHECK(same.offset == start && same.length == row.length);
    CHECK(daemon.deviation() == row.strict);
    CHECK(daemon.offset() == bytes.size());
    // One octet less than there should be.
    if (row.length == 0) continue;
    DerReader cut{Bytes{bytes}.first(bytes.size() - 1), DerRules::daemon};
    static_cast<void>(cut.string(0x80));
    CHECK(cut.error() == (Error{ErrorCode::truncated, 1}));
  }
}

void ends_are_told_by_where_they_are() {
  const auto error_of = [](std::string_view text, auto read) {
    const Buffer bytes = unhex(text);
    DerReader reader{bytes};
    read(reader);
    return reader.error();
  };
  const auto string = [](DerReader& reader) { static_cast<void>(reader.string(0x80)); };
  const auto integer = [](DerReader& reader) { static_cast<void>(reader.integer(0x80)); };
  const auto open = [](DerReader& reader) { reader.open(0x80); };
  const auto inside = [](auto read) {
    return [read](DerReader& reader) {
      reader.open(0xa2);
      read(reader);
    };
  };
  const auto all = [&](auto read) {
    // Of the outermost the input ends; of what is inside, the element, and what is wanted is not
    // there.
    CHECK(error_of("", read) == (Error{ErrorCode::truncated, 0}));
    CHECK(error_of("80", read) == (Error{ErrorCode::truncated, 1}));
    CHECK(error_of("8001", read) == (Error{ErrorCode::truncated, 1}));
    CHECK(error_of("8181", read).failed());
    CHECK(error_of("a200", inside(read)) == (Error{ErrorCode::der_wrong_tag, 2}));
    CHECK(error_of("a20180", inside(read)) == (Error{ErrorCode::der_element_over_end, 3}));
    CHECK(error_of("a2028001", inside(read)) == (Error{ErrorCode::der_element_over_end, 3}));
    CHECK(error_of("a20280010000", inside(read)) == (Error{ErrorCode::der_element_over_end, 3}));
    CHECK(error_of("a2028100", inside(read)) == (Error{ErrorCode::der_wrong_tag, 2}));
    CHECK(error_of("a20382018000", inside(read)) == (Error{ErrorCode::der_wrong_tag, 2}));
    // The first failure stays.
    CHECK(error_of("a300a200", inside(read)) == (Error{ErrorCode::der_wrong_tag, 0}));
  };
  all(string);
  all(integer);
  all(open);
}

void elements_are_left_at_their_end() {
  const Buffer bytes = unhex("a2048002aabb8000");
  DerReader reader{bytes};
  reader.open(0xa2);
  CHECK(!reader.at_end());
  CHECK(reader.string(0x80).length == 2);
  CHECK(reader.at_end());
  reader.close();
  CHECK(!reader.failed() && !reader.at_end());
  CHECK(reader.string(0x80).length == 0);
  CHECK(reader.finish() == none && reader.at_end());

  DerReader early{bytes};
  early.open(0xa2);
  early.close();
  CHECK(early.error() == (Error{ErrorCode::der_leftover, 2}));
  // After a failure nothing more comes.
  CHECK(early.at_end());

  // What is around everything has no end of its own, as an indefinite element would have here.
  const Buffer zeros = unhex("0000");
  DerReader outermost{zeros, DerRules::daemon};
  outermost.close();
  CHECK(outermost.error() == (Error{ErrorCode::der_leftover, 0}));

  DerReader trailing{bytes};
  trailing.open(0xa2);
  static_cast<void>(trailing.string(0x80));
  trailing.close();
  CHECK(trailing.finish() == (Error{ErrorCode::trailing_bytes, 6}));
  DerReader daemon{bytes, DerRules::daemon};
  daemon.open(0xa2);
  static_cast<void>(daemon.string(0x80));
  daemon.close();
  CHECK(daemon.finish() == none);
  CHECK(daemon.deviation() == (Error{ErrorCode::trailing_bytes, 6}));
}

// X.690 8.1.5: two octets of zero
void indefinite_elements_end_at_two_zeros() {
  struct Indefinite {
    std::string_view bytes;
    Error daemon;
  };
  const std::vector<Indefinite> rows{
      {"a2800000", none},
      {"a28000", {ErrorCode::der_leftover, 2}},
      {"a280", {ErrorCode::der_leftover, 2}},
      {"a2800001", {ErrorCode::der_leftover, 2}},
      {"a2800100", {ErrorCode::der_leftover, 2}},
  };
  for (const Indefinite& row : rows) {
    // What follows is none of the input, whatever it would say.
    Buffer bytes = unhex(row.bytes);
    const std::size_t size = bytes.size();
    bytes.resize(size + 2);
    const Bytes input = Bytes{bytes}.first(size);
    DerReader daemon{input, DerRules::daemon};
    daemon.open(0xa2);
    daemon.close();
    CHECK(daemon.error() == row.daemon);
    CHECK(daemon.deviation() == (Error{ErrorCode::der_indefinite_length, 1}));
    DerReader strict{input};
    strict.open(0xa2);
    CHECK(strict.error() == (Error{ErrorCode::der_indefinite_length, 1}));
  }
}

void nesting_ends_at_its_limit() {
  // 32 thresholds are 64 elements, and strings in pieces may nest as well.
  constexpr std::uint32_t levels = 80;
  Buffer bytes;
  for (std::uint32_t level = 0; level <= levels; ++level) {
    bytes.push_back(0xa2);
    bytes.push_back(0x80);
  }
  // What is written behind a reader was never its own.
  struct Guarded {
    DerReader reader;
    std::array<std::uint8_t, 64> behind;
  } guarded{DerReader{bytes, DerRules::daemon}, {}};
  guarded.behind.fill(0xee);
  DerReader& reader = guarded.reader;
  for (std::uint32_t level = 0; level < levels; ++level) reader.open(0xa2);
  CHECK(!reader.failed());
  reader.open(0xa2);
  CHECK(reader.error() == (Error{ErrorCode::condition_nesting_over_limit, 2 * levels + 2}));
  CHECK(std::ranges::all_of(guarded.behind, [](std::uint8_t byte) { return byte == 0xee; }));
}

// Offsets are of 32 bits. Nothing of such an input is read, so that there need be none.
void inputs_end_where_offsets_do() {
  if constexpr (sizeof(std::size_t) > sizeof(std::uint32_t)) {
    const std::uint8_t first = 0x80;
    const auto error_of = [&](std::uint64_t bytes) {
      return DerReader{Bytes{&first, static_cast<std::size_t>(bytes)}}.error();
    };
    CHECK(error_of(0xffffffff) == none);
    CHECK(error_of(0x100000000) == (Error{ErrorCode::input_over_limit, 0}));
  }
}

// X.690 8.6 and 8.7
void strings_may_be_in_pieces() {
  struct Pieces {
    std::string_view bytes;
    std::string_view whole;
    /// Whether there is exactly one piece, which a slice can name.
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
  identifiers_may_be_spread();
  lengths_have_one_shortest_form();
  ends_are_told_by_where_they_are();
  elements_are_left_at_their_end();
  indefinite_elements_end_at_two_zeros();
  nesting_ends_at_its_limit();
  inputs_end_where_offsets_do();
  strings_may_be_in_pieces();
  bits_may_be_in_pieces();
  integers_have_one_shortest_form();
  strings_are_written_as_they_are_read();
  return antara::test::report();
}
