#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "bytes/byte_reader.h"

namespace antara {

/// The longest solution of the Komodo family: n 200, k 9. A chain with n 48, k 5 has 36 bytes.
inline constexpr std::uint64_t equihash_solution_bytes_max = 1344;

/// The bytes before the solution, which its puzzle hashes.
/// source  komodo src/primitives/block.h, CEquihashInput and nNonce
inline constexpr std::size_t equihash_input_bytes = 140;

/// The header of a block. Positions are in the bytes that were read.
struct BlockHeader {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t version = 0;
  std::uint32_t previous_offset = 0;
  std::uint32_t merkle_root_offset = 0;
  std::uint32_t final_root_offset = 0;
  std::uint32_t time = 0;
  std::uint32_t bits = 0;
  std::uint32_t nonce_offset = 0;
  Slice solution;
};

/// Reads a header where `reader` stands.
/// errors  truncated, non_canonical_length, length_over_limit (a solution over
///         `equihash_solution_bytes_max`, at its length)
/// source  komodo src/primitives/block.h, CBlockHeader
[[nodiscard]] BlockHeader read_header(ByteReader& reader) noexcept;

}  // namespace antara
