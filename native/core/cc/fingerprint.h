#pragma once

#include "cc/tree.h"

namespace antara {

/// komodo src/cryptoconditions/src/utils.c, hashFingerprintContents: what is hashed to a
/// fingerprint goes through a buffer of this size. Beyond it the C library keeps a fingerprint of
/// zeros that anything could share, so such conditions are refused here.
inline constexpr std::size_t fingerprint_contents_bytes_max = 4096;

/// The condition of every node; the first one is the whole tree's.
///
/// errors  those of a malformed node, condition_key_hash, condition_fingerprint_contents,
///         condition_cost_over_limit, condition_cost_spread; at the node's offset
/// source  komodo src/cryptoconditions/src/*.c, fingerprint and cost of each type
[[nodiscard]] Result<std::vector<Condition>> conditions_of(const ConditionTree& tree);

/// Leaving fingerprints out saves the hashing, which takes longer than all the rest.
enum class Fingerprints : std::uint8_t { hashed, left_out };

/// The same, for a tree whose subtree ends are known. With fingerprints left out the errors are the
/// same, and so is everything else of the conditions.
[[nodiscard]] Result<std::vector<Condition>> conditions_of(
    const ConditionTree& tree, const std::vector<std::uint32_t>& ends,
    Fingerprints fingerprints = Fingerprints::hashed);

}  // namespace antara
