#pragma once

#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "cc/condition.h"
#include "script/templates.h"

namespace antara {

/// komodo src/script/cc.h, MAX_SCRIPT_CRYPTOCONDITION_FULFILLMENT_SIZE: fulfillment and hash type.
inline constexpr std::size_t fulfillment_push_bytes_max = 2048;

/// The contents of the scriptSig of a condition's input.
struct FulfillmentPush {
  Bytes fulfillment;
  std::uint8_t hash_type = 0;
};

/// Reads the one push of a condition's scriptSig; every push opcode of sufficient size is accepted.
/// errors  signature_missing for an empty scriptSig, script_sig_form, fulfillment_over_limit
/// source  komodo src/script/interpreter.cpp, EvalCryptoConditionSig
[[nodiscard]] Result<FulfillmentPush> read_fulfillment_push(Bytes script_sig) noexcept;

/// Returns the condition that a script pushes; for Tokel's 'M' and 'N', the condition of the tree.
/// errors: those of decode_condition, decode_fulfillment and conditions_of
[[nodiscard]] Result<Condition> condition_of_script(const ConditionScript& script);

/// Writes `push(condition) OP_CHECKCRYPTOCONDITION`, to which signatures of a condition's input
/// commit, whatever the output's form.
/// source: komodo src/script/cc.cpp, CCPubKey
void write_condition_script(const Condition& condition, std::vector<std::uint8_t>& output);

/// Returns the script to which signatures of an input commit: the redeem script in the scriptSig,
/// the condition's script, or else the output's own.
/// errors    redeem_script_missing
/// lifetime  the result views `script_sig`, `script_pubkey` or `buffer`
/// Conditions are recognised in all forms that any chain has. Where the scriptSig holds no
/// fulfillment yet, the condition is the output's.
[[nodiscard]] Result<Bytes> script_code_of(Bytes script_sig, Bytes script_pubkey,
                                           std::vector<std::uint8_t>& buffer);

}  // namespace antara
