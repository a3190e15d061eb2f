// Fulfillments as they are read and written again: what is refused, and where.

#include "cc/fulfillment.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "cc/der_writer.h"
#include "cc/fingerprint.h"
#include "check.h"
#include "fulfillment_text.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

struct Valid {
  const char* name;
  std::string fulfillment;
  std::string_view condition;
  FulfillmentForm form = FulfillmentForm::plain;
};

// komodo src/cryptoconditions/tests/vectors; tokel the same; scripts and inputs of recorded
// transactions. The other vectors are read by the tests in TypeScript.
const std::vector<Valid> valid{
    {"0000 preimage", "a0028000",
     "a0258020e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855810100"},
    {"0001 prefix", "a10b8000810100a204a0028000",
     "a12a8020bb1ac5260c0141b7e54b26ec2330637c5597bf811951ac09e744ad20ff77e2878102040082020780"},
    {"0002 threshold", "a208a004a0028000a100",
     "a22a8020b4b84136df48a71d73f4985c04c6767a778ecb65ba7023b4506823beee7631b98102040082020780"},
    {"0004 ed25519",
     "a4648020d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a8140e5564300c360ac72"
     "9086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595b"
     "be24655141438e7a100b",
     "a4278020799239aba8fc4ff7eabfbc4c44e69e8bdfed993324e12ed64792abe289cf1d5f8103020000"},
    {"1000 eval", "af0780055445535401",
     "af278020fd9da5add8cf3164c4f46ef3b8b4925001f414718a13cededd27a27ca93d5a238103100000"},
    {"token input", "a276a072a26ba067a5658021" + key_1 + "8140" + signature + "a100af038001f2a100",
     "a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c00820300040"
     "1"},
    {"Tokel output, members as conditions",
     "a23ba00aa003800102af038001eba12da22b80201f5fdee5c76b3ed83d6c683eded5999de53cd500d311d5a9908d"
     "bd46a24d02a8810302040082020204",
     "", FulfillmentForm::mixed},
    {"Tokel output with a key hash",
     "a236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd68103"
     "020000af038001f5a100",
     "a22c80204b9e945ecaa451ca5e1983d5840835b826dcf3efc1d4dd434d0864966017ece38103120c008203000201",
     FulfillmentForm::mixed},
    {"the same output, hidden",
     "a23ba00aa003800102af038001f5a12da22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e71045eb79"
     "327f73858401810302040082020204",
     "", FulfillmentForm::mixed},
};

void valid_fulfillments_read_and_write() {
  for (const Valid& item : valid) {
    const Buffer bytes = unhex(item.fulfillment);
    const Result<ConditionTree> tree = decode_fulfillment(bytes, item.form);
    CHECK(tree.ok());
    if (!tree.ok()) {
      std::fprintf(stderr, "  %s: %u at %u\n", item.name, static_cast<unsigned>(tree.error().code),
                   tree.error().offset);
      continue;
    }
    if (!item.condition.empty()) CHECK(hex(condition_of(tree.value())) == item.condition);
    const Result<Buffer> written = encode_fulfillment(tree.value(), item.form);
    CHECK(written.ok() && written.value() == bytes);
  }
}

struct Malformed {
  const char* name;
  std::string bytes;
  Error error;
  FulfillmentForm form = FulfillmentForm::plain;
};

const std::string rsa_modulus = "c1" + repeat("11", 127);

