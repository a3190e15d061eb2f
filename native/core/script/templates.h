#pragma once

#include <optional>
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

/// The rules by which a chain treats outputs with crypto-conditions.
enum class ConditionSupport : std::uint8_t {
  none = 0,    // KMD itself: such an output is nonstandard
  komodo = 1,  // asset chains with ac_cc
  tokel = 2,   // the same, and 'M' and 'N' outputs
};

/// The type of a scriptPubKey, and the keys or hashes that it pays.
struct ScriptTemplate {
  ScriptType type = ScriptType::nonstandard;
  unsigned required_signatures = 0;
  /// hash160 of each key, of the script, or of the condition part of the script.
  std::vector<Hash160> destinations;
};

/// A scriptPubKey that pays a crypto-condition.
struct ConditionScript {
  Bytes pushed;   // the condition, or for Tokel 'M' / 'N' and a tree
  Bytes payment;  // the script up to and including OP_CHECKCRYPTOCONDITION, whose hash its address
                  // contains
};

/// Recognises `push(condition) OP_CHECKCRYPTOCONDITION`, followed by nothing or by pushes that are
/// all dropped again. It does not check the condition.
/// source  komodo src/script/script.cpp, CScript::IsPayToCryptoCondition and GetBalancedData
[[nodiscard]] bool match_condition_script(Bytes script, ConditionSupport support,
                                          ConditionScript& found) noexcept;

/// Returns the public key of `push(key) OP_CHECKSIG`. It has a valid length, but need not be a
/// point.
[[nodiscard]] std::optional<Bytes> match_pubkey(Bytes script) noexcept;

/// Returns the hash of `OP_DUP OP_HASH160 push(hash) OP_EQUALVERIFY OP_CHECKSIG`.
[[nodiscard]] std::optional<Bytes> match_pubkeyhash(Bytes script) noexcept;

/// Returns the hash of `OP_HASH160 push(hash) OP_EQUAL`.
[[nodiscard]] std::optional<Bytes> match_scripthash(Bytes script) noexcept;

/// A script that requires signatures of some of its keys.
struct MultisigScript {
  unsigned required_signatures = 0;
  std::vector<Bytes> keys;
};

/// Recognises `m key... n OP_CHECKMULTISIG` with 1 <= m <= n <= 16; keys may be pushed in any form.
/// source: komodo src/script/standard.cpp, MatchMultisig
[[nodiscard]] bool match_multisig(Bytes script, MultisigScript& found);

/// Classifies a scriptPubKey as the daemon's decoderawtransaction does.
///
/// A lock time before the script (CLTV) is skipped: the type is that of the script after it.
/// source  komodo src/script/standard.cpp, Solver and ExtractDestinations
void classify_script(Bytes script, ConditionSupport support, ScriptTemplate& result);

}  // namespace antara
