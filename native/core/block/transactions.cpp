#include "block/transactions.h"

#include <algorithm>

#include "base/limits.h"
#include "hash/sha256.h"
#include "tx/parse.h"

namespace antara {

Error read_block_transactions(Bytes raw, std::uint32_t count, TxLayout& layout,
                              std::vector<BlockTransaction>& transactions) {
  transactions.clear();
  std::uint32_t offset = 0;
  for (std::uint32_t index = 0; index < count; ++index) {
    const Bytes rest = raw.subspan(offset);
    const Bytes longest = rest.first(std::min(rest.size(), transaction_bytes_max));
    const Result<std::uint32_t> length = leading_transaction_bytes(longest, layout);
    if (!length.ok()) return {length.error().code, offset + length.error().offset};
    transactions.push_back({{offset, length.value()}, sha256d(rest.first(length.value()))});
    offset += length.value();
  }
  if (offset < raw.size()) return {ErrorCode::trailing_bytes, offset};
  return {};
}

Hash256 merkle_root(const std::vector<BlockTransaction>& transactions) {
  if (transactions.empty()) return {};
  std::vector<Hash256> row;
  row.reserve(transactions.size() + 1);
  for (const BlockTransaction& transaction : transactions) row.push_back(transaction.txid);
  while (row.size() > 1) {
    if (row.size() % 2 == 1) row.push_back(row.back());
    // Two neighbours are adjacent in memory, so they are hashed where they are.
    for (std::size_t at = 0; at < row.size(); at += 2) {
      row[at / 2] = sha256d(Bytes{row[at].data(), 2 * sizeof(Hash256)});
    }
    row.resize(row.size() / 2);
  }
  return row.front();
}

}  // namespace antara
