#include "script/address.h"

#include <algorithm>

#include "hash/sha256.h"

namespace antara {
namespace {

constexpr char digits_58[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static_assert(sizeof digits_58 == 58 + 1);

constexpr std::size_t checksum_bytes = 4;
using Checked = std::array<std::uint8_t, address_payload_bytes + checksum_bytes>;

// The number is divided by 58^5, five digits at a time; the remainder stays below 2^32.
constexpr std::size_t digits_per_step = 5;
constexpr std::uint32_t step = 58 * 58 * 58 * 58 * 58;
static_assert(address_characters_max % digits_per_step == 0);

/// 25 bytes as words of 32 bits, the most significant first.
using Words = std::array<std::uint32_t, 7>;

Words words_of(const Checked& bytes) noexcept {
  Words words{bytes[0]};
  for (std::size_t at = 1; at < bytes.size(); ++at) {
    std::uint32_t& word = words[(at + 3) / 4];
    word = word << 8 | bytes[at];
  }
  return words;
}

/// Divides `words` by `step` and returns the remainder.
std::uint32_t divide(Words& words) noexcept {
  std::uint64_t rest = 0;
  for (std::uint32_t& word : words) {
    const std::uint64_t value = rest << 32 | word;
    word = static_cast<std::uint32_t>(value / step);
    rest = value % step;
  }
  return static_cast<std::uint32_t>(rest);
}

}  // namespace

void append_address(std::span<const std::uint8_t, address_payload_bytes> payload,
                    std::string& text) {
  Checked bytes;
  const auto checksum_at = std::copy(payload.begin(), payload.end(), bytes.begin());
  const Hash256 hash = sha256d(payload);
  std::copy_n(hash.begin(), checksum_bytes, checksum_at);

  std::array<char, address_characters_max> characters;
  Words words = words_of(bytes);
  for (std::size_t end = characters.size(); end > 0; end -= digits_per_step) {
    std::uint32_t rest = divide(words);
    for (std::size_t digit = 1; digit <= digits_per_step; ++digit) {
      characters[end - digit] = digits_58[rest % 58];
      rest /= 58;
    }
  }
  // Leading zero bytes become ones; leading zero digits of the number are dropped.
  const auto is_not = [](auto zero) { return [zero](auto value) { return value != zero; }; };
  const auto first_byte = std::ranges::find_if(bytes, is_not(std::uint8_t{0}));
  const auto first_digit = std::ranges::find_if(characters, is_not(digits_58[0]));
  text.append(static_cast<std::size_t>(first_byte - bytes.begin()), digits_58[0]);
  text.append(first_digit, characters.end());
}

}  // namespace antara
