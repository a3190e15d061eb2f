#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace antara {

/// Amount in satoshis. 1 KMD = 100'000'000 sats. May be negative only as a difference.
struct Sats {
  std::int64_t value = 0;
  friend constexpr auto operator<=>(Sats, Sats) = default;
};

/// Sum, or nothing if it leaves int64. Amounts are never added with a bare `+`.
[[nodiscard]] constexpr std::optional<Sats> checked_add(Sats a, Sats b) noexcept {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
  if (b.value > 0 && a.value > max - b.value) return std::nullopt;
  if (b.value < 0 && a.value < min - b.value) return std::nullopt;
  return Sats{a.value + b.value};
}

static_assert(!checked_add({std::numeric_limits<std::int64_t>::max()}, {1}));
static_assert(!checked_add({std::numeric_limits<std::int64_t>::min()}, {-1}));
static_assert(checked_add({2}, {-3}) == Sats{-1});

}  // namespace antara
