#pragma once

#include "cc/tree.h"

namespace antara {

/// komodo src/cryptoconditions/src/utils.c, hashFingerprintContents: the hashed bytes pass through
/// a buffer of this size. For longer contents the C library keeps a fingerprint of zeros, which
/// many conditions would share, so such conditions are refused here.
inline constexpr std::size_t fingerprint_contents_bytes_max = 4096;

/// Returns the condition of every node; the first is that of the whole tree.
/// errors  those of a malformed node, condition_key_hash, condition_fingerprint_contents,
///         condition_cost_over_limit, condition_cost_spread; at the node's offset
/// source  komodo src/cryptoconditions/src/*.c, fingerprint and cost of each type
[[nodiscard]] Result<std::vector<Condition>> conditions_of(const ConditionTree& tree);

/// Leaving fingerprints out saves the hashing, which takes longer than everything else.
enum class Fingerprints : std::uint8_t { hashed, left_out };

/// Does the same for a tree whose subtree ends are known. Without fingerprints, the errors and all
/// other members of the conditions are the same.
[[nodiscard]] Result<std::vector<Condition>> conditions_of(
    const ConditionTree& tree, const std::vector<std::uint32_t>& ends,
    Fingerprints fingerprints = Fingerprints::hashed);

}  // namespace antara
