// Hashes to sign: what inputs share must not show, and the hash is that of the preimage.
//
// input  hash type 4 bytes, branch id 4 bytes, length of the scriptCode 1 byte, it, a transaction

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "bytes/byte_reader.h"
#include "tx/parse.h"
#include "tx/sighash.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

Hash256 hash_of_preimage(const TxLayout& layout, std::uint32_t branch_id, Bytes preimage) {
  if (!layout.overwintered) return sha256d(preimage);
  Personalization signature = personalization("ZcashSigHash");
  for (std::size_t byte = 0; byte < 4; ++byte) {
    signature[12 + byte] = static_cast<std::uint8_t>(branch_id >> 8 * byte);
  }
  return blake2b256(preimage, signature);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader{{data, size}};
  const std::uint32_t hash_type = reader.u32();
  const std::uint32_t branch_id = reader.u32();
  const Bytes script_code = reader.bytes(reader.u8());
  const Bytes raw = reader.bytes(reader.remaining());
  TxLayout layout;
  if (reader.failed() || parse_transaction(raw, layout).failed()) return 0;

  const auto inputs = static_cast<std::uint32_t>(layout.inputs.size());
  const std::uint32_t indexes[] = {0, 1, inputs / 2, inputs - 1, inputs, not_an_input};
  SignatureHasher shared(raw, layout, branch_id);
  std::vector<std::uint8_t> preimage;
  for (const std::uint32_t type : {hash_type, sighash_all, hash_type}) {
    for (const std::uint32_t index : indexes) {
      const SignedInput input{index, script_code, 1};
      SignatureHasher fresh(raw, layout, branch_id);
      const Result<Hash256> expected = fresh.hash(input, type);
      const Result<Hash256> found = shared.hash(input, type);
      preimage.clear();
      const Error error = fresh.append_preimage(input, type, preimage);
      require(found.error() == expected.error() && error == expected.error());
      if (!expected.ok()) continue;
      require(found.value() == expected.value());
      require(hash_of_preimage(layout, branch_id, preimage) == expected.value());
    }
    // All at once, scriptCodes of two lengths; the hashes of a few are computed again alone.
    std::vector<SignedInput> all;
    for (std::uint32_t index = 0; index < std::min<std::uint32_t>(inputs, 9); ++index) {
      all.push_back(
          {index, script_code.first(index % 3 == 2 ? script_code.size() / 2 : script_code.size()),
           1});
    }
    std::vector<Hash256> hashes;
    const Error error = shared.hash_each(all, type, hashes);
    require(error.failed() == (hashes.size() < all.size()));
    for (std::size_t index = 0; index < hashes.size(); ++index) {
      SignatureHasher fresh(raw, layout, branch_id);
      const Result<Hash256> expected = fresh.hash(all[index], type);
      require(expected.ok() && expected.value() == hashes[index]);
    }
  }
  return 0;
}
