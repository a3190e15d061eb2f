#pragma once

#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/error.h"
#include "base/limits.h"

namespace antara {

/// Forward-only little-endian cursor with a sticky error.
///
/// The first failure is kept. Every later read returns zero or an empty span and does not move, so
/// a parser reads straight down and calls `finish()` once.
class ByteReader {
 public:
  explicit ByteReader(Bytes input) noexcept : input_(input) {}

  [[nodiscard]] std::uint8_t u8() noexcept { return integer<std::uint8_t>(); }
  [[nodiscard]] std::uint16_t u16() noexcept { return integer<std::uint16_t>(); }
  [[nodiscard]] std::uint32_t u32() noexcept { return integer<std::uint32_t>(); }
  [[nodiscard]] std::uint64_t u64() noexcept { return integer<std::uint64_t>(); }
  [[nodiscard]] std::int64_t i64() noexcept { return std::bit_cast<std::int64_t>(u64()); }

  /// Returns the next `count` bytes as a view into the input.
  [[nodiscard]] Bytes bytes(std::size_t count) noexcept {
    if (!has(count)) return {};
    const Bytes view = input_.subspan(position_, count);
    position_ += count;
    return view;
  }

  /// Returns the next `count` bytes by position.
  [[nodiscard]] Slice slice(std::size_t count) noexcept {
    if (!has(count)) return {};
    const Slice result{offset(), static_cast<std::uint32_t>(count)};
    position_ += count;
    return result;
  }

  /// Reads a CompactSize length, then that many bytes.
  [[nodiscard]] Slice var_slice() noexcept {
    const std::uint64_t length = compact_size();
    return slice(static_cast<std::size_t>(length));
  }

  /// Reads a CompactSize: 1, 3, 5 or 9 bytes, shortest form only, at most `compact_size_max`.
  /// errors  truncated, non_canonical_length, length_over_limit; all at the first byte
  /// source  komodo src/serialize.h, ReadCompactSize
  [[nodiscard]] std::uint64_t compact_size() noexcept {
    if (position_ < input_.size() && !error_.failed() && input_[position_] < 0xfd) {
      return input_[position_++];
    }
    return long_compact_size();
  }

  /// Reads a CompactSize count of elements that take at least `element_bytes_min` each. Fails
  /// before anything is allocated if the input is too short for them.
  [[nodiscard]] std::uint32_t element_count(std::size_t element_bytes_min) noexcept {
    const std::uint32_t start = offset();
    const std::uint64_t count = compact_size();
    // This cannot overflow, because a count is at most `compact_size_max`. A division would take
    // longer than the rest of the function.
    if (count * element_bytes_min > remaining()) {
      fail(ErrorCode::count_over_input, start);
      return 0;
    }
    return static_cast<std::uint32_t>(count);
  }

  /// Keeps `code` at `at`, unless an earlier error is kept.
  void fail(ErrorCode code, std::uint32_t at) noexcept {
    if (!error_.failed()) error_ = {code, at};
  }

  /// Returns the first failure, or `trailing_bytes` if input is left.
  [[nodiscard]] Error finish() noexcept {
    if (remaining() != 0) fail(ErrorCode::trailing_bytes, offset());
    return error_;
  }

  [[nodiscard]] Error error() const noexcept { return error_; }
  [[nodiscard]] bool failed() const noexcept { return error_.failed(); }
  [[nodiscard]] std::size_t remaining() const noexcept { return input_.size() - position_; }
  [[nodiscard]] std::uint32_t offset() const noexcept {
    return static_cast<std::uint32_t>(position_);
  }

 private:
  [[nodiscard]] bool has(std::size_t count) noexcept {
    if (error_.failed()) return false;
    if (count <= remaining()) return true;
    error_ = {ErrorCode::truncated, offset()};
    return false;
  }

  template <typename Integer>
  [[nodiscard]] Integer integer() noexcept {
    if (!has(sizeof(Integer))) return 0;
    Integer value;
    std::memcpy(&value, input_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }

  [[nodiscard]] std::uint64_t long_compact_size() noexcept;

  Bytes input_;
  std::size_t position_ = 0;
  Error error_{};
};

}  // namespace antara
