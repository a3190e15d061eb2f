#pragma once

#include <cstdint>
#include <limits>

namespace antara {

// Products of amounts, sizes and rates can exceed 64 bits.
__extension__ typedef __int128 Int128;

/// Amounts in a search: thousandths of a satoshi, exact for every whole fee rate, or whole satoshis
/// if all coins together are worth more than 2^62 thousandths. See `Pricing`.
using Units = std::int64_t;

inline constexpr Units units_max = std::numeric_limits<Units>::max();

/// The largest value of one coin, and of all coins together, so that sums with fees and costs stay
/// within 64 bits. It is 46 billion coins, more than on any chain.
inline constexpr std::int64_t amount_max = std::int64_t{1} << 62;

/// Millionths of a satoshi per 1000 bytes.
struct FeeRate {
  std::int64_t micro_sats = 0;
};

/// 10 KMD per 1000 bytes. A higher rate is a mistake, and up to this rate no product here
/// overflows.
inline constexpr FeeRate fee_rate_max{1'000'000'000'000'000};

/// No input, output or transaction is larger than a block.
inline constexpr std::uint32_t element_bytes_max = 4'000'000;

/// The highest minimum for change, and the highest cost of change: more would give coins away.
inline constexpr std::int64_t change_sats_max = 100'000'000;

/// Returns the quotient rounded up. `divisor` is positive.
[[nodiscard]] constexpr Int128 divide_up(Int128 dividend, Int128 divisor) noexcept {
  const Int128 quotient = dividend / divisor;
  return dividend % divisor > 0 ? quotient + 1 : quotient;
}

/// Returns the fee of `bytes` in whole satoshis, rounded up.
[[nodiscard]] constexpr std::int64_t fee_sats(FeeRate rate, std::uint64_t bytes) noexcept {
  constexpr Int128 per_byte = 1'000'000'000;
  return static_cast<std::int64_t>(divide_up(Int128{rate.micro_sats} * bytes, per_byte));
}

static_assert(fee_sats({1'139'000'000}, 250) == 285);
static_assert(fee_sats({0}, 250) == 0);

/// The price of bytes, and the scale in which amounts are compared.
class Pricing {
 public:
  struct Rates {
    FeeRate paid;       // added to the fee for each byte
    FeeRate now;        // the worth of a byte now; differs from `paid` if the fee is fixed
    FeeRate long_term;  // the expected worth of a byte
  };

  /// `total_sats` is the value of all coins together; it determines the scale.
  Pricing(Rates rates, std::int64_t total_sats) noexcept
      : rates_(rates), units_per_sat_(total_sats <= exact_total_max ? 1000 : 1) {}

  [[nodiscard]] Units units(std::int64_t sats) const noexcept { return sats * units_per_sat_; }
  /// Returns the part of the fee for `bytes`.
  [[nodiscard]] Units fee(std::uint64_t bytes) const noexcept { return price(rates_.paid, bytes); }
  /// Returns the cost of spending an input now instead of at the long-term rate.
  [[nodiscard]] Units extra(std::uint32_t input_bytes) const noexcept {
    return price(rates_.now, input_bytes) - price(rates_.long_term, input_bytes);
  }
  /// Returns the worth of `bytes` now.
  [[nodiscard]] Units price_now(std::uint32_t bytes) const noexcept {
    return price(rates_.now, bytes);
  }

  /// Returns whole satoshis, rounded to the nearest.
  [[nodiscard]] std::int64_t sats(Units units) const noexcept {
    const Units half = units < 0 ? -(units_per_sat_ / 2) : units_per_sat_ / 2;
    return (units + half) / units_per_sat_;
  }

  /// Returns the value of a coin, given its effective value.
  [[nodiscard]] std::int64_t value_sats(Units effective, std::uint32_t input_bytes) const noexcept {
    return (effective + fee(input_bytes)) / units_per_sat_;
  }

 private:
  static constexpr std::int64_t exact_total_max = amount_max / 1000;

  [[nodiscard]] Units price(FeeRate rate, std::uint64_t bytes) const noexcept {
    constexpr Int128 per_byte = 1'000'000'000;
    return static_cast<Units>(
        divide_up(Int128{rate.micro_sats} * bytes * units_per_sat_, per_byte));
  }

  Rates rates_;
  std::int64_t units_per_sat_;
};

/// Returns the value of a coin minus the fee of spending it. May be negative.
[[nodiscard]] inline Units effective_value(const Pricing& pricing, std::int64_t value_sats,
                                           std::uint32_t input_bytes) noexcept {
  return pricing.units(value_sats) - pricing.fee(input_bytes);
}

}  // namespace antara
