#pragma once

#include "cc/tree.h"

namespace antara {

/// The chain whose rules are meant: komodod with its asset chains, or tokeld.
enum class ConditionDialect : std::uint8_t { komodo, tokel };

/// Whether the daemon takes `input`, the data that a script pushes before OP_CHECKCRYPTOCONDITION,
/// for a condition that may be spent: it reads it, and all types in it are enabled. Komodo also
/// wants a type that signs among them, Tokel does not; Tokel also reads a mixed-mode fulfillment
/// behind an 'M' or an 'N'.
///
/// source  komodo src/script/script.cpp, CScript::MayAcceptCryptoCondition; src/script/cc.cpp,
///         IsSupportedCryptoCondition; tokel the same
[[nodiscard]] bool may_accept_condition(Bytes input,
                                        ConditionDialect dialect = ConditionDialect::komodo);

/// Whether the daemon takes a fulfillment for spending, signatures and evals aside: its types are
/// enabled, and a fulfilled type that signs is reached from the root through thresholds alone.
///
/// source  komodo src/script/interpreter.cpp, TransactionSignatureChecker::CheckCryptoCondition;
///         src/script/cc.cpp, IsSignedCryptoCondition; tokel the same
[[nodiscard]] bool may_spend_with(const ConditionTree& tree,
                                  ConditionDialect dialect = ConditionDialect::komodo);

}  // namespace antara
