#include <string_view>
#include <vector>

#include "bytes/byte_writer.h"
#include "check.h"
#include "hex_text.h"
#include "seam/transaction_words.h"
#include "token_create.h"
#include "tx/parse.h"
#include "tx/serialize.h"

namespace {

using namespace antara;
using namespace antara::test;

/// A transaction of each version that carries everything the version can.
std::vector<std::uint8_t> full_transaction(std::uint32_t version, bool overwintered,
                                           std::uint32_t group_id) {
  std::vector<std::uint8_t> bytes;
  ByteWriter writer{bytes};
  const auto fill = [&](std::size_t count, std::uint8_t value) {
    for (std::size_t index = 0; index < count; ++index) writer.u8(value);
  };
  writer.u32(version | (overwintered ? overwintered_flag : 0));
  if (overwintered) writer.u32(group_id);
  writer.compact_size(1);
  fill(32, 0x11);
  writer.u32(7);
  writer.var_bytes(std::vector<std::uint8_t>(300, 0x51));
  writer.u32(0xffffffff);
  writer.compact_size(2);
  writer.i64(-1);
  writer.var_bytes({});
  writer.i64(2'000'000'000'000'000);
  writer.var_bytes(std::vector<std::uint8_t>(25, 0x76));
  writer.u32(500'000'000);
  if (overwintered) writer.u32(499'999'999);
  const bool sapling = overwintered && version == 4;
  if (sapling) {
    writer.i64(-5);
    writer.compact_size(2);
    fill(2 * shielded_spend_bytes, 0x22);
    writer.compact_size(1);
    fill(shielded_output_bytes, 0x33);
  }
  if (version >= 2) {
    writer.compact_size(1);
    writer.i64(3);
    writer.i64(4);
    fill(288, 0x44);
    if (sapling) {
      fill(192, 0x55);
    } else {
      for (const std::uint8_t lead : std::to_array<std::uint8_t>({2, 3, 10, 2, 2, 3, 2, 2})) {
        writer.u8(lead);
        fill(lead == 10 ? 64 : 32, 0x55);
      }
    }
    fill(1202, 0x66);
    fill(32, 0x77);
    fill(64, 0x88);
  }
  if (sapling) fill(64, 0x99);
  return bytes;
}

void round_trips(Bytes raw) {
  TxLayout layout;
  CHECK((parse_transaction(raw, layout) == Error{}));
  std::vector<std::uint8_t> again;
  CHECK((serialize_transaction(layout, raw, again) == Error{}));
  CHECK(std::equal(again.begin(), again.end(), raw.begin(), raw.end()));
}

void every_truncation_fails(const std::vector<std::uint8_t>& raw) {
  TxLayout layout;
  for (std::size_t length = 1; length < raw.size(); ++length) {
    // A fresh allocation of the exact size, so that the sanitizer sees any read past it.
    const std::vector<std::uint8_t> cut(raw.begin(),
                                        raw.begin() + static_cast<std::ptrdiff_t>(length));
    const Error error = parse_transaction(cut, layout);
    CHECK(error.code == ErrorCode::truncated || error.code == ErrorCode::count_over_input);
    CHECK(error.offset <= length);
  }
  std::vector<std::uint8_t> longer = raw;
  longer.push_back(0);
  CHECK((parse_transaction(longer, layout) ==
         Error{ErrorCode::trailing_bytes, static_cast<std::uint32_t>(raw.size())}));
}

void every_corruption_is_exact_or_refused(const std::vector<std::uint8_t>& raw) {
  TxLayout layout;
  for (std::size_t position = 0; position < raw.size(); ++position) {
    for (const std::uint8_t change : std::to_array<std::uint8_t>({0x01, 0x80, 0xff})) {
      std::vector<std::uint8_t> changed = raw;
      changed[position] = static_cast<std::uint8_t>(changed[position] ^ change);
      if (parse_transaction(changed, layout).failed()) continue;
      round_trips(changed);
    }
  }
}

struct InvalidCase {
  const char* name;
  std::string_view hex;
  Error error;
};

const std::vector<InvalidCase> invalid_cases{
    {"nothing", "", {ErrorCode::empty_input, 0}},
    {"version 5 with the flag",
     "0500008085202f890000000000",
     {ErrorCode::unknown_transaction_format, 0}},
    {"v4 with the v3 group id",
     "040000807082c4030000000000",
     {ErrorCode::unknown_transaction_format, 0}},
    {"v3 with the v4 group id",
     "0300008085202f890000000000",
     {ErrorCode::unknown_transaction_format, 0}},
    {"2^32 - 1 inputs", "01000000feffffffff00000000", {ErrorCode::length_over_limit, 4}},
    {"2^64 - 1 inputs", "01000000ffffffffffffffffff", {ErrorCode::length_over_limit, 4}},
    {"2^25 inputs", "01000000fe0000000200000000", {ErrorCode::count_over_input, 4}},
    {"input count not minimal", "01000000fd010000", {ErrorCode::non_canonical_length, 4}},
    {"2^24 outputs", "0100000000fe0000000100000000", {ErrorCode::count_over_input, 5}},
    {"segwit", "010000000001010000000000", {ErrorCode::segwit_unsupported, 4}},
};

void invalid() {
  for (const InvalidCase& item : invalid_cases) {
    TxLayout layout;
    CHECK((parse_transaction(unhex(item.hex), layout) == item.error));
  }
  // One lead byte of a PHGR13 proof out of range.
  std::vector<std::uint8_t> raw = full_transaction(2, false, 0);
  const std::size_t proof_offset = raw.size() - 96 - 1202 - 296;
  raw[proof_offset] = 0x04;
  TxLayout layout;
  CHECK((parse_transaction(raw, layout) ==
         Error{ErrorCode::malformed_proof, static_cast<std::uint32_t>(proof_offset)}));
  const std::vector<std::uint8_t> huge(4'000'001, 0);
  CHECK(parse_transaction(huge, layout).code == ErrorCode::input_over_limit);
}

void versions_refuse_parts_of_others() {
  TxLayout layout;
  const std::vector<std::uint8_t> raw = full_transaction(4, true, sapling_group_id);
  CHECK(!parse_transaction(raw, layout).failed());
  std::vector<std::uint8_t> output;
  layout.version_group_id = 1;
  CHECK(serialize_transaction(layout, raw, output).code == ErrorCode::unknown_transaction_format);
  layout.overwintered = false;
  layout.version = 1;
  CHECK(serialize_transaction(layout, raw, output).code == ErrorCode::field_not_in_version);
  CHECK(output.empty());
}

}  // namespace

int main() {
  const std::vector<std::vector<std::uint8_t>> valid{
      unhex(token_create),
      full_transaction(1, false, 0),
      full_transaction(2, false, 0),
      full_transaction(0x7fffffff, false, 0),
      full_transaction(3, true, overwinter_group_id),
      full_transaction(4, true, sapling_group_id),
      unhex("01000000000000000000"),
  };
  for (const auto& raw : valid) {
    round_trips(raw);
    every_truncation_fails(raw);
    every_corruption_is_exact_or_refused(raw);
  }
  invalid();
  versions_refuse_parts_of_others();
  return antara::test::report();
}
