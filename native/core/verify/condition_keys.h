#pragma once

#include "cc/tree.h"

namespace antara {

/// Checks that every secp256k1 key of a tree is a point of the curve, as the C library does when it
/// reads a fulfillment. Decoding does not check it: the burn key of tokens is not a point.
///
/// errors  public_key_off_curve, at the key
/// source  komodo src/cryptoconditions/src/secp256k1.c, secp256k1FromFulfillment
[[nodiscard]] Error check_condition_keys(const ConditionTree& tree) noexcept;

}  // namespace antara
