#include "tx/sighash.h"

#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_writer.h"
#include "check.h"
#include "hex_text.h"
#include "token_create.h"
#include "tx/parse.h"

namespace {

using namespace antara;
using namespace antara::test;

/// The script of the output that `token_create` spends.
constexpr std::string_view create_script =
    "210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac";

constexpr std::uint32_t hash_types[] = {0, 1, 2, 3, 4, 0x81, 0x82, 0x83, 0x1f, 0xffffffff};

/// A transaction with as many inputs and outputs as told, all of them different.
std::vector<std::uint8_t> made_transaction(bool overwintered, std::uint32_t version,
                                           std::uint32_t inputs, std::uint32_t outputs) {
  const std::vector<std::uint8_t> script(700, 0xab);
  std::vector<std::uint8_t> raw;
  ByteWriter writer{raw};
  writer.u32(overwintered ? version | overwintered_flag : version);
  if (overwintered) writer.u32(version == 4 ? sapling_group_id : overwinter_group_id);
  writer.compact_size(inputs);
  for (std::uint32_t index = 0; index < inputs; ++index) {
    for (std::uint32_t byte = 0; byte < 32; ++byte) {
      writer.u8(static_cast<std::uint8_t>(index * 7 + byte));
    }
    writer.u32(index);
    writer.var_bytes(Bytes{script}.first(index % 3));
    writer.u32(0xfffffffe - index);
  }
  writer.compact_size(outputs);
  for (std::uint32_t index = 0; index < outputs; ++index) {
    writer.i64(1000 + index);
    writer.var_bytes(Bytes{script}.first(index * 100 % 700));
  }
  writer.u32(12345);
  if (overwintered) writer.u32(678);
  if (overwintered && version == 4) {
    writer.i64(-5);
    writer.compact_size(0);
    writer.compact_size(0);
  }
  if (version >= 2) writer.compact_size(0);
  return raw;
}

Hash256 hash_of_preimage(const TxLayout& layout, std::uint32_t branch_id, Bytes preimage) {
  if (!layout.overwintered) return sha256d(preimage);
  Personalization signature = personalization("ZcashSigHash");
  for (std::size_t byte = 0; byte < 4; ++byte) {
    signature[12 + byte] = static_cast<std::uint8_t>(branch_id >> 8 * byte);
  }
  return blake2b256(preimage, signature);
}

void check_worked_example() {
  const std::vector<std::uint8_t> raw = unhex(token_create);
  const std::vector<std::uint8_t> script = unhex(create_script);
  TxLayout layout;
  CHECK(!parse_transaction(raw, layout).failed());
  CHECK(default_branch_id(layout) == sapling_branch_id);
  SignatureHasher hasher(raw, layout, sapling_branch_id);
  const Result<Hash256> hash = hasher.hash({0, script, 1'000'000}, sighash_all);
  CHECK(hash.ok());
  CHECK(hex(hash.value()) == "e0cfb07d20344799030170edae05a99df461a84a6d4ecb5e52cc17191f41393e");
}

/// Sharing between inputs must not change a hash: a hasher that has hashed others, in any order,
/// agrees with a fresh one, and both with the hash of the preimage.
void check_that_sharing_does_not_show(const std::vector<std::uint8_t>& raw) {
  TxLayout layout;
  CHECK(!parse_transaction(raw, layout).failed());
  const std::uint32_t branch_id = default_branch_id(layout);
  const Bytes script = Bytes{raw}.first(20);
  SignatureHasher shared(raw, layout, branch_id);
  std::uint32_t random = 1;
  for (int round = 0; round < 200; ++round) {
    random = random * 1664525 + 1013904223;
    const std::uint32_t hash_type = hash_types[(random >> 8) % std::size(hash_types)];
    const auto inputs = static_cast<std::uint32_t>(layout.inputs.size());
    const SignedInput input{(random >> 16) % inputs, script, random};
    SignatureHasher fresh(raw, layout, branch_id);
    const Result<Hash256> expected = fresh.hash(input, hash_type);
    std::vector<std::uint8_t> preimage;
    if (round % 2 == 0) {
      // A preimage of another type comes between two hashes.
      const std::uint32_t other_type = hash_types[(random >> 4) % std::size(hash_types)];
      (void)shared.append_preimage(input, other_type, preimage);
      preimage.clear();
    }
    const Result<Hash256> found = shared.hash(input, hash_type);
    CHECK(found.error() == expected.error());
    CHECK(shared.append_preimage(input, hash_type, preimage) == expected.error());
    if (!expected.ok()) continue;
    CHECK(found.value() == expected.value());
    CHECK(hash_of_preimage(layout, branch_id, preimage) == expected.value());
  }
}

/// All inputs at once must give what each gives alone, in every version.
void check_that_all_at_once_is_one_by_one(const std::vector<std::uint8_t>& raw) {
  TxLayout layout;
  CHECK(!parse_transaction(raw, layout).failed());
  const std::uint32_t branch_id = default_branch_id(layout);
  std::vector<SignedInput> inputs;
  for (std::uint32_t index = 0; index < layout.inputs.size(); ++index) {
    inputs.push_back({index, Bytes{raw}.first(index % 5 == 4 ? 30 : 25), index * 1000});
  }
  for (const std::uint32_t hash_type : hash_types) {
    std::vector<Hash256> hashes;
    SignatureHasher all(raw, layout, branch_id);
    const Error error = all.hash_each(inputs, hash_type, hashes);
    std::size_t done = 0;
    for (const SignedInput& input : inputs) {
      SignatureHasher fresh(raw, layout, branch_id);
      const Result<Hash256> expected = fresh.hash(input, hash_type);
      if (!expected.ok()) {
        CHECK(error == expected.error());
        break;
      }
      CHECK(done < hashes.size() && hashes[done] == expected.value());
      ++done;
    }
    CHECK(hashes.size() == done && error.failed() == (done < inputs.size()));
  }
  std::vector<Hash256> hashes;
  inputs[1].index = 1000;
  SignatureHasher hasher(raw, layout, branch_id);
  CHECK(hasher.hash_each(inputs, sighash_all, hashes) ==
        (Error{ErrorCode::input_index_out_of_range, 1000}));
  CHECK(hashes.size() == 1);
}

void check_limits() {
  const std::vector<std::uint8_t> old = made_transaction(false, 1, 3, 2);
  TxLayout layout;
  CHECK(!parse_transaction(old, layout).failed());
  SignatureHasher hasher(old, layout, 0);
  CHECK(hasher.hash({1, {}, 0}, sighash_single).ok());
  CHECK(hasher.hash({2, {}, 0}, sighash_single).error() ==
        (Error{ErrorCode::single_without_output, 0}));
  CHECK(hasher.hash({3, {}, 0}, sighash_all).error() ==
        (Error{ErrorCode::input_index_out_of_range, 3}));
  CHECK(hasher.hash({}, sighash_all).ok());
  CHECK(hasher.hash({}, sighash_all | sighash_anyone_can_pay).error().code ==
        ErrorCode::input_index_out_of_range);
  CHECK(hasher.hash({}, sighash_single).error().code == ErrorCode::single_without_output);

  // Overwintered transactions have no such rule: the hash of the outputs is zero.
  const std::vector<std::uint8_t> sapling = made_transaction(true, 4, 3, 2);
  CHECK(!parse_transaction(sapling, layout).failed());
  SignatureHasher sapling_hasher(sapling, layout, sapling_branch_id);
  CHECK(sapling_hasher.hash({2, {}, 0}, sighash_single).ok());
  CHECK(sapling_hasher.hash({3, {}, 0}, sighash_all).error() ==
        (Error{ErrorCode::input_index_out_of_range, 3}));

  const std::vector<std::uint8_t> large = made_transaction(false, 1, 4900, 1);
  CHECK(large.size() > 200'000 && !parse_transaction(large, layout).failed());
  SignatureHasher large_hasher(large, layout, 0);
  CHECK(large_hasher.hash({0, {}, 0}, sighash_all).error().code ==
        ErrorCode::transaction_over_limit);
}

void check_hash_types() {
  int defined = 0;
  for (unsigned hash_type = 0; hash_type < 256; ++hash_type) {
    defined += is_defined_hash_type(static_cast<std::uint8_t>(hash_type)) ? 1 : 0;
  }
  CHECK(defined == 6);
  for (const unsigned hash_type : {0x01U, 0x02U, 0x03U, 0x81U, 0x82U, 0x83U}) {
    CHECK(is_defined_hash_type(static_cast<std::uint8_t>(hash_type)));
  }
}

}  // namespace

int main() {
  check_worked_example();
  for (const std::uint32_t inputs : {1U, 2U, 5U, 300U}) {
    for (const std::uint32_t outputs : {0U, 1U, 3U, 260U}) {
      check_that_sharing_does_not_show(made_transaction(false, 1, inputs, outputs));
      check_that_sharing_does_not_show(made_transaction(false, 2, inputs, outputs));
      check_that_sharing_does_not_show(made_transaction(true, 3, inputs, outputs));
      check_that_sharing_does_not_show(made_transaction(true, 4, inputs, outputs));
    }
  }
  for (const std::uint32_t inputs : {2U, 3U, 4U, 5U, 11U}) {
    check_that_all_at_once_is_one_by_one(made_transaction(false, 1, inputs, 3));
    check_that_all_at_once_is_one_by_one(made_transaction(true, 3, inputs, 3));
    check_that_all_at_once_is_one_by_one(made_transaction(true, 4, inputs, 3));
  }
  check_limits();
  check_hash_types();
  return antara::test::report();
}
