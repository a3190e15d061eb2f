#pragma once

#include "base/bytes.h"

namespace antara {

/// Running SHA-256 (FIPS 180-4). `add` any number of times, then `finish` once.
class Sha256 {
 public:
  Sha256() noexcept;
  Sha256& add(Bytes bytes) noexcept;
  [[nodiscard]] Hash256 finish() noexcept;

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, 64> block_;
  std::uint64_t length_bytes_ = 0;
};

/// SHA-256 of `bytes`.
[[nodiscard]] Hash256 sha256(Bytes bytes) noexcept;

/// SHA-256 of the SHA-256 of `bytes`: the hash of transactions and of Base58Check.
[[nodiscard]] Hash256 sha256d(Bytes bytes) noexcept;

/// The portable form that CPUs without SHA instructions use; public so that tests compare the two.
[[nodiscard]] Hash256 sha256_portable(Bytes bytes) noexcept;

}  // namespace antara
