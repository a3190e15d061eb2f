#include "signing.h"

#include <algorithm>

#include "bytes/hex.h"
#include "signing_call.h"
#include "verify/script_code.h"

namespace antara::addon {
namespace {

/// The input that the selector names, with the one script that came along as its scriptCode.
SignedInput selected_input(const SigningCall& call) {
  const Prevout& prevout = call.prevouts.front();
  return {call.selector, prevout.script_pubkey, prevout.value_sats};
}

/// Reports a failure at input `index`.
Napi::Value fail_input(const Napi::CallbackInfo& info, Error error, std::size_t index) {
  instance_of(info).words[2] = static_cast<std::uint32_t>(index);
  return fail(info, error);
}

}  // namespace

/// (hex or bytes, hex of the scriptCode; the call's words) -> hash of one input, as it is signed.
Napi::Value SignatureHash(const Napi::CallbackInfo& info) {
  const SigningCall call = read_signing_call(info, 1);
  if (call.has_failed) return info.Env().Undefined();
  SignatureHasher hasher(call.raw, instance_of(info).layout, call.branch_id);
  const Result<Hash256> hash = hasher.hash(selected_input(call), call.hash_type);
  return hash.ok() ? hex_value(info, hash.value()) : fail(info, hash.error());
}

/// (hex or bytes, hex of the scriptCode; the call's words) -> the bytes that SignatureHash hashes.
Napi::Value SignaturePreimage(const Napi::CallbackInfo& info) {
  const SigningCall call = read_signing_call(info, 1);
  if (call.has_failed) return info.Env().Undefined();
  Instance& instance = instance_of(info);
  instance.produced.clear();
  SignatureHasher hasher(call.raw, instance.layout, call.branch_id);
  const Error error =
      hasher.append_preimage(selected_input(call), call.hash_type, instance.produced);
  return error.failed() ? fail(info, error) : hex_value(info, instance.produced);
}

/// (hex or bytes, hex of all scriptPubKeys, how many; the call's words) -> the hashes of all
/// inputs, scriptCodes chosen by rule. On failure word 2 names the input.
Napi::Value SignatureHashes(const Napi::CallbackInfo& info) {
  const SigningCall call = read_whole_signing_call(info);
  if (call.has_failed) return info.Env().Undefined();
  Instance& instance = instance_of(info);
  const TxLayout& layout = instance.layout;
  SignatureHasher hasher(call.raw, layout, call.branch_id);
  std::vector<SignedInput> inputs;
  inputs.reserve(layout.inputs.size());
  std::vector<std::vector<std::uint8_t>> built;  // scriptCodes that no script holds
  std::vector<std::uint8_t> buffer;
  for (std::uint32_t index = 0; index < layout.inputs.size(); ++index) {
    const Prevout& prevout = call.prevouts[index];
    const Bytes script_sig = bytes_of(call.raw, layout.inputs[index].script_sig);
    const Result<Bytes> script_code = script_code_of(script_sig, prevout.script_pubkey, buffer);
    if (!script_code.ok()) return fail_input(info, script_code.error(), index);
    inputs.push_back({index, script_code.value(), prevout.value_sats});
    // The view stays good: the memory moves with its vector.
    if (!buffer.empty()) built.push_back(std::move(buffer));
    buffer.clear();
  }
  std::vector<Hash256> hashes;
  if (const Error error = hasher.hash_each(inputs, call.hash_type, hashes); error.failed()) {
    return fail_input(info, error, static_cast<std::uint32_t>(hashes.size()));
  }
  if (hashes.empty()) return hex_value(info, {});
  return hex_value(info, {hashes.front().data(), hashes.size() * sizeof(Hash256)});
}

}  // namespace antara::addon
