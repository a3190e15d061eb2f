#include "signing.h"

#include <cstring>
#include <optional>

#include "bytes/hex.h"
#include "instance.h"
#include "tx/parse.h"
#include "tx/sighash.h"

namespace antara::addon {
namespace {

// What comes in with a transaction that is signed or verified, from the first result word on.
// src/engine/words.ts names the same positions.
constexpr std::size_t hash_type_word = 0;
constexpr std::size_t branch_id_word = 1;
constexpr std::size_t has_branch_id_word = 2;  // else the branch follows from the version
constexpr std::size_t input_index_word = 3;
constexpr std::size_t prevouts_word = 4;

// Each previous output: its value, then how long its script is in the hex of all scripts.
constexpr std::size_t prevout_script_word = 2;
constexpr std::size_t prevout_words = 4;

std::int64_t value_at(std::span<const std::uint32_t> words, std::size_t position) noexcept {
  std::int64_t value;
  std::memcpy(&value, words.data() + position, sizeof value);
  return value;
}

/// A parsed source and the words that came with it. `failed` calls have reported why.
struct SigningCall {
  Source source;
  std::span<const std::uint32_t> words;
  std::uint32_t hash_type = 0;
  std::uint32_t branch_id = 0;
  bool failed = true;
};

SigningCall signing_call(const Napi::CallbackInfo& info, std::size_t prevouts) {
  Instance& instance = instance_of(info);
  SigningCall call;
  call.source = source_argument(info, 0);
  if (call.source.misused) return call;
  if (instance.words.size() < outcome_words + prevouts_word + prevout_words * prevouts) {
    misuse(info, "the scratch holds fewer words than the call needs");
    return call;
  }
  call.words = instance.words.subspan(outcome_words);
  Error error = call.source.error;
  if (!error.failed()) error = parse_transaction(call.source.raw, instance.layout);
  if (error.failed()) {
    fail(info, error);
    return call;
  }
  call.hash_type = call.words[hash_type_word];
  call.branch_id = call.words[has_branch_id_word] != 0 ? call.words[branch_id_word]
                                                       : default_branch_id(instance.layout);
  call.failed = false;
  return call;
}

/// The input named by the words, with the one script that came along as its scriptCode.
SignedInput signed_input(const SigningCall& call, Bytes script_code) {
  return {call.words[input_index_word], script_code, value_at(call.words, prevouts_word)};
}

Napi::Value hex_value(Instance& instance, Napi::Env env, Bytes bytes) {
  if (instance.text.size() < 2 * bytes.size()) instance.text.resize(2 * bytes.size());
  hex_from_bytes(bytes, instance.text.data());
  return text_value(env, {instance.text.data(), 2 * bytes.size()});
}

}  // namespace

/// (hex or bytes, hex of the scriptCode; the call's words) -> hash of one input, as it is signed.
Napi::Value SignatureHash(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source script = scripts_argument(info, 1);
  if (script.misused) return info.Env().Undefined();
  if (script.error.failed()) return fail(info, script.error);
  const SigningCall call = signing_call(info, 1);
  if (call.failed) return info.Env().Undefined();

  SignatureHasher hasher(call.source.raw, instance.layout, call.branch_id);
  const Result<Hash256> hash = hasher.hash(signed_input(call, script.raw), call.hash_type);
  if (!hash.ok()) return fail(info, hash.error());
  return hex_value(instance, info.Env(), hash.value());
}

/// (hex or bytes, hex of the scriptCode; the call's words) -> the bytes that SignatureHash hashes.
Napi::Value SignaturePreimage(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source script = scripts_argument(info, 1);
  if (script.misused) return info.Env().Undefined();
  if (script.error.failed()) return fail(info, script.error);
  const SigningCall call = signing_call(info, 1);
  if (call.failed) return info.Env().Undefined();

  instance.produced.clear();
  SignatureHasher hasher(call.source.raw, instance.layout, call.branch_id);
  const Error error = hasher.append_preimage(signed_input(call, script.raw), call.hash_type,
                                             instance.produced);
  if (error.failed()) return fail(info, error);
  return hex_value(instance, info.Env(), instance.produced);
}

}  // namespace antara::addon
