#pragma once

#include "base/error.h"
#include "tx/layout.h"

namespace antara {

/// Appends the wire form of `layout` to `output`: the counterpart of parse_transaction.
///
/// `source` contains the bytes that the layout's positions name. Proofs are not checked: a PHGR13
/// proof that parse_transaction refuses is written as it is.
/// errors  unknown_transaction_format, field_not_in_version, and nothing is appended;
///         input_over_limit for what parse_transaction would refuse for its size
/// source  komodo src/primitives/transaction.h, CTransaction::SerializationOp
[[nodiscard]] Error serialize_transaction(const TxLayout& layout, Bytes source,
                                          std::vector<std::uint8_t>& output);

}  // namespace antara
