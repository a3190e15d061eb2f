#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "base/bytes.h"

namespace antara {

/// Appends little-endian fields to a byte vector: the mirror of ByteReader.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::uint8_t>& output) noexcept : output_(output) {}

  void u8(std::uint8_t value) { output_.push_back(value); }
  void u16(std::uint16_t value) { integer(value); }
  void u32(std::uint32_t value) { integer(value); }
  void u64(std::uint64_t value) { integer(value); }
  void i64(std::int64_t value) { integer(value); }
  void bytes(Bytes view) { output_.insert(output_.end(), view.begin(), view.end()); }

  /// Writes the shortest CompactSize form of `value`. source: komodo src/serialize.h,
  /// WriteCompactSize
  void compact_size(std::uint64_t value) {
    if (value < 0xfd) {
      u8(static_cast<std::uint8_t>(value));
    } else if (value <= 0xffff) {
      u8(0xfd);
      u16(static_cast<std::uint16_t>(value));
    } else if (value <= 0xffffffff) {
      u8(0xfe);
      u32(static_cast<std::uint32_t>(value));
    } else {
      u8(0xff);
      u64(value);
    }
  }

  /// Writes a CompactSize length, then the bytes.
  void var_bytes(Bytes view) {
    compact_size(view.size());
    bytes(view);
  }

 private:
  template <typename Integer>
  void integer(Integer value) {
    const std::size_t start = output_.size();
    output_.resize(start + sizeof value);
    std::memcpy(output_.data() + start, &value, sizeof value);
  }

  std::vector<std::uint8_t>& output_;
};

}  // namespace antara
