#pragma once

#include "cc/tree.h"

namespace antara {

/// Whether every secp256k1 key of a tree is a point of the curve, as the C library wants it when
/// it reads a fulfillment. Decoding leaves it open: tokens are burned by a key that is no point.
///
/// errors  public_key_off_curve, at the key
/// source  komodo src/cryptoconditions/src/secp256k1.c, secp256k1FromFulfillment
[[nodiscard]] Error check_condition_keys(const ConditionTree& tree) noexcept;

}  // namespace antara
