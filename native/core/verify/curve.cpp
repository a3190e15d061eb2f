#include "verify/curve.h"

#include <secp256k1.h>

#include <algorithm>
#include <cstring>

#if ANTARA_SECP256K1_BATCH
#include "verify/secp256k1_batch.h"
#endif

namespace antara {
namespace {

secp256k1_pubkey library_form(const PublicKey& key) noexcept {
  static_assert(sizeof(secp256k1_pubkey) == sizeof(PublicKey));
  secp256k1_pubkey result;
  std::memcpy(result.data, key.data(), sizeof result.data);
  return result;
}

/// Zero if it cannot be parsed, which signs nothing.
secp256k1_ecdsa_signature library_form(const secp256k1_context* context,
                                       const CompactSignature& signature) noexcept {
  secp256k1_ecdsa_signature result;
  if (secp256k1_ecdsa_signature_parse_compact(context, &result, signature.data()) == 0) {
    std::memset(&result, 0, sizeof result);
  }
  return result;
}

bool has_plain_encoding(Bytes encoded) noexcept {
  if (encoded.size() == 33) return encoded[0] == 2 || encoded[0] == 3;
  return encoded.size() == 65 && encoded[0] == 4;
}

}  // namespace

Curve::Curve() noexcept : context_(secp256k1_context_create(SECP256K1_CONTEXT_VERIFY)) {}

Curve::~Curve() { secp256k1_context_destroy(context_); }

const char* Curve::implementation() noexcept { return ANTARA_SECP256K1; }

Error Curve::read_public_key(Bytes encoded, PublicKey& key) const noexcept {
  if (!has_plain_encoding(encoded)) return {ErrorCode::malformed_public_key, 0};
  secp256k1_pubkey parsed;
  if (secp256k1_ec_pubkey_parse(context_, &parsed, encoded.data(), encoded.size()) == 0) {
    return {ErrorCode::public_key_off_curve, 0};
  }
  std::memcpy(key.data(), parsed.data, key.size());
  return {};
}

bool Curve::verify(const PublicKey& key, const CompactSignature& signature,
                   const Hash256& hash) const noexcept {
  SignatureCheck check{key, signature, hash};
  verify_each({&check, 1});
  return check.is_valid;
}

#if ANTARA_SECP256K1_BATCH
void Curve::verify_each(std::span<SignatureCheck> checks) const noexcept {
  std::array<antara_signature_check, ANTARA_SIGNATURE_CHECKS_MAX> batch;
  while (!checks.empty()) {
    const std::size_t count = std::min(checks.size(), batch.size());
    for (std::size_t index = 0; index < count; ++index) {
      const SignatureCheck& check = checks[index];
      batch[index].key = library_form(check.key);
      batch[index].signature = library_form(context_, check.signature);
      std::ranges::copy(check.hash, batch[index].hash);
    }
    antara_check_signatures(context_, batch.data(), count);
    for (std::size_t index = 0; index < count; ++index) {
      checks[index].is_valid = batch[index].is_valid == 1;
    }
    checks = checks.subspan(count);
  }
}
#else
void Curve::verify_each(std::span<SignatureCheck> checks) const noexcept {
  for (SignatureCheck& check : checks) {
    const secp256k1_pubkey key = library_form(check.key);
    const secp256k1_ecdsa_signature signature = library_form(context_, check.signature);
    check.is_valid = secp256k1_ecdsa_verify(context_, &signature, check.hash.data(), &key) == 1;
  }
}
#endif

}  // namespace antara
