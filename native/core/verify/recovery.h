#pragma once

#include "verify/curve.h"

namespace antara {

/// A signature names up to four keys. Its r is the x of a point, perhaps reduced by the order of
/// the group, and the point's y is even or odd.
inline constexpr unsigned recovery_numbers = 4;

/// A public key in its form of 65 bytes: 04 x y.
using RecoveredKey = std::array<std::uint8_t, 65>;

/// Finds the key that signed `hash`. High S is accepted, as daemons do.
///
/// Returns false if no key signed: r or s is zero or beyond the order, or r is the x of no point.
///
/// number  below `recovery_numbers`: bit 0 for an odd y, bit 1 for a reduced x
/// source  SEC 1 section 4.1.6; komodo src/pubkey.cpp, CPubKey::RecoverCompact
[[nodiscard]] bool recover_public_key(const CompactSignature& signature, unsigned number,
                                      const Hash256& hash, RecoveredKey& key) noexcept;

}  // namespace antara
