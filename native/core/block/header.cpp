#include "block/header.h"

namespace antara {

BlockHeader read_header(ByteReader& reader) noexcept {
  BlockHeader header;
  header.offset = reader.offset();
  header.version = reader.u32();
  header.previous_offset = reader.slice(32).offset;
  header.merkle_root_offset = reader.slice(32).offset;
  header.final_root_offset = reader.slice(32).offset;
  header.time = reader.u32();
  header.bits = reader.u32();
  header.nonce_offset = reader.slice(32).offset;
  const std::uint32_t length_offset = reader.offset();
  const std::uint64_t length = reader.compact_size();
  if (length > equihash_solution_bytes_max) {
    reader.fail(ErrorCode::length_over_limit, length_offset);
  }
  header.solution = reader.slice(static_cast<std::size_t>(length));
  header.length = reader.offset() - header.offset;
  return header;
}

}  // namespace antara
