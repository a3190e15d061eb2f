#include "verify/signature.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "bytes/hex.h"
#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

Hash256 hash_of_hex(std::string_view text) {
  Hash256 hash{};
  CHECK(!bytes_from_hex(text, hash).error.failed());
  return hash;
}

// A signature whose key, hash and transaction are all published.
constexpr std::string_view generator =
    "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
constexpr std::string_view hash =
    "e0cfb07d20344799030170edae05a99df461a84a6d4ecb5e52cc17191f41393e";
constexpr std::string_view der =
    "304402207ae6632a4e8b14df2bc18fcfebc99f46ce075ce8505a48c25c503e0b8f58c9660220"
    "05acaae08cdc6f4dc189dde19d4c5ef30a9d86afa7499e3bf4e73a52b4418eb1";

struct DerCase {
  const char* name;
  std::string_view encoded;
  Error error;
};

// The order of the curve, its half, and the neighbours of both, where the rules change.
#define ORDER "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
#define ORDER_LESS_1 "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"
#define HALF_ORDER "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"
#define HALF_ORDER_PLUS_1 "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1"

#define ZEROS_31 "00000000000000000000000000000000000000000000000000000000000000"

const std::vector<DerCase> der_cases{
    {"smallest", "3006020101020101", {}},
    {"the worked example", der, {}},
    {"r just below the order", "3026022100" ORDER_LESS_1 "020101", {}},
    {"s at the limit", "30250201010220" HALF_ORDER, {}},
    {"r with a zero that it needs",
     "300802030080010201"
     "01",
     {}},
    {"s with a zero that it needs", "30080201010203008001", {}},
    {"r of 33 bytes, a one at both ends",
     "3026022101" ZEROS_31 "01020101",
     {ErrorCode::signature_out_of_range, 4}},
    {"s of 33 bytes, a one at both ends",
     "3026020101022101" ZEROS_31 "01",
     {ErrorCode::signature_out_of_range, 7}},
    {"72 bytes", "3046022100" ORDER "022100" ORDER, {ErrorCode::signature_out_of_range, 4}},
    {"73 bytes", "304702220080" ORDER "022100" ORDER, {ErrorCode::signature_length, 0}},
    {"nothing", "", {ErrorCode::signature_missing, 0}},
    {"too short", "30050201010201", {ErrorCode::signature_length, 0}},
    {"another tag", "3106020101020101", {ErrorCode::signature_tag, 0}},
    {"length one short", "3005020101020101", {ErrorCode::signature_length, 1}},
    {"length in long form", "308106020101020101", {ErrorCode::signature_length, 1}},
    {"indefinite length", "30800201010201010000", {ErrorCode::signature_length, 1}},
    {"a byte after the end", "300602010102010100", {ErrorCode::signature_length, 1}},
    {"a byte after s", "300702010102010100", {ErrorCode::signature_length, 6}},
    {"r longer than the rest", "3006020401020101", {ErrorCode::signature_length, 3}},
    {"r leaves no room for s", "3006020301020101", {ErrorCode::signature_length, 3}},
    {"s one short", "3006020101020201", {ErrorCode::signature_length, 6}},
    {"r no integer", "3006030101020101", {ErrorCode::signature_tag, 2}},
    {"s no integer", "3006020101030101", {ErrorCode::signature_tag, 5}},
    {"r empty", "300602000202000101", {ErrorCode::signature_length, 1}},
    {"r empty, lengths right", "30060200020201ff", {ErrorCode::signature_integer_empty, 4}},
    {"s empty", "3006020201010200", {ErrorCode::signature_integer_empty, 8}},
    {"r negative", "3006020181020101", {ErrorCode::signature_integer_negative, 4}},
    {"s negative", "3006020101020181", {ErrorCode::signature_integer_negative, 7}},
    {"r padded", "300702020001020101", {ErrorCode::signature_integer_padded, 4}},
    {"s padded", "300702010102020001", {ErrorCode::signature_integer_padded, 7}},
    {"r zero", "3006020100020101", {ErrorCode::signature_out_of_range, 4}},
    {"s zero", "3006020101020100", {ErrorCode::signature_out_of_range, 7}},
    {"r the order", "3026022100" ORDER "020101", {ErrorCode::signature_out_of_range, 4}},
    {"s the order", "3026020101022100" ORDER, {ErrorCode::signature_out_of_range, 7}},
    {"r of 33 significant bytes",
     "30260221010000000000000000000000000000000000000000000000000000000000000000020101",
     {ErrorCode::signature_out_of_range, 4}},
    {"s just above the limit",
     "30250201010220" HALF_ORDER_PLUS_1,
     {ErrorCode::signature_high_s, 7}},
    {"s just below the order", "3026020101022100" ORDER_LESS_1, {ErrorCode::signature_high_s, 7}},
};

const std::vector<DerCase> compact_cases{
    {"r and s of one digit",
     "00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000"
     "000000000000000000000000000000000001",
     {}},
    {"s at the limit", ORDER_LESS_1 HALF_ORDER, {}},
    {"nothing", "", {ErrorCode::compact_signature_length, 0}},
    {"63 bytes",
     "01000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000"
     "0000000000000000000000000000000000",
     {ErrorCode::compact_signature_length, 63}},
    {"65 bytes", ORDER_LESS_1 HALF_ORDER "01", {ErrorCode::compact_signature_length, 65}},
    {"r the order", ORDER HALF_ORDER, {ErrorCode::signature_out_of_range, 0}},
    {"s the order", ORDER_LESS_1 ORDER, {ErrorCode::signature_out_of_range, 32}},
    {"s above the limit", ORDER_LESS_1 HALF_ORDER_PLUS_1, {ErrorCode::signature_high_s, 32}},
};

