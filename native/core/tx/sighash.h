#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "hash/blake2b.h"
#include "hash/sha256.h"
#include "tx/layout.h"

namespace antara {

// A hash type says which parts of a transaction a signature covers.
// source: komodo src/script/interpreter.h
inline constexpr std::uint32_t sighash_all = 1;
inline constexpr std::uint32_t sighash_none = 2;
inline constexpr std::uint32_t sighash_single = 3;
inline constexpr std::uint32_t sighash_anyone_can_pay = 0x80;
inline constexpr std::uint32_t sighash_base_mask = 0x1f;

/// Returns true if STRICTENC allows this hash type. The hash itself accepts any.
/// source: komodo src/script/interpreter.cpp, IsDefinedHashtypeSignature
[[nodiscard]] constexpr bool is_defined_hash_type(std::uint8_t hash_type) noexcept {
  const std::uint32_t base = hash_type & ~sighash_anyone_can_pay;
  return base >= sighash_all && base <= sighash_single;
}

// source: komodo src/consensus/upgrades.cpp, NetworkUpgradeInfo
inline constexpr std::uint32_t overwinter_branch_id = 0x5ba81b19;
inline constexpr std::uint32_t sapling_branch_id = 0x76b809bb;

/// Returns the branch of a chain that accepts transactions of this version.
[[nodiscard]] constexpr std::uint32_t default_branch_id(const TxLayout& layout) noexcept {
  if (!layout.overwintered) return 0;
  return layout.is_sapling() ? sapling_branch_id : overwinter_branch_id;
}

/// The index of hashes that belong to no input: those that JoinSplits and shielded parts sign.
inline constexpr std::uint32_t not_an_input = 0xffffffff;

/// An input to sign, with the output that it spends.
struct SignedInput {
  std::uint32_t index = not_an_input;
  Bytes script_code;
  std::int64_t value_sats = 0;
};

/// Hashes to sign of one transaction; parts that inputs share are hashed once.
///
/// Every input of an overwintered transaction costs the same. The older form hashes the whole
/// transaction for each input; if inputs are hashed in ascending order, the part before the input
/// is shared.
/// lifetime  `raw` and the layout parsed from it must outlive the hasher
/// source    ZIP 143, ZIP 243; komodo src/script/interpreter.cpp, SignatureHash
class SignatureHasher {
 public:
  SignatureHasher(Bytes raw, const TxLayout& layout, std::uint32_t branch_id) noexcept;

  /// Returns the hash that a signature of `input` with `hash_type` signs, in signing order. It
  /// follows the family's own rules: no code separators, and nothing is deleted from the script.
  /// errors  input_index_out_of_range; single_without_output, in the older form only, where
  ///         Bitcoin would sign the number 1; transaction_over_limit
  [[nodiscard]] Result<Hash256> hash(const SignedInput& input, std::uint32_t hash_type);

  /// Appends `hash` of each input, faster than one by one. After an error, the size of `hashes` is
  /// the index of its input. errors: the same
  [[nodiscard]] Error hash_each(std::span<const SignedInput> inputs, std::uint32_t hash_type,
                                std::vector<Hash256>& hashes);

  /// Appends the bytes that `hash` hashes. errors: the same
  [[nodiscard]] Error append_preimage(const SignedInput& input, std::uint32_t hash_type,
                                      std::vector<std::uint8_t>& output);

 private:
  /// Version, group id, six hashes, lock time, expiry height, value balance, hash type.
  struct Beginning {
    std::array<std::uint8_t, 220> bytes;
    std::size_t size = 0;
    [[nodiscard]] Bytes view() const noexcept { return Bytes{bytes}.first(size); }
  };

  [[nodiscard]] Error check(const SignedInput& input, std::uint32_t hash_type) const noexcept;

  void prepare_shared(std::uint32_t index, std::uint32_t hash_type);
  [[nodiscard]] Hash256 hash_overwintered(const SignedInput& input, std::uint32_t hash_type);
  [[nodiscard]] Beginning beginning(std::uint32_t index, std::uint32_t hash_type);
  [[nodiscard]] Hash256 prevouts_hash(std::uint32_t hash_type);
  [[nodiscard]] Hash256 sequences_hash(std::uint32_t hash_type);
  [[nodiscard]] Hash256 outputs_hash(std::uint32_t index, std::uint32_t hash_type);
  [[nodiscard]] Hash256 join_splits_hash();
  [[nodiscard]] Hash256 shielded_spends_hash();
  [[nodiscard]] Hash256 shielded_outputs_hash();
  template <typename Visit>
  void visit_spent_output(const SignedInput& input, Visit visit) const;

  [[nodiscard]] Hash256 hash_legacy(const SignedInput& input, std::uint32_t hash_type);
  [[nodiscard]] Bytes blank_inputs(bool keeps_sequences);
  template <typename Visit>
  void visit_legacy_start(std::uint32_t hash_type, Visit visit) const;
  template <typename Visit>
  void visit_legacy_rest(const SignedInput& input, std::uint32_t hash_type, Visit visit);

  [[nodiscard]] Bytes outpoint(std::size_t index) const noexcept;
  [[nodiscard]] Slice output_slice(std::size_t index) const noexcept;
  [[nodiscard]] Bytes all_outputs() const noexcept;
  [[nodiscard]] Bytes all_join_splits() const noexcept;

  Bytes raw_;
  const TxLayout& layout_;
  Personalization personalization_;

  std::optional<Hash256> prevouts_;
  std::optional<Hash256> sequences_;
  std::optional<Hash256> outputs_;
  std::optional<Hash256> join_splits_;
  std::optional<Hash256> shielded_spends_;
  std::optional<Hash256> shielded_outputs_;
  /// A hash of the beginning for `shared_hash_type_`.
  Blake2b256 shared_;
  std::optional<std::uint32_t> shared_hash_type_;

  /// All inputs with empty scripts, `input_bytes_min` each, and their sequences.
  std::vector<std::uint8_t> blank_inputs_;
  std::optional<bool> blank_keeps_sequences_;
  /// A hash of the start and the first `legacy_shared_inputs_` blank inputs.
  Sha256 legacy_shared_;
  std::size_t legacy_shared_inputs_ = 0;
  bool legacy_has_shared_ = false;
};

}  // namespace antara
