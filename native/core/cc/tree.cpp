#include "cc/tree.h"

#include <algorithm>

namespace antara {

namespace {

constexpr std::size_t secp256k1_key_bytes = 33;
constexpr std::size_t ed25519_key_bytes = 32;
constexpr std::size_t key_hash_bytes = 20;
constexpr std::size_t key_signature_bytes = 64;

/// Coordinates are smaller than this. source: SEC 2, section 2.4.1
constexpr std::array<std::uint8_t, 32> secp256k1_field_size{
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xfc, 0x2f};

/// Checks everything about a compressed key except that its point is on the curve: burned tokens
/// belong to a key that is not. source: komodo src/cc/CCinclude.h, CC_BURNPUBKEY
bool is_compressed_key(Bytes key) noexcept {
  return key.size() == secp256k1_key_bytes && (key[0] == 2 || key[0] == 3) &&
         std::ranges::lexicographical_compare(key.subspan(1), secp256k1_field_size);
}

bool is_rsa_modulus(Bytes modulus) noexcept {
  return modulus.size() >= rsa_modulus_bytes_min && modulus.size() <= rsa_modulus_bytes_max &&
         modulus.front() != 0 && (modulus.back() & 1) != 0;
}

ErrorCode bare_condition_error(const ConditionNode& node) noexcept {
  if (!node.value || node.value->length != fingerprint_bytes(node.type)) {
    return ErrorCode::condition_fingerprint_size;
  }
  const std::uint32_t allowed =
      is_compound(node.type) ? condition_types_known & ~condition_bit(node.type) : 0;
  if ((node.subtypes & ~allowed) != 0) return ErrorCode::condition_subtypes;
  if (node.number > condition_cost_max) return ErrorCode::condition_cost_over_limit;
  return node.members == 0 ? ErrorCode::ok : ErrorCode::condition_members;
}

ErrorCode members_error(const ConditionNode& node) noexcept {
  switch (node.type) {
    case ConditionType::prefix:
      return node.members == 1 ? ErrorCode::ok : ErrorCode::condition_members;
    case ConditionType::threshold:
      if (node.members > condition_members_max) return ErrorCode::condition_members;
      return node.threshold >= 1 && node.threshold <= node.members ? ErrorCode::ok
                                                                   : ErrorCode::condition_threshold;
    default:
      return node.members == 0 ? ErrorCode::ok : ErrorCode::condition_members;
  }
}

/// Checks a node with a key. `value` is the key, or empty if only its hash is known.
ErrorCode key_error(const ConditionNode& node, Bytes value) noexcept {
  const ConditionTypeRow& row = row_of(node.type);
  const bool may_be_hidden = row.fingerprint == FingerprintOf::key_hash;
  std::size_t signature_bytes = key_signature_bytes;
  switch (row.key) {
    case KeyKind::none:
      return ErrorCode::ok;
    case KeyKind::rsa:
      if (!is_rsa_modulus(value)) return ErrorCode::condition_rsa_modulus;
      signature_bytes = value.size();
      break;
    case KeyKind::ed25519:
      if (value.size() != ed25519_key_bytes) return ErrorCode::condition_public_key;
      break;
    case KeyKind::secp256k1:
      // A node that reveals only the hash of its key cannot have a signature.
      if (node.value || !may_be_hidden ? !is_compressed_key(value) : node.signature.has_value()) {
        return ErrorCode::condition_public_key;
      }
      break;
  }
  const bool fits = !node.signature || node.signature->length == signature_bytes;
  return fits ? ErrorCode::ok : ErrorCode::condition_signature_size;
}

}  // namespace

ErrorCode node_error(const ConditionNode& node, Bytes data) noexcept {
  if (node.is_condition) return bare_condition_error(node);
  if (const ErrorCode code = members_error(node); code != ErrorCode::ok) return code;
  if (node.type == ConditionType::prefix && node.number > message_length_max) {
    return ErrorCode::der_integer_over_limit;
  }
  if (row_of(node.type).fingerprint == FingerprintOf::key_hash &&
      (node.key_hash ? node.key_hash->length != key_hash_bytes : !node.value)) {
    return ErrorCode::condition_key_hash;
  }
  return key_error(node, bytes_of(data, node.value.value_or(Slice{})));
}

Result<std::vector<std::uint32_t>> subtree_ends(const ConditionTree& tree) {
  struct Open {
    std::uint32_t index;
    std::uint32_t members_left;
  };
  std::array<Open, condition_depth_max - 1> open;
  std::size_t depth = 0;
  std::vector<std::uint32_t> ends(tree.nodes.size());
  for (std::uint32_t index = 0; index < tree.nodes.size(); ++index) {
    const ConditionNode& node = tree.nodes[index];
    if (index > 0 && depth == 0) return Error{ErrorCode::condition_members, node.offset};
    if (node.members > 0) {
      if (depth == open.size()) return Error{ErrorCode::condition_nesting_over_limit, node.offset};
      open[depth++] = {index, node.members};
      continue;
    }
    ends[index] = index + 1;
    while (depth > 0 && --open[depth - 1].members_left == 0) ends[open[--depth].index] = index + 1;
  }
  if (tree.nodes.empty() || depth > 0) return Error{ErrorCode::condition_members, 0};
  return ends;
}

}  // namespace antara
