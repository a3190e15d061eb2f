// Pools of coins as wallets have them, drawn by a name, the same at every run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hash/sha256.h"
#include "select/pricing.h"
#include "select/random.h"

namespace antara::test {

using Values = std::vector<std::int64_t>;
using Sizes = std::vector<std::uint32_t>;

inline Random random_of(std::string_view name) {
  return Random{sha256({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()})};
}

/// A rate in satoshis per 1000 bytes.
inline FeeRate rate_of(std::int64_t sats) { return {sats * 1'000'000}; }

/// Amounts as wallets have them: a few kinds of pools, from equal coins to seven magnitudes.
inline Values random_values(Random& random, std::size_t count) {
  const std::uint32_t kind = random.below(6);
  Values values(count);
  for (std::int64_t& value : values) {
    switch (kind) {
      case 0:
        value = 10'000 + random.below(1'000'000);
        break;
      case 1:
        value = std::int64_t{1} << (8 + random.below(24));
        break;
      case 2:
        value = 100'000;
        break;
      case 3:
        value = 10'000 * (1 + random.below(20));
        break;
      case 4:
        // C++ leaves open which of two draws in one expression comes first.
        value = 1 + random.below(200);
        value <<= random.below(20);
        break;
      default:
        value = 1 + random.below(50'000);
        break;
    }
  }
  return values;
}

inline Sizes random_sizes(Random& random, std::size_t count) {
  constexpr std::uint32_t sizes[] = {68, 114, 148, 164, 297};
  const std::uint32_t kinds = 1 + random.below(4);
  Sizes result(count);
  for (std::uint32_t& size : result) size = sizes[random.below(kinds)];
  return result;
}

}  // namespace antara::test