const std::vector<DerCase> key_cases{
    {"compressed", generator, {}},
    {"uncompressed",
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
     {}},
    {"hybrid",
     "0679be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
     {ErrorCode::malformed_public_key, 0}},
    {"nothing", "", {ErrorCode::malformed_public_key, 0}},
    {"one byte short", generator.substr(0, 64), {ErrorCode::malformed_public_key, 0}},
    {"one byte more",
     "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f8179800",
     {ErrorCode::malformed_public_key, 0}},
    {"the lead byte of an uncompressed key on 33 bytes",
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
     {ErrorCode::malformed_public_key, 0}},
    {"lead byte 1",
     "0179be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
     {ErrorCode::malformed_public_key, 0}},
    {"uncompressed, one byte short",
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4",
     {ErrorCode::malformed_public_key, 0}},
    {"uncompressed, one byte more",
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b800",
     {ErrorCode::malformed_public_key, 0}},
    {"infinity", "00", {ErrorCode::malformed_public_key, 0}},
    {"a compressed lead byte on 65 bytes",
     "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
     {ErrorCode::malformed_public_key, 0}},
    {"y of another point",
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b9",
     {ErrorCode::public_key_off_curve, 0}},
    {"the tokens burn key, which is not a point",
     "02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead",
     {ErrorCode::public_key_off_curve, 0}},
    {"x the field's prime",
     "02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
     {ErrorCode::public_key_off_curve, 0}},
    {"x the field's prime plus 1, a point if it were reduced",
     "02fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30",
     {ErrorCode::public_key_off_curve, 0}},
};

void check_tables() {
  CompactSignature signature;
  for (const DerCase& item : der_cases) {
    const Error error = read_der_signature(unhex(item.encoded), signature);
    if (error != item.error) std::fprintf(stderr, "%s\n", item.name);
    CHECK(error == item.error);
  }
  for (const DerCase& item : compact_cases) {
    const Error error = read_compact_signature(unhex(item.encoded), signature);
    if (error != item.error) std::fprintf(stderr, "%s\n", item.name);
    CHECK(error == item.error);
  }
  PublicKey key;
  for (const DerCase& item : key_cases) {
    const Error error = read_public_key(unhex(item.encoded), key);
    if (error != item.error) std::fprintf(stderr, "%s\n", item.name);
    CHECK(error == item.error);
  }
}

/// A signature that `check_compact_signature` refuses does not match either, for any caller.
/// source: SEC 1 section 4.1.4, step 1; BIP 146
void check_numbers_that_never_match() {
#define R "7ae6632a4e8b14df2bc18fcfebc99f46ce075ce8505a48c25c503e0b8f58c966"
#define S "05acaae08cdc6f4dc189dde19d4c5ef30a9d86afa7499e3bf4e73a52b4418eb1"
#define ORDER_LESS_S "fa53551f732390b23e76221e62b3a10bb011563707ff01ffcaeb243a1bf4b290"
#define ZERO ZEROS_31 "00"
  PublicKey key;
  CHECK(!read_public_key(unhex(generator), key).failed());
  const auto matches = [&](std::string_view numbers) {
    const std::vector<std::uint8_t> bytes = unhex(numbers);
    CompactSignature signature;
    std::copy_n(bytes.begin(), signature.size(), signature.begin());
    return signature_matches(key, signature, hash_of_hex(hash));
  };
  CHECK(matches(R S));
  for (const std::string_view numbers :
       {R ORDER_LESS_S, R ORDER, ORDER S, R ZERO, ZERO S, ZERO ZERO, ORDER ORDER}) {
    CHECK(!matches(numbers));
  }
}

/// Cut anywhere or changed in any bit, the signature is refused or does not verify.
void check_every_corruption() {
  const std::vector<std::uint8_t> encoded = unhex(der);
  PublicKey key;
  CompactSignature signature;
  CHECK(!read_public_key(unhex(generator), key).failed());
  CHECK(!read_der_signature(encoded, signature).failed());
  CHECK(signature_matches(key, signature, hash_of_hex(hash)));

  for (std::size_t length = 0; length < encoded.size(); ++length) {
    CHECK(read_der_signature(Bytes{encoded}.first(length), signature).failed());
  }
  for (std::size_t bit = 0; bit < 8 * encoded.size(); ++bit) {
    std::vector<std::uint8_t> changed = encoded;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    CHECK(read_der_signature(changed, signature).failed() ||
          !signature_matches(key, signature, hash_of_hex(hash)));
  }
  CHECK(!read_der_signature(encoded, signature).failed());
  for (std::size_t bit = 0; bit < 256; ++bit) {
    Hash256 changed = hash_of_hex(hash);
    changed[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    CHECK(!signature_matches(key, signature, changed));
  }
}

}  // namespace

int main() {
  check_tables();
  check_numbers_that_never_match();
  check_every_corruption();
  return antara::test::report();
}
