#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/bytes.h"
#include "select/pricing.h"

namespace antara {

/// xoshiro256** (Blackman and Vigna, 2018). Equal seeds give equal numbers on every machine.
class Random {
 public:
  explicit Random(const Hash256& seed) noexcept {
    for (std::size_t lane = 0; lane < state_.size(); ++lane) {
      for (std::size_t byte = 0; byte < 8; ++byte) {
        state_[lane] |= std::uint64_t{seed[8 * lane + byte]} << (8 * byte);
      }
    }
    if (state_ == decltype(state_){}) state_[0] = 1;  // the all-zero state is the only bad one
  }

  [[nodiscard]] std::uint64_t next() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Returns a number from 0 to `bound` - 1; the bias is below 2^-32 for any 32-bit bound.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace antara
