#pragma once

#include <vector>

#include "base/bytes.h"

namespace antara {

// Sizes of the fixed parts, in bytes. source: komodo src/primitives/transaction.h
inline constexpr std::size_t input_bytes_min = 41;  // outpoint 36, empty script 1, sequence 4
inline constexpr std::size_t output_bytes_min = 9;  // value 8, empty script 1
inline constexpr std::size_t shielded_spend_bytes = 384;
inline constexpr std::size_t shielded_output_bytes = 948;
inline constexpr std::size_t join_split_amounts_bytes = 16;
inline constexpr std::size_t join_split_phgr_bytes = 1802;
inline constexpr std::size_t join_split_groth_bytes = 1698;

inline constexpr std::uint32_t overwintered_flag = 0x80000000;
inline constexpr std::uint32_t overwinter_group_id = 0x03c48270;
inline constexpr std::uint32_t sapling_group_id = 0x892f2085;

struct TxInput {
  std::uint32_t prev_txid_offset = 0;  // 32 bytes, wire order
  std::uint32_t prev_index = 0;
  Slice script_sig;
  std::uint32_t sequence = 0;
};

struct TxOutput {
  std::int64_t value_sats = 0;
  Slice script_pubkey;
};

struct JoinSplit {
  std::int64_t vpub_old_sats = 0;
  std::int64_t vpub_new_sats = 0;
  Slice rest;  // anchor to ciphertexts, everything after the two amounts
};

/// The position of everything in a raw transaction: numbers by value, bytes by position.
///
/// It is reused between calls, so decoding allocates only for a transaction that is larger than all
/// before.
struct TxLayout {
  std::uint32_t version = 0;  // without the overwintered flag
  bool overwintered = false;
  std::uint32_t version_group_id = 0;
  std::vector<TxInput> inputs;
  std::vector<TxOutput> outputs;
  std::uint32_t lock_time = 0;
  std::uint32_t expiry_height = 0;
  std::int64_t value_balance_sats = 0;
  Slice shielded_spends;   // all of them, `shielded_spend_bytes` each
  Slice shielded_outputs;  // all of them, `shielded_output_bytes` each
  std::vector<JoinSplit> join_splits;
  Slice join_split_pub_key;
  Slice join_split_sig;
  Slice binding_sig;

  [[nodiscard]] bool is_sapling() const noexcept { return overwintered && version >= 4; }
  [[nodiscard]] bool may_have_join_splits() const noexcept { return version >= 2; }
  [[nodiscard]] bool has_known_format() const noexcept {
    return !overwintered || (version == 3 && version_group_id == overwinter_group_id) ||
           (version == 4 && version_group_id == sapling_group_id);
  }
  [[nodiscard]] std::size_t join_split_bytes() const noexcept {
    return is_sapling() ? join_split_groth_bytes : join_split_phgr_bytes;
  }
  [[nodiscard]] bool has_shielded_parts() const noexcept {
    return shielded_spends.length != 0 || shielded_outputs.length != 0;
  }
};

}  // namespace antara
