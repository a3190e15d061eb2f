#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "select/candidates.h"
#include "select/coin_runs.h"
#include "select/pricing.h"

namespace antara {

/// The part of one run that is worth spending at a fee rate.
struct PricedRun {
  std::span<const std::int64_t> values;  // ascending
  std::span<const std::uint32_t> ids;
  std::uint32_t input_bytes = 0;
  // `fee` is that of one input at the rate of the payment. `extra` is what it has beyond the fee at
  // the long-term rate.
  Units fee = 0;
  Units extra = 0;
};

/// The coins worth spending at a fee rate: each is worth more than it costs. The effective value of
/// a coin is its value less the fee of its input.
class Pool {
 public:
  /// `coins` and `pricing` must outlive the pool.
  Pool(const CoinRuns& coins, const Pricing& pricing);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Units effective_total() const noexcept { return effective_total_; }
  [[nodiscard]] std::int64_t total_sats() const noexcept { return total_sats_; }

  /// Returns coins in descending order of effective value, until they sum to `target` or there are
  /// `count_max`.
  [[nodiscard]] Candidates largest(Units target, std::size_t count_max) const;

  /// Returns coins in descending order of effective value: of each size as many of the largest ones
  /// as fit into the limits.
  [[nodiscard]] Candidates fitting(InputLimits limits) const;

  /// Returns all coins in descending order of effective value. If there are too many to search, it
  /// returns the `leading` first ones and a sample of the others. The sample has the next coins,
  /// those just below the effective value `near`, a few just above `near` and from `above` on, and
  /// others evenly by rank.
  [[nodiscard]] Candidates searchable(std::size_t leading, Units near, Units above) const;

 private:
  std::vector<PricedRun> runs_;
  const Pricing& pricing_;
  std::size_t size_ = 0;
  Units effective_total_ = 0;
  std::int64_t total_sats_ = 0;
};

}  // namespace antara
