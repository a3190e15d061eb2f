#pragma once

#include <secp256k1.h>

#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hex_text.h"
#include "tx/parse.h"
#include "verify/input_verifier.h"

/// Inputs that are rightly signed, and what a verifier makes of them. Signatures are
/// libsecp256k1's, by keys 1, 2, ...; the hashes they sign have tests of their own.
namespace antara::test {

using Keys = std::vector<Buffer>;

constexpr std::int64_t value_sats = 1'000'000;

inline Buffer operator+(Buffer a, const Buffer& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Buffer byte(std::size_t value) { return {static_cast<std::uint8_t>(value)}; }

inline Buffer little_endian(std::size_t value, unsigned bytes) {
  Buffer result;
  for (unsigned index = 0; index < bytes; ++index)
    result = result + byte(value >> 8 * index & 0xff);
  return result;
}

/// With the opcode that is given, or the shortest one.
inline Buffer push(const Buffer& data, unsigned opcode = 0) {
  const std::size_t size = data.size();
  if (opcode == 0 && size > 0) opcode = size > 0xff ? 0x4d : size > 75 ? 0x4c : 0;
  switch (opcode) {
    case 0x4c:
      return byte(opcode) + little_endian(size, 1) + data;
    case 0x4d:
      return byte(opcode) + little_endian(size, 2) + data;
    case 0x4e:
      return byte(opcode) + little_endian(size, 4) + data;
    default:
      return little_endian(size, 1) + data;
  }
}

/// libsecp256k1's own signer.
class Signer {
 public:
  Signer() : context_(secp256k1_context_create(SECP256K1_CONTEXT_SIGN)) {}
  ~Signer() { secp256k1_context_destroy(context_); }
  Signer(const Signer&) = delete;
  Signer& operator=(const Signer&) = delete;

  [[nodiscard]] Buffer key(unsigned number, bool is_compressed = true) const {
    secp256k1_pubkey point;
    CHECK(secp256k1_ec_pubkey_create(context_, &point, secret(number).data()) == 1);
    Buffer encoded(65);
    std::size_t size = encoded.size();
    secp256k1_ec_pubkey_serialize(
        context_, encoded.data(), &size, &point,
        is_compressed ? SECP256K1_EC_COMPRESSED : SECP256K1_EC_UNCOMPRESSED);
    encoded.resize(size);
    return encoded;
  }

  [[nodiscard]] Buffer der(unsigned number, const Hash256& hash) const {
    const secp256k1_ecdsa_signature signature = sign(number, hash);
    Buffer encoded(72);
    std::size_t size = encoded.size();
    secp256k1_ecdsa_signature_serialize_der(context_, encoded.data(), &size, &signature);
    encoded.resize(size);
    return encoded;
  }

  [[nodiscard]] Buffer compact(unsigned number, const Hash256& hash) const {
    const secp256k1_ecdsa_signature signature = sign(number, hash);
    Buffer encoded(64);
    secp256k1_ecdsa_signature_serialize_compact(context_, encoded.data(), &signature);
    return encoded;
  }

 private:
  [[nodiscard]] static Hash256 secret(unsigned number) {
    Hash256 scalar{};
    scalar[31] = static_cast<std::uint8_t>(number);
    return scalar;
  }
  [[nodiscard]] secp256k1_ecdsa_signature sign(unsigned number, const Hash256& hash) const {
    secp256k1_ecdsa_signature signature;
    CHECK(secp256k1_ecdsa_sign(context_, &signature, hash.data(), secret(number).data(), nullptr,
                               nullptr) == 1);
    return signature;
  }

  secp256k1_context* context_;
};

/// Sapling with one output, or the oldest version.
inline Buffer transaction(const std::vector<Buffer>& script_sigs, bool is_old = false) {
  Buffer raw = unhex(is_old ? "01000000" : "0400008085202f89") + byte(script_sigs.size());
  for (std::size_t index = 0; index < script_sigs.size(); ++index) {
    const std::size_t size = script_sigs[index].size();
    raw = raw + Buffer(32, 0x11) + little_endian(index, 4) +
          (size < 0xfd ? byte(size) : byte(0xfd) + little_endian(size, 2)) + script_sigs[index] +
          Buffer(4, 0xff);
  }
  raw = raw + unhex("01102700000000000001ac00000000");
  return is_old ? raw
                : raw + unhex(
                            "b0040000"
                            "0000000000000000"
                            "000000");
}

struct Wallet {
  Signer signer;

  /// The hash of an input of as many, with empty scripts in them: scriptSigs are not signed.
  [[nodiscard]] static Hash256 hash(const Buffer& script_code, unsigned type,
                                    std::uint32_t index = 0, std::size_t inputs = 1) {
    const Buffer raw = transaction(std::vector<Buffer>(inputs));
    TxLayout layout;
    CHECK(!parse_transaction(raw, layout).failed());
    SignatureHasher hasher(raw, layout, default_branch_id(layout));
    return hasher.hash({index, script_code, value_sats}, type).value();
  }

  [[nodiscard]] Buffer signature(unsigned key, const Buffer& code, unsigned type = 1,
                                 std::uint32_t index = 0, std::size_t inputs = 1) const {
    return signer.der(key, hash(code, type, index, inputs)) + byte(type);
  }
};

struct Verified {
  InputVerdict verdict;
  Keys keys;
  Buffer fulfillment;
};

inline std::vector<Verified> verify(const std::vector<Buffer>& scripts,
                                    const std::vector<Buffer>& script_sigs,
                                    ConditionSupport support = ConditionSupport::komodo,
                                    bool is_old = false) {
  const Buffer raw = transaction(script_sigs, is_old);
  TxLayout layout;
  CHECK(!parse_transaction(raw, layout).failed());
  std::vector<Prevout> prevouts;
  for (const Buffer& script : scripts) prevouts.push_back({value_sats, script});
  InputVerifier verifier({raw, layout, prevouts, default_branch_id(layout), support});
  std::vector<Verified> found;
  for (std::uint32_t index = 0; index < scripts.size(); ++index) {
    InputVerdict verdict = verifier.verify(index);
    const Buffer fulfillment(verdict.fulfillment.begin(), verdict.fulfillment.end());
    verdict.fulfillment = {};  // a view of `raw`
    Keys keys;
    for (const Bytes key : std::span{verifier.keys()}.subspan(verdict.first_key)) {
      keys.emplace_back(key.begin(), key.end());
    }
    CHECK(keys.size() == verdict.key_count);
    found.push_back({verdict, keys, fulfillment});
  }
  return found;
}

inline void expect(const std::string& name, const Verified& found, ErrorCode code,
                   const Keys& keys = {}) {
  const bool agrees =
      found.verdict.code == code && found.keys == (code == ErrorCode::ok ? keys : Keys{});
  if (!agrees) {
    std::fprintf(stderr, "%s: error %u, %zu keys\n", name.c_str(),
                 static_cast<unsigned>(found.verdict.code), found.keys.size());
  }
  CHECK(agrees);
}

}  // namespace antara::test
