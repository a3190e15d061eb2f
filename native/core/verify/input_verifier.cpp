#include "verify/input_verifier.h"

#include <algorithm>
#include <array>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "cc/policy.h"
#include "hash/ripemd160.h"
#include "script/script_reader.h"
#include "verify/script_code.h"
#include "verify/signature.h"

namespace antara {
namespace {

/// No template takes more: a dummy, 16 signatures and a redeem script.
constexpr std::size_t pushes_max = 18;

/// komodo src/script/script.h, MAX_SCRIPT_ELEMENT_SIZE
constexpr std::size_t element_bytes_max = 520;

struct Pushes {
  std::array<Bytes, pushes_max> items;
  std::size_t count = 0;
  [[nodiscard]] std::span<const Bytes> view() const noexcept { return {items.data(), count}; }
};

/// source: komodo src/script/interpreter.cpp, CheckMinimalPush. A signature, a key or a script is
/// never a single byte, so the opcodes that push numbers have no part here.
bool is_shortest_push(const ScriptOp& op) noexcept {
  if (op.data.size() == 1) return op.data[0] > 16 && op.data[0] != 0x81;
  if (op.data.size() < op_pushdata1) return op.opcode == op.data.size();
  return op.opcode == (op.data.size() <= 0xff ? op_pushdata1 : op_pushdata2);
}

/// Returns false unless the scriptSig contains only pushes of data in their shortest form.
bool read_pushes(Bytes script_sig, Pushes& pushes) noexcept {
  ScriptReader reader{script_sig};
  ScriptOp op;
  while (reader.next(op)) {
    if (!op.is_data_push() || !is_shortest_push(op)) return false;
    if (op.data.size() > element_bytes_max || pushes.count == pushes_max) return false;
    pushes.items[pushes.count++] = op.data;
  }
  return !reader.malformed();
}

bool hashes_to(Bytes data, Bytes expected) noexcept {
  return std::ranges::equal(hash160(data), expected);
}

void note_hash_type(InputVerdict& verdict, std::uint8_t hash_type, bool is_first) noexcept {
  if (is_first) {
    verdict.hash_type = hash_type;
  } else if (verdict.hash_type != hash_type) {
    verdict.hash_type.reset();
  }
}

ConditionDialect dialect_of(ConditionSupport support) noexcept {
  return support == ConditionSupport::tokel ? ConditionDialect::tokel : ConditionDialect::komodo;
}

}  // namespace

InputVerifier::InputVerifier(const InputsToVerify& inputs) noexcept
    : inputs_(inputs), hasher_(inputs.raw, inputs.layout, inputs.branch_id) {}

InputVerdict InputVerifier::verify(std::uint32_t index) {
  const Input input{index, bytes_of(inputs_.raw, inputs_.layout.inputs[index].script_sig),
                    inputs_.prevouts[index]};
  const Bytes script = input.prevout.script_pubkey;
  InputVerdict verdict;
  verdict.first_key = static_cast<std::uint32_t>(keys_.size());

  if (ConditionScript found; match_condition_script(script, inputs_.conditions, found)) {
    verdict.type = ScriptType::cryptocondition;
    verdict.code = verify_condition(input, found, verdict);
  } else {
    ScriptTemplate classified;
    classify_script(script, inputs_.conditions, classified);
    verdict.type = classified.type;
    Pushes pushes;
    if (!read_pushes(input.script_sig, pushes)) {
      verdict.code = ErrorCode::script_sig_form;
    } else if (const auto hash = match_scripthash(script)) {
      verdict.code = verify_script_hash(input, *hash, pushes.view(), verdict);
    } else {
      verdict.code = verify_script(input, script, pushes.view(), verdict);
    }
  }
  if (verdict.code != ErrorCode::ok) keys_.resize(verdict.first_key);
  verdict.key_count = static_cast<std::uint32_t>(keys_.size() - verdict.first_key);
  return verdict;
}

ErrorCode InputVerifier::verify_script_hash(const Input& input, Bytes hash,
                                            std::span<const Bytes> pushes, InputVerdict& verdict) {
  if (pushes.empty()) return ErrorCode::signature_missing;
  const Bytes redeem_script = pushes.back();
  if (!hashes_to(redeem_script, hash)) return ErrorCode::script_hash_mismatch;
  return verify_script(input, redeem_script, pushes.first(pushes.size() - 1), verdict);
}

ErrorCode InputVerifier::verify_script(const Input& input, Bytes script,
                                       std::span<const Bytes> pushes, InputVerdict& verdict) {
  if (const auto key = match_pubkey(script)) {
    if (pushes.empty()) return ErrorCode::signature_missing;
    if (pushes.size() != 1) return ErrorCode::script_sig_form;
    const Result<SignedHash> read = read_signature(input, script, pushes[0], verdict);
    return read.ok() ? verify_key(read.value(), *key) : read.error().code;
  }
  if (const auto hash = match_pubkeyhash(script)) {
    if (pushes.empty()) return ErrorCode::signature_missing;
    if (pushes.size() != 2) return ErrorCode::script_sig_form;
    if (!hashes_to(pushes[1], *hash)) return ErrorCode::public_key_hash_mismatch;
    const Result<SignedHash> read = read_signature(input, script, pushes[0], verdict);
    return read.ok() ? verify_key(read.value(), pushes[1]) : read.error().code;
  }
  if (MultisigScript multisig; match_multisig(script, multisig)) {
    return verify_multisig(input, script, multisig, pushes, verdict);
  }
  return ErrorCode::unsupported_script;
}

/// Signatures are in the order of their keys, after an element that is ignored. As in the daemon,
/// the last signature and the last key are compared first, so a key is read only if no key after
/// it made the signature. A key that is no point of the curve made none.
/// source: komodo src/script/interpreter.cpp, EvalScript, OP_CHECKMULTISIG
ErrorCode InputVerifier::verify_multisig(const Input& input, Bytes script,
                                         const MultisigScript& multisig,
                                         std::span<const Bytes> pushes, InputVerdict& verdict) {
  if (pushes.empty()) return ErrorCode::signature_missing;
  if (!pushes.front().empty()) return ErrorCode::script_sig_form;
  const std::span<const Bytes> signatures = pushes.subspan(1);
  if (signatures.size() < multisig.required_signatures) return ErrorCode::signature_missing;
  if (signatures.size() > multisig.required_signatures) return ErrorCode::script_sig_form;

  std::size_t keys_left = multisig.keys.size();
  for (std::size_t left = signatures.size(); left > 0; --left) {
    const Result<SignedHash> read = read_signature(input, script, signatures[left - 1], verdict);
    if (!read.ok()) return read.error().code;
    ErrorCode code = ErrorCode::signature_mismatch;
    while (code == ErrorCode::signature_mismatch && keys_left >= left) {
      code = verify_key(read.value(), multisig.keys[--keys_left]);
      if (code == ErrorCode::public_key_off_curve) code = ErrorCode::signature_mismatch;
    }
    if (code != ErrorCode::ok) return code;
  }
  std::ranges::reverse(std::span{keys_}.subspan(verdict.first_key));
  return ErrorCode::ok;
}

/// Reads a DER signature with its hash type, and computes the hash that it should sign.
Result<InputVerifier::SignedHash> InputVerifier::read_signature(const Input& input,
                                                                Bytes script_code, Bytes signature,
                                                                InputVerdict& verdict) {
  if (signature.empty()) return Error{ErrorCode::signature_missing, 0};
  const std::uint8_t hash_type = signature.back();
  note_hash_type(verdict, hash_type, keys_.size() == verdict.first_key);
  SignedHash result;
  if (const Error error =
          read_der_signature(signature.first(signature.size() - 1), result.signature);
      error.failed()) {
    return error;
  }
  if (!is_defined_hash_type(hash_type)) return Error{ErrorCode::undefined_hash_type, 0};
  const Result<Hash256> hash = hash_of(input, script_code, hash_type);
  if (!hash.ok()) return hash.error();
  result.hash = hash.value();
  return result;
}

/// Verifies a signature, and adds its key to `keys_`.
ErrorCode InputVerifier::verify_key(const SignedHash& signed_hash, Bytes key) {
  if (const ErrorCode code = read_key(key); code != ErrorCode::ok) return code;
  if (!signature_matches(read_key_, signed_hash.signature, signed_hash.hash)) {
    return ErrorCode::signature_mismatch;
  }
  keys_.push_back(key);
  return ErrorCode::ok;
}

/// source: komodo src/script/interpreter.cpp, CheckCryptoCondition; src/cryptoconditions, cc_verify
ErrorCode InputVerifier::verify_condition(const Input& input, const ConditionScript& script,
                                          InputVerdict& verdict) {
  const Result<FulfillmentPush> push = read_fulfillment_push(input.script_sig);
  if (!push.ok()) return push.error().code;
  verdict.hash_type = push.value().hash_type;
  verdict.fulfillment = push.value().fulfillment;

  const Result<ConditionTree> tree = decode_fulfillment(push.value().fulfillment);
  if (!tree.ok()) return tree.error().code;
  if (!may_spend_with(tree.value(), dialect_of(inputs_.conditions))) {
    return ErrorCode::unsupported_condition;
  }
  const Result<std::vector<Condition>> conditions = conditions_of(tree.value());
  if (!conditions.ok()) return conditions.error().code;
  const Condition& condition = conditions.value().front();
  const Result<Condition> spent = condition_of_script(script);
  if (!spent.ok()) return spent.error().code;
  if (spent.value() != condition) return ErrorCode::condition_mismatch;

  script_code_.clear();
  write_condition_script(condition, script_code_);
  const Result<Hash256> hash = hash_of(input, script_code_, push.value().hash_type);
  if (!hash.ok()) return hash.error().code;

  bool has_ed25519 = false;
  for (const ConditionNode& node : tree.value().nodes) {
    if (node.is_condition) continue;
    const KeyKind key = row_of(node.type).key;
    if (key == KeyKind::ed25519) has_ed25519 = true;
    if (key != KeyKind::secp256k1) continue;
    SignedHash signed_hash{{}, hash.value()};
    if (const Error error = read_compact_signature(bytes_of(tree.value().data, *node.signature),
                                                   signed_hash.signature);
        error.failed()) {
      return error.code;
    }
    const ErrorCode code = verify_key(signed_hash, bytes_of(tree.value().data, *node.value));
    if (code != ErrorCode::ok) return code;
  }
  return has_ed25519 ? ErrorCode::ed25519_not_checked : ErrorCode::ok;
}

ErrorCode InputVerifier::read_key(Bytes encoded) {
  if (!encoded.empty() && std::ranges::equal(encoded, read_key_encoded_)) return ErrorCode::ok;
  read_key_encoded_ = {};
  const Error error = read_public_key(encoded, read_key_);
  if (!error.failed()) read_key_encoded_ = encoded;
  return error.code;
}

Result<Hash256> InputVerifier::hash_of(const Input& input, Bytes script_code,
                                       std::uint8_t hash_type) {
  return hasher_.hash({input.index, script_code, input.prevout.value_sats}, hash_type);
}

}  // namespace antara
