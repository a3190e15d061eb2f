#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "select/select_coins.h"

namespace antara {

/// A token transfer: tokens from one set of coins, the fee from another.
struct TransferTerms {
  std::int64_t amount = 0;                     // token units, at least 1
  std::optional<std::int64_t> fixed_fee_sats;  // the fee, whatever the size; otherwise by rate
  FeeRate fee_rate;
  std::uint64_t base_bytes = 0;  // the transaction without inputs and change
  std::uint32_t token_change_bytes = 0;
  std::uint32_t change_bytes = 0;
  std::int64_t change_spend_sats = 0;  // the later cost of spending native change
  std::int64_t change_min_sats = 1;    // native change; token change may be one unit
  std::size_t token_inputs_max = SIZE_MAX;
  std::size_t inputs_max = SIZE_MAX;
  std::uint64_t bytes_max = UINT64_MAX;
  std::size_t sweep = 0;  // small token coins to spend along when there is token change anyway
};

/// A transaction that merges token coins into one, so that a transfer fits afterwards.
struct ConsolidationStep {
  std::vector<std::uint32_t> tokens;  // ids
  std::vector<std::uint32_t> steps;   // earlier steps of the plan, whose coins are merged as well
  std::int64_t amount = 0;
  std::uint64_t bytes = 0;
  std::int64_t fee_sats = 0;
};

/// The outcome: `failure` is `ok`, `insufficient_tokens`, `insufficient_funds` or
/// `selection_over_limits`, the last with a plan if merging token coins first would help.
struct TransferSelection {
  ErrorCode failure = ErrorCode::ok;
  /// On failure: all tokens, the satoshis if those are missing, or over the limits the tokens that
  /// fit beside one native input.
  std::int64_t available = 0;
  std::vector<std::uint32_t> tokens;  // ids, ascending
  std::vector<std::uint32_t> coins;
  std::int64_t token_change = 0;
  std::int64_t change_sats = 0;
  std::int64_t fee_sats = 0;
  std::uint64_t bytes = 0;
  std::vector<ConsolidationStep> plan;  // merges to make first; then the transfer fits
};

/// errors    payment_out_of_range, fee_rate_out_of_range, input_bytes_out_of_range
[[nodiscard]] Error check_terms(const TransferTerms& terms) noexcept;

/// Chooses token coins and native coins for one transfer.
///
/// Token coins are either the fewest bytes of them that match the amount exactly, or the fewest
/// bytes that reach it, and among those the least change. With a fixed fee an exact match comes
/// first: it saves an output and a fragment for nothing. With a fee by rate the two are compared
/// by what they cost, fee and later spending of all change together.
/// `terms` must have passed `check_terms`.
[[nodiscard]] TransferSelection select_transfer(const CoinRuns& tokens, const CoinRuns& coins,
                                                const TransferTerms& terms, Bytes seed);

}  // namespace antara
