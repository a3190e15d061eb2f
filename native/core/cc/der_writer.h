#pragma once

#include <bit>
#include <vector>

#include "base/bytes.h"

namespace antara {

/// Returns the number of bytes of a length in its shortest form. source: X.690 10.1
[[nodiscard]] constexpr std::size_t der_length_bytes(std::size_t length) noexcept {
  if (length < 0x80) return 1;
  return 1 + (static_cast<std::size_t>(std::bit_width(length)) + 7) / 8;
}

/// Returns the size of a whole element with a one-octet tag around `contents` bytes.
[[nodiscard]] constexpr std::size_t der_string_bytes(std::size_t contents) noexcept {
  return 1 + der_length_bytes(contents) + contents;
}

/// Returns the octets of an INTEGER's contents: one more if the highest bit would read as a sign.
[[nodiscard]] constexpr std::size_t der_integer_octets(std::uint64_t value) noexcept {
  return static_cast<std::size_t>(std::bit_width(value)) / 8 + 1;
}

[[nodiscard]] constexpr std::size_t der_integer_bytes(std::uint64_t value) noexcept {
  return der_string_bytes(der_integer_octets(value));
}

static_assert(der_string_bytes(0x7f) == 0x81 && der_string_bytes(0x80) == 0x83);
static_assert(der_integer_octets(0) == 1 && der_integer_octets(0x7f) == 1);
static_assert(der_integer_octets(0x80) == 2 && der_integer_octets(0x7fffffffffffffff) == 8);

/// Appends DER elements whose sizes are known in advance: the counterpart of DerReader.
class DerWriter {
 public:
  explicit DerWriter(std::vector<std::uint8_t>& output) noexcept : output_(output) {}

  void byte(std::uint8_t value) { output_.push_back(value); }
  void bytes(Bytes view) { output_.insert(output_.end(), view.begin(), view.end()); }

  /// Writes tag and length; `length` bytes of contents must follow.
  void header(std::uint8_t identifier, std::size_t length) {
    byte(identifier);
    const std::size_t octets = der_length_bytes(length) - 1;
    if (octets == 0) {
      byte(static_cast<std::uint8_t>(length));
      return;
    }
    byte(static_cast<std::uint8_t>(0x80 | octets));
    big_endian(length, octets);
  }

  void string(std::uint8_t identifier, Bytes contents) {
    header(identifier, contents.size());
    bytes(contents);
  }

  void integer(std::uint8_t identifier, std::uint64_t value) {
    const std::size_t octets = der_integer_octets(value);
    header(identifier, octets);
    big_endian(value, octets);
  }

 private:
  void big_endian(std::uint64_t value, std::size_t octets) {
    for (std::size_t left = octets; left > 0; --left) {
      byte(left > sizeof value ? std::uint8_t{0}
                               : static_cast<std::uint8_t>(value >> (8 * (left - 1))));
    }
  }

  std::vector<std::uint8_t>& output_;
};

}  // namespace antara
