#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"

namespace antara {

/// The bytes that each coin adds to a transaction: one size for all, or one for each.
struct InputBytes {
  std::uint32_t same = 0;
  std::span<const std::uint32_t> each = {};  // empty: all are `same`

  [[nodiscard]] std::uint32_t of(std::size_t coin) const noexcept {
    return each.empty() ? same : each[coin];
  }
};

/// Coins that cost the same to spend, in ascending order of value.
///
/// Within a run, the order by value is the order by effective value at every fee rate, so runs stay
/// valid when the rate changes.
struct CoinRun {
  std::uint32_t input_bytes = 0;
  std::span<const std::int64_t> values;
  std::span<const std::uint32_t> ids;
};

/// Sorted runs over a set of coins, which the caller keeps.
class CoinRuns {
 public:
  /// Sorts `values`. A coin's id is its position.
  ///
  /// units     satoshis, or token units
  /// errors    coin_value_out_of_range, coin_sum_out_of_range, input_bytes_out_of_range; the
  ///           offset is the coin's position
  [[nodiscard]] Error assign(std::span<const std::int64_t> values, InputBytes bytes);

  [[nodiscard]] std::span<const CoinRun> runs() const noexcept { return runs_; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] std::int64_t total() const noexcept { return total_; }

 private:
  friend class CoinIndex;

  void sort_by_value(std::uint64_t changing_bits);
  void sort_by_bytes(InputBytes bytes, std::uint32_t changing_bits);
  void find_runs(InputBytes bytes);

  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::int64_t> values_scratch_;
  std::vector<std::uint32_t> ids_scratch_;
  std::vector<CoinRun> runs_;
  std::int64_t total_ = 0;
};

/// The same runs, kept between selections and updated as coins are added and removed.
class CoinIndex {
 public:
  /// errors    as CoinRuns::assign
  [[nodiscard]] Error create(std::span<const std::int64_t> values, InputBytes bytes);

  /// Adds coins; their ids follow the largest id ever given out. Changes nothing on error.
  ///
  /// errors    as CoinRuns::assign; count_over_input if ids would leave 32 bits
  [[nodiscard]] Error add(std::span<const std::int64_t> values, InputBytes bytes);

  /// Removes coins. Changes nothing on error.
  /// errors    unknown_coin for an id that is not, or no longer, or twice among `ids`
  [[nodiscard]] Error remove(std::span<const std::uint32_t> ids);

  [[nodiscard]] const CoinRuns& runs() const noexcept { return coins_; }
  [[nodiscard]] std::size_t size() const noexcept { return coins_.size(); }
  [[nodiscard]] std::int64_t total() const noexcept { return coins_.total(); }
  /// Returns the id of the next added coin.
  [[nodiscard]] std::uint32_t next_id() const noexcept {
    return static_cast<std::uint32_t>(value_of_.size());
  }
  /// Returns the value of a coin; zero if no coin has that id.
  [[nodiscard]] std::int64_t value_of(std::uint32_t id) const noexcept {
    return id < value_of_.size() ? value_of_[id] : 0;
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  CoinRuns coins_;
  std::vector<std::int64_t> value_of_;
  std::vector<std::uint32_t> bytes_of_;
};

}  // namespace antara
