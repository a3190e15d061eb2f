// The reader of DER by itself: where strict rules and the daemon's part, and where its errors are.
// Conditions and fulfillments go no further than their own shapes.

#include "cc/der.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

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

void ends_follow_from_their_place() {
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
    // For the outermost element the input ends; for an inner one the element ends, and the wanted
    // element is missing.
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

  // The outermost frame has no end of its own, as an indefinite element would have here.
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
    // The bytes that follow are not a part of the input, whatever they contain.
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
  // A reader never writes behind its own memory.
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

// Offsets have 32 bits. No byte of such an input is read, so the input need not exist.
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

}  // namespace

int main() {
  identifiers_may_be_spread();
  lengths_have_one_shortest_form();
  ends_follow_from_their_place();
  elements_are_left_at_their_end();
  indefinite_elements_end_at_two_zeros();
  nesting_ends_at_its_limit();
  inputs_end_where_offsets_do();
  return antara::test::report();
}
