#pragma once

#include <optional>

#include "base/bytes.h"

namespace antara {

/// The types of conditions; the number is the DER tag and the bit in a mask of types.
/// source: draft-thomas-crypto-conditions, komodo src/cryptoconditions/src/asn/CryptoConditions.asn
enum class ConditionType : std::uint8_t {
  preimage = 0,
  prefix = 1,
  threshold = 2,
  rsa = 3,
  ed25519 = 4,
  secp256k1 = 5,
  secp256k1hash = 6,  ///< Tokel only
  eval = 15,
};

/// The way in which a fingerprint is derived from a node's value.
enum class FingerprintOf : std::uint8_t {
  value,     ///< SHA-256 of it
  sequence,  ///< SHA-256 of SEQUENCE { [0] value }
  key_hash,  ///< RIPEMD-160 of the value's SHA-256, the only one of 20 bytes
  members,   ///< derived from the members; only prefixes and thresholds have members
};

/// The part beside the value in a fulfillment.
enum class SecondPart : std::uint8_t {
  none,
  signature,  ///< the node is unfulfilled without it
  parameter,  ///< optional
};

/// The kind of key that signs for a type.
enum class KeyKind : std::uint8_t { none, rsa, ed25519, secp256k1 };

/// The daemons that accept a type in a script.
enum class EnabledBy : std::uint8_t { none, tokel, both };

/// The properties of a type. Prefixes and thresholds have code of their own in addition.
struct ConditionTypeRow {
  ConditionType type{};
  FingerprintOf fingerprint{};
  SecondPart second{};
  KeyKind key{};
  EnabledBy enabled{};
  /// The cost for a value of this size; for prefixes and thresholds, without the cost of their
  /// members.
  std::uint64_t (*cost)(std::uint64_t value_bytes) noexcept = nullptr;
};

namespace condition_costs {

// komodo src/cryptoconditions/src/: preimage.c, rsa.c, ed25519.c, secp256k1.c, eval.c, prefix.c
constexpr std::uint64_t size(std::uint64_t bytes) noexcept { return bytes; }
constexpr std::uint64_t size_squared(std::uint64_t bytes) noexcept { return bytes * bytes; }
constexpr std::uint64_t key(std::uint64_t) noexcept { return 131072; }
constexpr std::uint64_t eval(std::uint64_t) noexcept { return 1048576; }
constexpr std::uint64_t compound(std::uint64_t bytes) noexcept { return bytes + 1024; }

}  // namespace condition_costs

/// All types, in the order of their numbers. A new type needs a row here and one in
/// src/condition/types.ts.
/// source: komodo src/script/cc.h, CCEnabledTypes; tokel the same
inline constexpr std::array<ConditionTypeRow, 8> condition_types{{
    {ConditionType::preimage, FingerprintOf::value, SecondPart::none, KeyKind::none,
     EnabledBy::both, condition_costs::size},
    {ConditionType::prefix, FingerprintOf::members, SecondPart::none, KeyKind::none,
     EnabledBy::none, condition_costs::compound},
    {ConditionType::threshold, FingerprintOf::members, SecondPart::none, KeyKind::none,
     EnabledBy::both, condition_costs::compound},
    {ConditionType::rsa, FingerprintOf::sequence, SecondPart::signature, KeyKind::rsa,
     EnabledBy::none, condition_costs::size_squared},
    {ConditionType::ed25519, FingerprintOf::sequence, SecondPart::signature, KeyKind::ed25519,
     EnabledBy::both, condition_costs::key},
    {ConditionType::secp256k1, FingerprintOf::sequence, SecondPart::signature, KeyKind::secp256k1,
     EnabledBy::both, condition_costs::key},
    {ConditionType::secp256k1hash, FingerprintOf::key_hash, SecondPart::signature,
     KeyKind::secp256k1, EnabledBy::tokel, condition_costs::key},
    {ConditionType::eval, FingerprintOf::value, SecondPart::parameter, KeyKind::none,
     EnabledBy::both, condition_costs::eval},
}};

[[nodiscard]] constexpr std::uint32_t condition_bit(ConditionType type) noexcept {
  return 1U << static_cast<unsigned>(type);
}

/// Mask of the types whose row `holds` says yes to.
template <typename Holds>
[[nodiscard]] constexpr std::uint32_t condition_types_where(Holds holds) noexcept {
  std::uint32_t mask = 0;
  for (const ConditionTypeRow& row : condition_types) {
    if (holds(row)) mask |= condition_bit(row.type);
  }
  return mask;
}

inline constexpr std::uint32_t condition_types_known =
    condition_types_where([](const ConditionTypeRow&) { return true; });

[[nodiscard]] constexpr std::optional<ConditionType> condition_type(unsigned number) noexcept {
  if (number > 15 || (condition_types_known >> number & 1) == 0) return std::nullopt;
  return static_cast<ConditionType>(number);
}

/// Positions of the types in the table, by number.
inline constexpr std::array<std::uint8_t, 16> condition_type_places = [] {
  std::array<std::uint8_t, 16> places{};
  for (std::uint8_t at = 0; at < condition_types.size(); ++at) {
    places[static_cast<std::size_t>(condition_types[at].type)] = at;
  }
  return places;
}();

[[nodiscard]] constexpr const ConditionTypeRow& row_of(ConditionType type) noexcept {
  return condition_types[condition_type_places[static_cast<std::size_t>(type)]];
}

/// Returns true for prefixes and thresholds: only they have members, and only they name subtypes.
[[nodiscard]] constexpr bool is_compound(ConditionType type) noexcept {
  return row_of(type).fingerprint == FingerprintOf::members;
}

[[nodiscard]] constexpr std::uint32_t fingerprint_bytes(ConditionType type) noexcept {
  return row_of(type).fingerprint == FingerprintOf::key_hash ? 20 : 32;
}

}  // namespace antara