const std::vector<Malformed> malformed{
    {"nothing", "", {ErrorCode::truncated, 0}},
    {"indefinite length",
     "a0808000"
     "0000",
     {ErrorCode::der_indefinite_length, 1}},
    {"long form for a short length",
     "a08102"
     "8000",
     {ErrorCode::der_length_not_minimal, 1}},
    {"long form inside", "a003808100", {ErrorCode::der_length_not_minimal, 3}},
    {"length of 2^32 - 1", "a084ffffffff", {ErrorCode::truncated, 1}},
    {"trailing byte", "a002800000", {ErrorCode::trailing_bytes, 4}},
    {"leftover",
     "a0038000"
     "00",
     {ErrorCode::der_leftover, 4}},
    {"primitive", "80028000", {ErrorCode::der_wrong_tag, 0}},
    {"universal class", "30028000", {ErrorCode::condition_type_unknown, 0}},
    {"universal class, a number that is known", "25028000", {ErrorCode::condition_type_unknown, 0}},
    {"private class", "e0028000", {ErrorCode::der_wrong_tag, 0}},
    {"constructed preimage", "a004a0020400", {ErrorCode::der_constructed_string, 2}},
    {"type 7", "a7028000", {ErrorCode::condition_type_unknown, 0}},
    {"type 14", "ae028000", {ErrorCode::condition_type_unknown, 0}},
    {"type 99", "bf63028000", {ErrorCode::der_wrong_tag, 0}},
    {"threshold of nothing", threshold(""), {ErrorCode::condition_threshold, 0}},
    {"threshold of zero", threshold("", condition_f2), {ErrorCode::condition_threshold, 0}},
    {"no conditions", element("a2", element("a0", pre_a)), {ErrorCode::der_wrong_tag, 9}},
    {"conditions first",
     element("a2", "a100" + element("a0", pre_a)),
     {ErrorCode::der_wrong_tag, 2}},
    {"unsorted fulfillments", threshold(pre_b + pre_a), {ErrorCode::der_set_not_sorted, 9}},
    {"unsorted conditions",
     threshold(pre_a, condition_f2 + std::string{valid[0].condition}),
     {ErrorCode::der_set_not_sorted, 52}},
    {"condition of a wrong type",
     threshold(pre_a, "a72780" + condition_f2.substr(6)),
     {ErrorCode::condition_type_unknown, 11}},
    {"lax condition",
     threshold(pre_a, "af8127" + condition_f2.substr(4)),
     {ErrorCode::der_length_not_minimal, 12}},
    {"prefix without an inside", element("a1", "8000810100a200"), {ErrorCode::der_wrong_tag, 9}},
    {"prefix around two",
     element("a1", "8000810100" + element("a2", pre_a + pre_b)),
     {ErrorCode::der_leftover, 14}},
    {"prefix of 2^53",
     element("a1",
             "8000"
             "810720000000000000"
             "a204a0028000"),
     {ErrorCode::der_integer_over_limit, 0}},
    {"prefix with a negative length",
     element("a1",
             "8000"
             "8101ff"
             "a204a0028000"),
     {ErrorCode::der_integer_negative, 6}},
    {"prefix with a leading zero",
     element("a1",
             "8000"
             "81020001"
             "a204a0028000"),
     {ErrorCode::der_integer_not_minimal, 6}},
    {"key of 32 bytes",
     element("a5", element("80", key_1.substr(0, 64)) + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"key of 34 bytes",
     element("a5", element("80", key_1 + "00") + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"uncompressed key",
     element("a5", element("80", "04" + key_1.substr(2)) + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"coordinate of the field's size",
     element("a5",
             element("80", "02" + repeat("ff", 27) + "fefffffc2f") + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"signature of 63 bytes",
     element("a5", element("80", key_1) + element("81", signature.substr(2))),
     {ErrorCode::condition_signature_size, 0}},
    {"no signature", element("a5", element("80", key_1)), {ErrorCode::der_wrong_tag, 37}},
    {"ed25519 key of 31 bytes",
     element("a4", element("80", repeat("07", 31)) + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"ed25519 signature of 65 bytes",
     element("a4", element("80", repeat("07", 32)) + element("81", signature + "00")),
     {ErrorCode::condition_signature_size, 0}},
    {"key hash in place of a key",
     element("a6", element("80", repeat("07", 20)) + element("81", signature)),
     {ErrorCode::condition_public_key, 0}},
    {"rsa modulus of no bytes", element("a3", "80008100"), {ErrorCode::condition_rsa_modulus, 0}},
    {"rsa modulus of 127 bytes",
     element("a3", element("80", rsa_modulus.substr(2)) + element("81", rsa_modulus.substr(2))),
     {ErrorCode::condition_rsa_modulus, 0}},
    {"rsa modulus of 513 bytes",
     element("a3", element("80", repeat("11", 513)) + element("81", repeat("11", 513))),
     {ErrorCode::condition_rsa_modulus, 0}},
    {"rsa modulus with a leading zero",
     element("a3", element("80", "00" + rsa_modulus.substr(2)) + element("81", rsa_modulus)),
     {ErrorCode::condition_rsa_modulus, 0}},
    {"even rsa modulus",
     element("a3", element("80", rsa_modulus.substr(2) + "12") + element("81", rsa_modulus)),
     {ErrorCode::condition_rsa_modulus, 0}},
    {"rsa signature of another size",
     element("a3", element("80", rsa_modulus) + element("81", rsa_modulus + "00")),
     {ErrorCode::condition_signature_size, 0}},
    {"eval without a code", "af00", {ErrorCode::der_wrong_tag, 2}},
    {"eval with three fields",
     element("af",
             "8001f2"
             "8100"
             "8200"),
     {ErrorCode::der_leftover, 7}},
    {"256 members", threshold(repeat(pre_a, 256)), {ErrorCode::condition_members, 0}},
    {"256 members before a malformed one",
     threshold(repeat(pre_a, 256) + "00"),
     {ErrorCode::condition_members, 0}},
    {"mixed without a marker",
     threshold(eval_f2),
     {ErrorCode::condition_mixed_marker, 4},
     FulfillmentForm::mixed},
    {"mixed marker of two bytes",
     threshold(element("a0", "80020102") + eval_f2),
     {ErrorCode::condition_mixed_marker, 4},
     FulfillmentForm::mixed},
    {"mixed, a member before the marker",
     threshold(element("a0", "800101") + "a0028000"),
     {ErrorCode::der_set_not_sorted, 9},
     FulfillmentForm::mixed},
    {"mixed threshold of zero",
     threshold(element("a0", "800100") + eval_f2),
     {ErrorCode::condition_threshold, 0},
     FulfillmentForm::mixed},
    {"mixed threshold over its members",
     threshold(element("a0", "800102") + eval_f2),
     {ErrorCode::condition_threshold, 0},
     FulfillmentForm::mixed},
    {"mixed threshold of nothing",
     threshold(""),
     {ErrorCode::condition_mixed_marker, 4},
     FulfillmentForm::mixed},
};

void malformed_fulfillments_are_refused() {
  for (const Malformed& item : malformed) {
    const Buffer bytes = unhex(item.bytes);
    const Error error = decode_fulfillment(bytes, item.form).error();
    CHECK(error == item.error);
    if (error == item.error) continue;
    std::fprintf(stderr, "  %s: %u at %u\n", item.name, static_cast<unsigned>(error.code),
                 error.offset);
  }
}

// komodo src/cryptoconditions/tests/test_failure_modes.py
void members_of_a_set_have_one_order() {
  CHECK(decode_fulfillment(unhex("a213a00fa0058003616263a006800461626364a100")).ok());
  CHECK(!decode_fulfillment(unhex("a213a00fa006800461626364a0058003616263a100")).ok());
}

void every_cut_and_every_flip() {
  for (const Valid& item : valid) {
    const Buffer bytes = unhex(item.fulfillment);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      CHECK(decode_fulfillment(Bytes{bytes}.first(length), item.form).error().code ==
            ErrorCode::truncated);
    }
    for (std::size_t index = 0; index < bytes.size() * 8; ++index) {
      Buffer flipped = bytes;
      flipped[index / 8] = static_cast<std::uint8_t>(flipped[index / 8] ^ 1U << index % 8);
      const Result<ConditionTree> tree = decode_fulfillment(flipped, item.form);
      if (!tree.ok()) continue;
      const Result<Buffer> written = encode_fulfillment(tree.value(), item.form);
      CHECK(written.ok() && written.value() == flipped);
    }
  }
}

std::string nested(std::size_t levels, bool prefixes) {
  std::string inside = pre_a;
  for (std::size_t level = 1; level < levels; ++level) {
    inside = prefixes && level % 2 == 0 ? element("a1", "8000810100" + element("a2", inside))
                                        : threshold(inside);
  }
  return inside;
}

/// Thresholds inside thresholds, built from the inside out and then turned around.
Buffer deep_fulfillment(std::size_t levels) {
  Buffer reversed = unhex(pre_a);
  std::reverse(reversed.begin(), reversed.end());
  const auto wrap = [&](std::uint8_t tag, std::size_t length) {
    Buffer header;
    DerWriter{header}.header(tag, length);
    reversed.insert(reversed.end(), header.rbegin(), header.rend());
  };
  // The empty set of conditions of every level follows all of what is inside it.
  Buffer bytes;
  std::size_t size = reversed.size();
  for (std::size_t level = 0; level < levels; ++level) {
    wrap(0xa0, size);
    size = der_string_bytes(size) + 2;
    wrap(0xa2, size);
    size = der_string_bytes(size);
  }
  bytes.assign(reversed.rbegin(), reversed.rend());
  for (std::size_t level = 0; level < levels; ++level) {
    bytes.push_back(0xa1);
    bytes.push_back(0x00);
  }
  return bytes;
}

void nesting_is_bounded() {
  for (const bool prefixes : {false, true}) {
    const Buffer deepest = unhex(nested(condition_depth_max, prefixes));
    const Result<ConditionTree> tree = decode_fulfillment(deepest);
    CHECK(tree.ok() && tree.value().nodes.size() == condition_depth_max);
    CHECK(encode_fulfillment(tree.value()).value() == deepest);
    const Buffer deeper = unhex(nested(condition_depth_max + 1, prefixes));
    CHECK(decode_fulfillment(deeper).error().code == ErrorCode::condition_nesting_over_limit);
  }
  CHECK(decode_fulfillment(deep_fulfillment(10)).ok());
  CHECK(decode_fulfillment(deep_fulfillment(300000)).error().code ==
        ErrorCode::condition_nesting_over_limit);
  CHECK(decode_fulfillment(deep_fulfillment(1000000)).error().code == ErrorCode::input_over_limit);

  ConditionTree tree;
  tree.nodes.resize(condition_depth_max + 1);
  for (std::uint32_t index = 0; index < tree.nodes.size(); ++index) {
    tree.nodes[index].type = ConditionType::threshold;
    tree.nodes[index].members = tree.nodes[index].threshold = 1;
    tree.nodes[index].offset = index;
  }
  tree.nodes.back() = {};
  tree.nodes.back().value = Slice{};
  CHECK((conditions_of(tree).error() ==
         Error{ErrorCode::condition_nesting_over_limit, condition_depth_max - 1}));
  tree.nodes.erase(tree.nodes.begin());
  CHECK(conditions_of(tree).ok());
}

// komodo src/consensus/consensus.h, MAX_BLOCK_SIZE: nothing larger is in any transaction.
void input_is_bounded() {
  for (const std::size_t size : {4'000'000U, 4'000'001U}) {
    const bool is_over = size > 4'000'000;
    const Buffer bytes(size, 0x30);
    CHECK((decode_fulfillment(bytes).error() ==
           (is_over ? Error{ErrorCode::input_over_limit, 0}
                    : Error{ErrorCode::condition_type_unknown, 0})));
    ConditionTree tree;
    tree.data = bytes;
    tree.nodes.resize(1);
    tree.nodes[0].value = Slice{};
    const Result<Buffer> written = encode_fulfillment(tree);
    CHECK(written.ok() == !is_over);
    if (is_over) CHECK((written.error() == Error{ErrorCode::input_over_limit, 0}));
  }
}

}  // namespace

int main() {
  valid_fulfillments_read_and_write();
  malformed_fulfillments_are_refused();
  members_of_a_set_have_one_order();
  every_cut_and_every_flip();
  nesting_is_bounded();
  input_is_bounded();
  return antara::test::report();
}
