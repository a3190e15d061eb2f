#pragma once

#include "base/error.h"
#include "tx/layout.h"

namespace antara {

/// Reads one raw transaction of any version the Komodo family has had: v1, v2 with PHGR13
/// JoinSplits, v3 Overwinter, v4 Sapling. Anything after it is an error.
///
/// units     values in satoshis, unchecked: a decoder shows what is there
/// errors    empty_input, input_over_limit, truncated, trailing_bytes, non_canonical_length,
///           length_over_limit, count_over_input, unknown_transaction_format, malformed_proof,
///           segwit_unsupported
/// source    komodo src/primitives/transaction.h, CTransaction::SerializationOp
/// lifetime  `layout` holds positions in `raw`; on error its content is unspecified
[[nodiscard]] Error parse_transaction(Bytes raw, TxLayout& layout);

/// Returns the length of the transaction that `raw` starts with, whatever follows it.
///
/// The daemon ignores what follows; see DecodeHexTx in komodo src/core_read.cpp.
/// errors    as parse_transaction, except trailing_bytes and segwit_unsupported
[[nodiscard]] Result<std::uint32_t> leading_transaction_bytes(Bytes raw, TxLayout& layout);

}  // namespace antara
