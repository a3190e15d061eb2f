#pragma once

#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "cc/condition_types.h"
#include "cc/der.h"

namespace antara {

/// A condition: the type, fingerprint and cost of the tree that fulfills it.
struct Condition {
  ConditionType type = ConditionType::preimage;
  /// The first `fingerprint_bytes(type)` count; the rest are zero.
  Hash256 fingerprint{};
  std::uint64_t cost = 0;
  /// A mask of the types inside, without the condition's own. Zero unless `is_compound(type)`.
  std::uint32_t subtypes = 0;
  /// False if only the daemon's rules accept it: bytes after it, lengths not in their shortest
  /// form, strings in pieces, or subtypes or an integer not encoded as DER.
  bool is_canonical = true;

  [[nodiscard]] constexpr Bytes fingerprint_view() const noexcept {
    return Bytes{fingerprint}.first(fingerprint_bytes(type));
  }
  /// Returns the condition's own type and those inside, as komodo's cc_typeMask does.
  [[nodiscard]] constexpr std::uint32_t type_mask() const noexcept {
    return condition_bit(type) | subtypes;
  }
  friend constexpr bool operator==(const Condition&, const Condition&) = default;
};

/// Reads a condition, and nothing else, from `input`.
///
/// shape   context tag of the type { 0x80 fingerprint, 0x81 cost, compound only: 0x82 subtypes }
/// errors  those of DerReader, trailing_bytes, condition_type_unknown,
///         condition_fingerprint_size, condition_subtypes
/// source  komodo src/cryptoconditions/src/cryptoconditions.c, cc_readConditionBinary
/// DerRules::daemon reads what the daemon reads, except fingerprints of a wrong size, which it
/// copies from beyond their end; `is_canonical` then tells.
[[nodiscard]] Result<Condition> decode_condition(Bytes input,
                                                 DerRules rules = DerRules::strict) noexcept;

/// Does the same for the next element of a larger structure. Returns a default value on failure.
[[nodiscard]] Condition read_condition(DerReader& reader) noexcept;

/// A condition whose fingerprint may have any size; only the part that fits is kept.
struct UncheckedCondition {
  Condition condition;
  std::size_t fingerprint_size = 0;
  std::uint32_t fingerprint_offset = 0;
};

/// Reads a condition without checking its fingerprint's size, as the daemon does.
[[nodiscard]] UncheckedCondition read_unchecked_condition(DerReader& reader) noexcept;

/// Returns the number of bytes that `write_condition` appends.
[[nodiscard]] std::size_t condition_bytes(const Condition& condition) noexcept;

/// Appends the canonical encoding. It is strict DER except for empty subtypes, which the C library
/// encodes as 82020700. source: komodo src/cryptoconditions/src/cryptoconditions.c, asnSubtypes
void write_condition(const Condition& condition, std::vector<std::uint8_t>& output);

}  // namespace antara
