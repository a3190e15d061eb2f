#pragma once

#include <vector>

#include "base/bytes.h"

namespace antara {

/// The numbers cross to TypeScript: src/script/types.ts has the same order.
enum class ScriptType : std::uint8_t {
  nonstandard = 0,
  pubkey = 1,
  pubkeyhash = 2,
  scripthash = 3,
  multisig = 4,
  nulldata = 5,
  cryptocondition = 6,
};

/// What a chain makes of outputs that hold crypto-conditions.
enum class ConditionSupport : std::uint8_t {
  none = 0,    // KMD itself: such an output is nonstandard
  komodo = 1,  // asset chains with ac_cc
  tokel = 2,   // the same, and 'M' and 'N' outputs
};

/// What a scriptPubKey is and whom it pays.
struct ScriptTemplate {
  ScriptType type = ScriptType::nonstandard;
  unsigned required_signatures = 0;
  /// hash160 of each key, of the script, or of the condition part of the script.
  std::vector<Hash160> destinations;
};

/// A scriptPubKey that pays a crypto-condition.
struct ConditionScript {
  Bytes pushed;   // the condition, or for Tokel 'M' / 'N' and a tree
  Bytes payment;  // the script up to and with OP_CHECKCRYPTOCONDITION: what its address hashes
};

/// Recognises `push(condition) OP_CHECKCRYPTOCONDITION`, followed by nothing or by pushes that are
/// all dropped again. The condition itself is not judged.
///
/// source  komodo src/script/script.cpp, CScript::IsPayToCryptoCondition and GetBalancedData
[[nodiscard]] bool match_condition_script(Bytes script, ConditionSupport support,
                                          ConditionScript& found) noexcept;

/// Classifies a scriptPubKey as the daemon's decoderawtransaction does.
///
/// A prefix that waits for a time (CLTV) is skipped: the type is that of what follows.
/// source  komodo src/script/standard.cpp, Solver and ExtractDestinations
void classify_script(Bytes script, ConditionSupport support, ScriptTemplate& result);

}  // namespace antara
