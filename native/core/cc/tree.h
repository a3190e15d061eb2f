#pragma once

#include <optional>
#include <vector>

#include "cc/condition.h"

namespace antara {

/// The deepest nesting of conditions, including the outermost one. The C library stops at the end
/// of its stack, at 76 in one build; conditions in use nest 3 deep.
inline constexpr std::uint32_t condition_depth_max = 32;

/// komodo src/cryptoconditions/include/cryptoconditions.h, struct CC: `size` is a uint8_t.
inline constexpr std::uint32_t condition_members_max = 255;

/// The most nodes of a tree, so that a block full of the smallest ones, 4 bytes each, costs little
/// memory.
inline constexpr std::size_t condition_nodes_max = std::size_t{1} << 16;

/// The RFC draft's bounds on an RSA modulus, 1017 to 4096 bits.
inline constexpr std::size_t rsa_modulus_bytes_min = 128;
inline constexpr std::size_t rsa_modulus_bytes_max = 512;

/// The largest maximum message length of a prefix: what a JavaScript number holds exactly.
inline constexpr std::uint64_t message_length_max = (std::uint64_t{1} << 53) - 1;

/// A cost is written as a signed integer of 64 bits.
inline constexpr std::uint64_t condition_cost_max = (std::uint64_t{1} << 63) - 1;

/// One condition of a tree, with or without what fulfills it. Slices are parts of the tree's data.
struct ConditionNode {
  ConditionType type = ConditionType::preimage;
  /// True where only the condition is known, not what is behind it: `value` is its fingerprint,
  /// `number` its cost. The C library calls such a node "(anon)".
  bool is_condition = false;
  /// How many members must be fulfilled. Only of a threshold.
  std::uint32_t threshold = 0;
  /// How many of the nodes that follow are directly inside: 1 for a prefix.
  std::uint32_t members = 0;
  /// Where the element starts in the input, or for a tree that was not decoded, the node's index.
  std::uint32_t offset = 0;
  /// The subtypes of a bare condition, as in Condition.
  std::uint32_t subtypes = 0;
  /// A prefix's maximum message length, or a bare condition's cost.
  std::uint64_t number = 0;
  /// Preimage, prefix, modulus, public key, code or fingerprint. Absent only from a secp256k1hash
  /// whose public key is not revealed yet.
  std::optional<Slice> value;
  /// Hash of the public key of a secp256k1hash; may be absent where `value` is not.
  std::optional<Slice> key_hash;
  std::optional<Slice> signature;
  /// Data that Tokel allows beside an eval's code; no rule of the chain looks at it.
  std::optional<Slice> parameter;
};

/// A condition and all that is inside it, each node before its members.
struct ConditionTree {
  std::vector<ConditionNode> nodes;
  Bytes data;
};

/// Returns the first fault of a node by itself, without the nodes around it.
///
/// errors  condition_public_key, condition_key_hash, condition_signature_size,
///         condition_rsa_modulus, condition_threshold, condition_members,
///         condition_fingerprint_size, condition_subtypes, condition_cost_over_limit,
///         der_integer_over_limit
[[nodiscard]] ErrorCode node_error(const ConditionNode& node, Bytes data) noexcept;

/// For every node the index after the last one inside it, so that `index + 1` is its first member
/// and `ends[member]` the next. Refuses nodes that are not exactly one tree.
///
/// errors  condition_members, condition_nesting_over_limit
[[nodiscard]] Result<std::vector<std::uint32_t>> subtree_ends(const ConditionTree& tree);

}  // namespace antara
