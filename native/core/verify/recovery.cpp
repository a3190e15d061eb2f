#include "verify/recovery.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>

namespace antara {

bool recover_public_key(const CompactSignature& signature, unsigned number, const Hash256& hash,
                        RecoveredKey& key) noexcept {
  // The library would end the process.
  if (number >= recovery_numbers) return false;
  const secp256k1_context* library = secp256k1_context_static;
  secp256k1_ecdsa_recoverable_signature parsed;
  if (secp256k1_ecdsa_recoverable_signature_parse_compact(library, &parsed, signature.data(),
                                                          static_cast<int>(number)) == 0) {
    return false;
  }
  secp256k1_pubkey point;
  if (secp256k1_ecdsa_recover(library, &point, &parsed, hash.data()) == 0) return false;
  std::size_t size = key.size();
  return secp256k1_ec_pubkey_serialize(library, key.data(), &size, &point,
                                       SECP256K1_EC_UNCOMPRESSED) == 1;
}

}  // namespace antara
