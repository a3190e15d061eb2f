#pragma once

#include <cstddef>
#include <cstdint>

namespace antara {

/// komodo src/serialize.h, MAX_SIZE: no CompactSize may exceed it, whatever it counts.
inline constexpr std::uint64_t compact_size_max = 0x02000000;

/// komodo src/consensus/consensus.h, MAX_BLOCK_SIZE. A transaction cannot be larger than the block
/// that carries it, so more input than this is refused before any of it is read.
inline constexpr std::size_t input_bytes_max = 4'000'000;

/// komodo src/consensus/consensus.h, MAX_TX_SIZE_AFTER_SAPLING: no chain accepts a larger one.
inline constexpr std::size_t transaction_bytes_max = 200'000;

}  // namespace antara
