#include "script/templates.h"

#include <algorithm>

#include "cc/policy.h"
#include "hash/ripemd160.h"
#include "script/script_reader.h"

namespace antara {
namespace {

/// Returns true if a key has the length that its first byte announces; the point is not checked.
/// source: komodo src/pubkey.h, CPubKey::ValidSize
bool is_pubkey_shaped(Bytes key) noexcept {
  if (key.size() == 33) return key[0] == 2 || key[0] == 3;
  if (key.size() == 65) return key[0] == 4 || key[0] == 6 || key[0] == 7;
  return false;
}

Hash160 hash_of(Bytes hash) noexcept {
  Hash160 result;
  std::copy_n(hash.data(), result.size(), result.data());
  return result;
}

/// Returns true for pushes and OP_DROPs that leave the stack unchanged and never reach below it.
bool is_balanced_data(ScriptReader& reader) noexcept {
  ScriptOp op;
  std::size_t pushed = 0;
  while (reader.next(op)) {
    if (op.opcode == op_drop) {
      if (pushed == 0) return false;
      --pushed;
      continue;
    }
    const bool is_data = op.opcode == 0 || op.is_small_number() || !op.data.empty();
    if (!is_data) return false;
    ++pushed;
  }
  return !reader.malformed() && pushed == 0;
}

/// Moves to the script after `time OP_CHECKLOCKTIMEVERIFY drop`; returns false without such a
/// prefix.
///
/// The daemon reads fixed places. After data of at most 5 bytes it wants the opcode. Then it goes
/// on at the first byte's value plus 3, without checking the bytes that it skips.
/// source: komodo src/script/script.cpp, CScript::IsCheckLockTimeVerify; standard.cpp
bool skip_lock_time(Bytes& script) noexcept {
  ScriptReader reader{script};
  ScriptOp time;
  if (!reader.next(time) || time.data.size() > 5) return false;
  const std::size_t opcode_position = time.data.size() + 1;
  if (opcode_position >= script.size()) return false;
  if (script[opcode_position] != op_checklocktimeverify) return false;
  script = script.subspan(std::min<std::size_t>(script[0] + std::size_t{3}, script.size()));
  return true;
}

/// Returns true for 'M' or 'N' and a tree, which Tokel outputs may push with any opcode.
bool is_mixed_mode(Bytes pushed) noexcept {
  return !pushed.empty() && (pushed[0] == 'M' || pushed[0] == 'N');
}

bool is_acceptable(Bytes pushed, ConditionSupport support) noexcept {
  return may_accept_condition(pushed, support == ConditionSupport::tokel
                                          ? ConditionDialect::tokel
                                          : ConditionDialect::komodo);
}

}  // namespace

std::optional<Bytes> match_pubkey(Bytes script) noexcept {
  if (script.size() != 35 && script.size() != 67) return std::nullopt;
  const Bytes key = script.subspan(1, script.size() - 2);
  const bool matches =
      script[0] == key.size() && script.back() == op_checksig && is_pubkey_shaped(key);
  return matches ? std::optional{key} : std::nullopt;
}

std::optional<Bytes> match_pubkeyhash(Bytes script) noexcept {
  const bool matches = script.size() == 25 && script[0] == op_dup && script[1] == op_hash160 &&
                       script[2] == 20 && script[23] == op_equalverify && script[24] == op_checksig;
  return matches ? std::optional{script.subspan(3, 20)} : std::nullopt;
}

std::optional<Bytes> match_scripthash(Bytes script) noexcept {
  const bool matches =
      script.size() == 23 && script[0] == op_hash160 && script[1] == 20 && script[22] == op_equal;
  return matches ? std::optional{script.subspan(2, 20)} : std::nullopt;
}

bool match_multisig(Bytes script, MultisigScript& found) {
  if (script.empty() || script.back() != op_checkmultisig) return false;
  ScriptReader reader{script};
  ScriptOp op;
  if (!reader.next(op) || !op.is_small_number()) return false;
  found = {op.small_number(), {}};
  while (reader.next(op) && is_pubkey_shaped(op.data)) found.keys.push_back(op.data);
  if (reader.malformed() || !op.is_small_number()) return false;
  if (op.small_number() != found.keys.size()) return false;
  if (found.required_signatures > found.keys.size()) return false;
  return reader.position() + 1 == script.size();
}

bool match_condition_script(Bytes script, ConditionSupport support,
                            ConditionScript& found) noexcept {
  if (support == ConditionSupport::none) return false;
  ScriptReader reader{script};
  ScriptOp push;
  if (!reader.next(push)) return false;
  const bool is_mixed = support == ConditionSupport::tokel && is_mixed_mode(push.data);
  if (!push.is_direct_push() && !is_mixed) return false;
  ScriptOp check;
  if (!reader.next(check) || check.opcode != op_checkcryptocondition) return false;
  found = {push.data, script.first(reader.position())};
  return is_balanced_data(reader);
}

void classify_script(Bytes script, ConditionSupport support, ScriptTemplate& result) {
  while (skip_lock_time(script)) {
  }
  result.type = ScriptType::nonstandard;
  result.required_signatures = 0;
  result.destinations.clear();
  const auto pays_one = [&](ScriptType type, const Hash160& destination) {
    result.type = type;
    result.required_signatures = 1;
    result.destinations.push_back(destination);
  };

  if (const auto hash = match_scripthash(script)) {
    return pays_one(ScriptType::scripthash, hash_of(*hash));
  }
  if (!script.empty() && script[0] == op_return && is_push_only(script.subspan(1))) {
    result.type = ScriptType::nulldata;
    return;
  }
  if (ConditionScript found; match_condition_script(script, support, found)) {
    if (!is_acceptable(found.pushed, support)) return;
    return pays_one(ScriptType::cryptocondition, hash160(found.payment));
  }
  if (const auto key = match_pubkey(script)) return pays_one(ScriptType::pubkey, hash160(*key));
  if (const auto hash = match_pubkeyhash(script)) {
    return pays_one(ScriptType::pubkeyhash, hash_of(*hash));
  }
  if (MultisigScript found; match_multisig(script, found)) {
    result.type = ScriptType::multisig;
    result.required_signatures = found.required_signatures;
    for (const Bytes key : found.keys) result.destinations.push_back(hash160(key));
  }
}

}  // namespace antara
