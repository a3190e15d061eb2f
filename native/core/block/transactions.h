#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "tx/layout.h"

namespace antara {

/// A transaction of a block. Positions are in the bytes that were read.
struct BlockTransaction {
  Slice bytes;
  Hash256 txid;
};

/// Reads `count` transactions that follow each other, as they follow the header of a block.
/// Anything after them is an error. The memory of `transactions` grows with the bytes, not with the
/// count. errors  as leading_transaction_bytes; truncated for a transaction over
/// `transaction_bytes_max`;
///         trailing_bytes
[[nodiscard]] Error read_block_transactions(Bytes raw, std::uint32_t count, TxLayout& layout,
                                            std::vector<BlockTransaction>& transactions);

/// Returns the Merkle root of transactions; zeros if there are none. The last node of an odd row is
/// hashed with itself.
/// source  komodo src/primitives/block.cpp, BuildMerkleTree
[[nodiscard]] Hash256 merkle_root(const std::vector<BlockTransaction>& transactions);

}  // namespace antara
