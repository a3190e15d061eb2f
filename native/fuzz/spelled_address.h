#pragma once

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "hash/sha256.h"

namespace antara::fuzz {

/// Returns true if `address` spells `payload` and its checksum, read digit by digit.
inline bool spells(std::string_view address, Bytes payload) {
  constexpr std::string_view digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  std::array<std::uint8_t, 25> number{};
  for (const char character : address) {
    const std::size_t digit = digits.find(character);
    if (digit == std::string_view::npos) return false;
    std::size_t carry = digit;
    for (auto byte = number.rbegin(); byte != number.rend(); ++byte) {
      carry += *byte * std::size_t{58};
      *byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) return false;
  }
  const auto zeros = [](auto first, auto last, auto zero) {
    return std::find_if(first, last, [zero](auto item) { return item != zero; }) - first;
  };
  if (zeros(address.begin(), address.end(), '1') !=
      zeros(number.begin(), number.end(), std::uint8_t{0})) {
    return false;
  }
  const Hash256 hash = sha256d(payload);
  return std::equal(payload.begin(), payload.end(), number.begin()) &&
         std::equal(hash.begin(), hash.begin() + 4, number.begin() + 21);
}

}  // namespace antara::fuzz
