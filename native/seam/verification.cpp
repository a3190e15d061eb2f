#include "seam/verification.h"

#include <algorithm>

#include "hash/ripemd160.h"
#include "seam/functions.h"
#include "seam/support.h"
#include "verify/recovery.h"
#include "verify/signature.h"

namespace antara::seam {
namespace {

constexpr std::size_t verdict_words = sizeof(VerdictWords) / 4;

/// With fewer inputs per thread, starting a thread costs more than it saves.
constexpr std::size_t inputs_per_part_min = 4;
/// Inputs that a part takes at a time. They are few, so that a slow or late thread takes fewer in
/// total.
constexpr std::size_t inputs_per_turn = 2;

VerdictWords words_of(const InputVerdict& verdict, Bytes raw) noexcept {
  const Slice fulfillment = slice_of(raw, verdict.fulfillment);
  return {
      .code = static_cast<std::uint32_t>(verdict.code),
      .script_type = static_cast<std::uint32_t>(verdict.type),
      .hash_type = verdict.hash_type ? *verdict.hash_type : no_hash_type,
      .keys = verdict.key_count,
      .fulfillment_offset = fulfillment.offset,
      .fulfillment_length = fulfillment.length,
  };
}

/// Verifies inputs `first` to `end`, writes their verdicts to `words`, and returns the hex of their
/// keys.
std::string verify_range(InputVerifier& verifier, Bytes raw, std::size_t first, std::size_t end,
                         std::span<std::uint32_t> words) {
  const std::size_t keys_before = verifier.keys().size();
  for (std::size_t index = first; index < end; ++index) {
    const InputVerdict verdict = verifier.verify(static_cast<std::uint32_t>(index));
    words = Call::put(words, words_of(verdict, raw));
  }
  std::string keys;
  for (const Bytes key : std::span{verifier.keys()}.subspan(keys_before)) append_hex(key, keys);
  return keys;
}

struct Verification {
  SigningCall signing;
  ConditionSupport conditions = ConditionSupport::none;
};

Outcome read_verification(Call& call, Verification& verification) {
  SigningCall& signing = verification.signing;
  const Outcome refused = read_signing_call(call, Prevouts::of_each_input, signing);
  if (refused.failed()) return refused;
  const auto conditions = condition_support(signing.selector);
  if (!conditions) return ArgumentError::unknown_condition_support;
  verification.conditions = *conditions;
  return {};
}

}  // namespace

VerificationJob::VerificationJob(const SigningCall& signing, const TxLayout& layout,
                                 ConditionSupport conditions)
    : raw_(signing.raw.begin(), signing.raw.end()),
      layout_(layout),
      prevouts_(signing.prevouts),
      branch_id_(signing.branch_id),
      conditions_(conditions),
      words_(verdict_words * signing.prevouts.size()),
      keys_((signing.prevouts.size() + inputs_per_turn - 1) / inputs_per_turn) {
  for (const Prevout& prevout : prevouts_) {
    scripts_.insert(scripts_.end(), prevout.script_pubkey.begin(), prevout.script_pubkey.end());
  }
  // Until a part has verified an input, the input is not valid.
  InputVerdict unverified;
  unverified.code = ErrorCode::internal_error;
  std::span<std::uint32_t> words = words_;
  for (std::size_t index = 0; index < prevouts_.size(); ++index) {
    words = Call::put(words, words_of(unverified, {}));
  }
  Bytes rest = scripts_;
  for (Prevout& prevout : prevouts_) {
    prevout.script_pubkey = rest.first(prevout.script_pubkey.size());
    rest = rest.subspan(prevout.script_pubkey.size());
  }
}

std::size_t VerificationJob::parts(std::size_t threads_max) const noexcept {
  return std::clamp<std::size_t>(prevouts_.size() / inputs_per_part_min, 1,
                                 std::max<std::size_t>(threads_max, 1));
}

void VerificationJob::run_part() {
  const std::size_t count = prevouts_.size();
  InputVerifier verifier({raw_, layout_, prevouts_, branch_id_, conditions_});
  for (std::size_t turn = next_turn_++; turn < keys_.size(); turn = next_turn_++) {
    const std::size_t first = inputs_per_turn * turn;
    const std::size_t end = std::min(first + inputs_per_turn, count);
    const std::span words = std::span{words_}.subspan(verdict_words * first);
    keys_[turn] = verify_range(verifier, raw_, first, end, words);
  }
}

void VerificationJob::answer(Call& call) const {
  std::copy(words_.begin(), words_.end(), call.answer_words(words_.size()).begin());
  std::string keys;
  for (const std::string& turn : keys_) keys += turn;
  call.answer_text(keys);
}

Outcome verify_inputs(Call& call) {
  Verification verification;
  if (const Outcome refused = read_verification(call, verification); refused.failed()) {
    return refused;
  }
  const SigningCall& signing = verification.signing;
  State& state = call.state();
  const std::size_t count = signing.prevouts.size();
  const InputsToVerify inputs{signing.raw, state.layout, signing.prevouts, signing.branch_id,
                              verification.conditions};
  InputVerifier verifier(inputs);
  const std::span words = call.answer_words(verdict_words * count);
  call.answer_text(verify_range(verifier, signing.raw, 0, count, words));
  return {};
}

Outcome start_verification(Call& call) {
  Verification verification;
  if (const Outcome refused = read_verification(call, verification); refused.failed()) {
    return refused;
  }
  State& state = call.state();
  call.made_job = std::make_shared<VerificationJob>(verification.signing, state.layout,
                                                    verification.conditions);
  return {};
}

Outcome take_verification(Call& call) {
  call.finished_job->answer(call);
  return {};
}

Outcome verify_signature(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto head = call.head<SignatureWords>();
  const Bytes raw = source.value().raw;
  Hash256 hash;
  if (raw.size() < hash.size() || raw.size() - hash.size() < head.key_bytes) {
    return ArgumentError::words_beyond_text;
  }
  std::copy_n(raw.begin(), hash.size(), hash.begin());
  const Bytes encoded_key = raw.subspan(hash.size(), head.key_bytes);
  const Bytes encoded = raw.subspan(hash.size() + head.key_bytes);

  CompactSignature signature;
  PublicKey key;
  Error error = head.is_der != 0 ? read_der_signature(encoded, signature)
                                 : read_compact_signature(encoded, signature);
  if (!error.failed()) error = read_public_key(encoded_key, key);
  if (!error.failed() && !signature_matches(key, signature, hash)) {
    error.code = ErrorCode::signature_mismatch;
  }
  call.answer_record(FindingWords{static_cast<std::uint32_t>(error.code)});
  return {};
}

Outcome recover_public_key(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto head = call.head<RecoveryWords>();
  if (head.number >= recovery_numbers) return ArgumentError::unknown_recovery;
  const Bytes raw = source.value().raw;
  Hash256 hash;
  CompactSignature signature;
  if (raw.size() != hash.size() + signature.size()) return ArgumentError::words_beyond_text;
  std::copy_n(raw.begin(), hash.size(), hash.begin());
  std::copy_n(raw.begin() + hash.size(), signature.size(), signature.begin());
  RecoveredKey key;
  if (antara::recover_public_key(signature, head.number, hash, key)) call.answer_hex(key);
  return {};
}

Outcome read_public_keys(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes raw = source.value().raw;
  constexpr std::size_t key_bytes = 33;
  if (raw.size() % key_bytes != 0) return ArgumentError::words_beyond_text;
  std::span<std::uint32_t> words = call.answer_words(raw.size() / key_bytes);
  std::string hashes;
  for (std::size_t at = 0; at < raw.size(); at += key_bytes) {
    const Bytes encoded = raw.subspan(at, key_bytes);
    PublicKey key;
    const Error error = read_public_key(encoded, key);
    words = Call::put(words, PublicKeyWords{static_cast<std::uint32_t>(error.code)});
    append_hex(antara::hash160(encoded), hashes);
  }
  call.answer_text(hashes);
  return {};
}

}  // namespace antara::seam
