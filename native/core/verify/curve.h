#pragma once

#include "base/bytes.h"
#include "base/error.h"

namespace antara {

// The part of secp256k1 that verification needs, over libsecp256k1 (third_party/secp256k1). Its
// tables are compiled in, so the first use computes nothing, and any thread may call it.

/// r and s, 32 bytes each, big-endian.
using CompactSignature = std::array<std::uint8_t, 64>;

/// A point of secp256k1 in libsecp256k1's own form.
using PublicKey = std::array<std::uint8_t, 64>;

/// Reads a public key: 33 bytes compressed, or 65 uncompressed. The hybrid form (lead byte 6 or 7)
/// is refused, as nodes do by STRICTENC before they relay.
/// errors  malformed_public_key, public_key_off_curve; offset 0
/// source  komodo src/script/interpreter.cpp, IsCompressedOrUncompressedPubKey
[[nodiscard]] Error read_public_key(Bytes encoded, PublicKey& key) noexcept;

/// Returns true if `signature` signs `hash` under `key`; false for high-S signatures.
[[nodiscard]] bool signature_matches(const PublicKey& key, const CompactSignature& signature,
                                     const Hash256& hash) noexcept;

}  // namespace antara
