#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/bytes.h"

namespace antara::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Numbers from the fuzzer's bytes; zeros once they have run out.
class Numbers {
 public:
  explicit Numbers(Bytes bytes) : bytes_(bytes) {}

  std::uint64_t take(std::size_t width) {
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < width && !bytes_.empty(); ++at) {
      number |= std::uint64_t{bytes_.front()} << (8 * at);
      bytes_ = bytes_.subspan(1);
    }
    return number;
  }
  std::int64_t take_signed(std::size_t width) { return static_cast<std::int64_t>(take(width)); }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  Bytes bytes_;
};

}  // namespace antara::fuzz
