#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace antara {

// Numbers are copied between memory and the wire, and between memory and the words of the seam.
static_assert(std::endian::native == std::endian::little, "big-endian hosts are not supported");

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

/// A 256-bit value in wire order, the order in which it is hashed and serialized.
using Hash256 = std::array<std::uint8_t, 32>;
using Hash160 = std::array<std::uint8_t, 20>;

/// A part of some input, by position: survives where a span would dangle.
struct Slice {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  friend constexpr bool operator==(Slice, Slice) = default;
};

/// Returns the bytes that `slice` names. The caller guarantees that the slice was made from
/// `input`.
[[nodiscard]] constexpr Bytes bytes_of(Bytes input, Slice slice) noexcept {
  return input.subspan(slice.offset, slice.length);
}

}  // namespace antara
