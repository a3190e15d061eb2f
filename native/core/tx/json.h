#pragma once

#include "tx/layout.h"

namespace antara {

/// Returns a bound on the characters that `write_transaction_json` writes.
[[nodiscard]] std::size_t transaction_json_characters_max(const TxLayout& layout) noexcept;

/// Writes a transaction as JSON and returns the end of the text. Members are in the order of
/// `Transaction` in src/transaction/types.ts, and amounts are decimal strings.
///
/// shape     the transaction has no shielded parts; `layout` is that of `raw`
char* write_transaction_json(const TxLayout& layout, Bytes raw, const Hash256& txid,
                             char* output) noexcept;

}  // namespace antara
