#pragma once

#include "base/bytes.h"
#include "base/error.h"

namespace antara {

// The use of private keys, over libsecp256k1 (third_party/secp256k1). No branch and no index
// depends on a key, and nothing of it is left in memory: native/secrets tests both. Any thread may
// call.

/// A private key and 32 random bytes that blind the arithmetic with it. They must be fresh for each
/// use, so that a use that is measured says nothing about the next one; results do not depend on
/// them.
struct BlindedKey {
  std::span<const std::uint8_t, 32> key;
  std::span<const std::uint8_t, 32> seed;
};

/// The uncompressed form of a public key: 04 x y.
using UncompressedKey = std::array<std::uint8_t, 65>;

/// r and s, 32 bytes each, big-endian.
using SignatureBytes = std::array<std::uint8_t, 64>;

/// errors  malformed_private_key for zero and for numbers from the order of the group on; offset 0
[[nodiscard]] Error derive_public_key(const BlindedKey& from, UncompressedKey& key) noexcept;

/// Signs a hash, with low S and the nonce of RFC 6979 without further entropy.
/// errors  malformed_private_key, as `derive_public_key`
/// source  RFC 6979 section 3.2; BIP 146 (low S)
[[nodiscard]] Error sign_hash(const BlindedKey& with, const Hash256& hash,
                              SignatureBytes& signature) noexcept;

}  // namespace antara
