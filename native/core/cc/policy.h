#pragma once

#include "cc/tree.h"

namespace antara {

/// The daemon whose rules apply: komodod with its asset chains, or tokeld.
enum class ConditionDialect : std::uint8_t { komodo, tokel };

/// Returns true if the daemon accepts `input`, the data before OP_CHECKCRYPTOCONDITION in a script,
/// as a spendable condition: it is readable, and all its types are enabled. Komodo also requires a
/// type that signs, Tokel does not. Tokel also reads a mixed-mode fulfillment after an 'M' or an
/// 'N'.
/// source  komodo src/script/script.cpp, CScript::MayAcceptCryptoCondition; src/script/cc.cpp,
///         IsSupportedCryptoCondition; tokel the same
[[nodiscard]] bool may_accept_condition(Bytes input,
                                        ConditionDialect dialect = ConditionDialect::komodo);

/// Returns true if the daemon accepts the types of a fulfillment, signatures and evals aside. All
/// must be enabled, and thresholds alone must lead from the root to a fulfilled type that signs.
///
/// source  komodo src/script/interpreter.cpp, TransactionSignatureChecker::CheckCryptoCondition;
///         src/script/cc.cpp, IsSignedCryptoCondition; tokel the same
[[nodiscard]] bool may_spend_with(const ConditionTree& tree,
                                  ConditionDialect dialect = ConditionDialect::komodo);

}  // namespace antara
