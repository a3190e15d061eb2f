#include "verify/curve.h"

#include <secp256k1.h>

#include <cstring>

namespace antara {
namespace {

secp256k1_pubkey library_form(const PublicKey& key) noexcept {
  static_assert(sizeof(secp256k1_pubkey) == sizeof(PublicKey));
  secp256k1_pubkey result;
  std::memcpy(result.data, key.data(), sizeof result.data);
  return result;
}

bool has_plain_encoding(Bytes encoded) noexcept {
  if (encoded.size() == 33) return encoded[0] == 2 || encoded[0] == 3;
  return encoded.size() == 65 && encoded[0] == 4;
}

}  // namespace

Error read_public_key(Bytes encoded, PublicKey& key) noexcept {
  if (!has_plain_encoding(encoded)) return {ErrorCode::malformed_public_key, 0};
  secp256k1_pubkey parsed;
  if (secp256k1_ec_pubkey_parse(secp256k1_context_static, &parsed, encoded.data(),
                                encoded.size()) == 0) {
    return {ErrorCode::public_key_off_curve, 0};
  }
  std::memcpy(key.data(), parsed.data, key.size());
  return {};
}

bool signature_matches(const PublicKey& key, const CompactSignature& signature,
                       const Hash256& hash) noexcept {
  const secp256k1_context* library = secp256k1_context_static;
  secp256k1_ecdsa_signature parsed;
  if (secp256k1_ecdsa_signature_parse_compact(library, &parsed, signature.data()) == 0) {
    return false;
  }
  const secp256k1_pubkey point = library_form(key);
  return secp256k1_ecdsa_verify(library, &parsed, hash.data(), &point) == 1;
}

}  // namespace antara
