#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/error.h"

struct secp256k1_context_struct;

namespace antara {

/// r and s, 32 bytes each, big-endian.
using CompactSignature = std::array<std::uint8_t, 64>;

/// A point of secp256k1 in libsecp256k1's own form.
using PublicKey = std::array<std::uint8_t, 64>;

/// secp256k1 as verification needs it, over libsecp256k1.
///
/// Holds the tables that make verification fast: a megabyte that takes milliseconds to fill.
/// So one is made where verification begins, and passed down. Const use is safe from any thread.
class Curve {
 public:
  Curve() noexcept;
  ~Curve();
  Curve(const Curve&) = delete;
  Curve& operator=(const Curve&) = delete;

  /// Which libsecp256k1 this was built with: "system", or "bundled" for the npm package's sources.
  [[nodiscard]] static const char* implementation() noexcept;

  /// Reads a public key: 33 bytes compressed, or 65 uncompressed. The hybrid form (lead byte 6 or
  /// 7) is refused, as every node does by STRICTENC before it relays.
  ///
  /// errors  malformed_public_key, public_key_off_curve; offset 0
  /// source  komodo src/script/interpreter.cpp, IsCompressedOrUncompressedPubKey
  [[nodiscard]] Error read_public_key(Bytes encoded, PublicKey& key) const noexcept;

  /// Whether `signature` signs `hash` under `key`. High-S signatures never do.
  [[nodiscard]] bool verify(const PublicKey& key, const CompactSignature& signature,
                            const Hash256& hash) const noexcept;

 private:
  secp256k1_context_struct* context_;
};

}  // namespace antara
