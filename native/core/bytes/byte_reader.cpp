#include "bytes/byte_reader.h"

namespace antara {

std::uint64_t ByteReader::long_compact_size() noexcept {
  const std::uint32_t start = offset();
  const std::size_t start_position = position_;
  const std::uint8_t first = u8();
  std::uint64_t value = first;
  std::uint64_t smallest = 0;
  switch (first) {
    case 0xfd:
      value = u16();
      smallest = 0xfd;
      break;
    case 0xfe:
      value = u32();
      smallest = 0x10000;
      break;
    case 0xff:
      value = u64();
      smallest = 0x100000000;
      break;
    default:
      break;
  }
  if (error_.failed()) {
    if (position_ != start_position)
      error_.offset = start;  // the input was cut inside the element, not before it
    position_ = start_position;
    return 0;
  }
  if (value < smallest) {
    fail(ErrorCode::non_canonical_length, start);
  } else if (value > compact_size_max) {
    fail(ErrorCode::length_over_limit, start);
  }
  return error_.failed() ? 0 : value;
}

}  // namespace antara
