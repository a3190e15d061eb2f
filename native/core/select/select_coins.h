#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "select/candidates.h"
#include "select/coin_runs.h"
#include "select/random.h"

namespace antara {

/// The search that found a choice. The numbers cross to TypeScript.
enum class Method : std::uint32_t {
  branch_and_bound = 0,
  exact_sum = 1,
  coin_grinder = 2,
  least_change = 3,
  consolidation = 4,
  random_draw = 5,
  largest_first = 6,
};

/// The amount to pay and the terms. `check_terms` checks rates and sizes.
struct PaymentTerms {
  std::int64_t target_sats = 0;
  FeeRate fee_rate;
  FeeRate long_term_rate;
  std::uint64_t base_bytes = 0;  // the transaction without inputs and change
  std::uint32_t change_bytes = 0;
  std::int64_t change_spend_sats = 0;  // the later cost of spending change
  std::int64_t change_min_sats = 1;    // a smaller change output is not made
  std::optional<std::int64_t>
      fixed_fee_sats;  // the fee, whatever the size; bytes then only break ties
  std::size_t inputs_max = SIZE_MAX;
  std::uint64_t bytes_max = UINT64_MAX;  // the whole transaction
};

/// One way to pay that was compared with the others.
struct Alternative {
  Method method{};
  std::size_t inputs = 0;
  std::uint64_t bytes = 0;  // the whole transaction
  std::int64_t fee_sats = 0;
  std::int64_t change_sats = 0;
  std::int64_t waste_sats = 0;
};

/// The outcome: `failure` is `ok`, `insufficient_funds` or `selection_over_limits`.
struct CoinSelection {
  ErrorCode failure = ErrorCode::ok;
  std::int64_t available_sats = 0;    // on failure: what the coins are worth before a fee
  std::vector<std::uint32_t> picked;  // ids, ascending
  Alternative chosen;
  std::vector<Alternative> considered;  // the chosen one first
};

/// errors    payment_out_of_range, fee_rate_out_of_range, input_bytes_out_of_range
[[nodiscard]] Error check_terms(const PaymentTerms& terms) noexcept;

/// Chooses the coins that pay for `terms` with the least waste.
///
/// Waste is Bitcoin Core's: what the inputs cost now above the long-term rate, plus the cost of
/// making and later spending change or, without change, the excess. Of two equal wastes the one
/// with fewer bytes is chosen. Up to `exact_coins_max` coins the result is optimal. The result
/// depends on the coins' values and sizes, the terms and `seed`, not on the coins' order.
///
/// `terms` must have passed `check_terms`.
[[nodiscard]] CoinSelection select_coins(const CoinRuns& coins, const PaymentTerms& terms,
                                         Bytes seed);

/// Pools of this size and smaller are searched exhaustively.
inline constexpr std::size_t exact_coins_max = 16;

}  // namespace antara
