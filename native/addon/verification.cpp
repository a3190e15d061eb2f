#include "verification.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "arguments.h"
#include "bytes/hex.h"
#include "signing_call.h"
#include "verify/signature.h"

namespace antara::addon {
namespace {

// Words of each verdict: error code, script type, hash type, number of keys, and where in the raw
// transaction the fulfillment is. src/engine/words.ts names the same positions.
constexpr std::size_t verdict_words = 6;
constexpr std::uint32_t no_hash_type = 0x100;

/// Below this many inputs to a thread, starting it costs more than it saves.
constexpr std::size_t inputs_per_part_min = 4;

/// libuv's pool has 4 threads unless told otherwise; other users want some as well.
constexpr std::size_t parts_max = 4;

std::optional<ConditionSupport> condition_support(std::uint32_t number) noexcept {
  if (number > static_cast<std::uint32_t>(ConditionSupport::tokel)) return std::nullopt;
  return static_cast<ConditionSupport>(number);
}

void write_verdict(const InputVerdict& verdict, Bytes raw, std::uint32_t* words) noexcept {
  words[0] = static_cast<std::uint32_t>(verdict.code);
  words[1] = static_cast<std::uint32_t>(verdict.type);
  words[2] = verdict.hash_type ? *verdict.hash_type : no_hash_type;
  words[3] = verdict.key_count;
  words[4] = verdict.fulfillment.empty()
                 ? 0
                 : static_cast<std::uint32_t>(verdict.fulfillment.data() - raw.data());
  words[5] = static_cast<std::uint32_t>(verdict.fulfillment.size());
}

void append_hex(Bytes bytes, std::string& text) {
  const std::size_t start = text.size();
  text.resize(start + 2 * bytes.size());
  hex_from_bytes(bytes, text.data() + start);
}

/// Verifies inputs `first` to `end`: their verdicts to `words`, the keys' hex to the result.
std::string verify_range(const Curve& curve, const InputsToVerify& inputs, std::size_t first,
                         std::size_t end, std::uint32_t* words) {
  InputVerifier verifier(curve, inputs);
  for (std::size_t index = first; index < end; ++index) {
    const InputVerdict verdict = verifier.verify(static_cast<std::uint32_t>(index));
    write_verdict(verdict, inputs.raw, words + verdict_words * (index - first));
  }
  std::string keys;
  for (const Bytes key : verifier.keys()) append_hex(key, keys);
  return keys;
}

/// Everything that verification away from the main thread reads and writes: nothing of it belongs
/// to JavaScript.
struct Job {
  std::shared_ptr<const Curve> curve;
  std::vector<std::uint8_t> raw;
  std::vector<std::uint8_t> scripts;
  TxLayout layout;
  std::vector<Prevout> prevouts;
  std::uint32_t branch_id = 0;
  ConditionSupport conditions = ConditionSupport::none;

  std::vector<std::uint32_t> words;
  std::vector<std::string> keys;  // of each part
  std::size_t parts_left = 0;     // touched on the main thread only
  napi_env env;
  napi_ref result_words = nullptr;
  napi_deferred deferred = nullptr;

  explicit Job(napi_env environment) noexcept : env(environment) {}
  ~Job() { napi_delete_reference(env, result_words); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] InputsToVerify inputs() const noexcept {
    return {raw, layout, prevouts, branch_id, conditions};
  }
};

/// One part of a job: a range of inputs, on a thread of the pool.
class Part : public Napi::AsyncWorker {
 public:
  Part(Napi::Env env, std::shared_ptr<Job> job, std::size_t index, std::size_t first,
       std::size_t end)
      : Napi::AsyncWorker(env), job_(std::move(job)), index_(index), first_(first), end_(end) {}

  void Execute() override {
    job_->keys[index_] = verify_range(*job_->curve, job_->inputs(), first_, end_,
                                      job_->words.data() + verdict_words * first_);
  }

  void OnOK() override {
    if (--job_->parts_left == 0) settle();
  }

 private:
  /// Raw calls, their outcomes ignored: they fail when a worker ends before its promise is settled,
  /// and then nobody waits for it.
  void settle() {
    const napi_env env = Env();
    napi_value words = nullptr;
    napi_get_reference_value(env, job_->result_words, &words);
    void* memory = nullptr;
    std::size_t count = 0;
    if (words == nullptr || napi_get_typedarray_info(env, words, nullptr, &count, &memory, nullptr,
                                                     nullptr) != napi_ok) {
      return;
    }
    std::copy_n(job_->words.begin(), std::min(count, job_->words.size()),
                static_cast<std::uint32_t*>(memory));
    std::string keys;
    for (const std::string& part : job_->keys) keys += part;
    napi_value text = nullptr;
    napi_create_string_latin1(env, keys.data(), keys.size(), &text);
    if (text != nullptr) napi_resolve_deferred(env, job_->deferred, text);
  }

  std::shared_ptr<Job> job_;
  std::size_t index_;
  std::size_t first_;
  std::size_t end_;
};

/// Copies what the call read, so that nothing changes under the threads.
std::shared_ptr<Job> job_of(const Napi::CallbackInfo& info, const SigningCall& call,
                            ConditionSupport conditions) {
  Instance& instance = instance_of(info);
  auto job = std::make_shared<Job>(info.Env());
  job->curve = curve_of(instance);
  job->raw.assign(call.raw.begin(), call.raw.end());
  job->layout = instance.layout;
  for (const Prevout& prevout : call.prevouts) {
    job->scripts.insert(job->scripts.end(), prevout.script_pubkey.begin(),
                        prevout.script_pubkey.end());
  }
  std::size_t script_start = 0;
  for (const Prevout& prevout : call.prevouts) {
    const std::size_t bytes = prevout.script_pubkey.size();
    job->prevouts.push_back({prevout.value_sats, Bytes{job->scripts}.subspan(script_start, bytes)});
    script_start += bytes;
  }
  job->branch_id = call.branch_id;
  job->conditions = conditions;
  job->words.resize(verdict_words * call.prevouts.size());
  return job;
}

}  // namespace

/// (hex or bytes, hex of all scriptPubKeys, how many; the call's words, the selector being the
/// condition support) -> hex of the keys that signed, input by input. Words: outcome, then
/// `verdict_words` for each input.
Napi::Value VerifyInputs(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const SigningCall call = read_whole_signing_call(info);
  if (call.has_failed) return info.Env().Undefined();
  const auto conditions = condition_support(call.selector);
  if (!conditions) return misuse(info, "unknown condition support");
  const std::size_t count = call.prevouts.size();
  if (!has_words(instance, outcome_words + verdict_words * count)) return info.Env().Undefined();

  const InputsToVerify inputs{call.raw, instance.layout, call.prevouts, call.branch_id,
                              *conditions};
  const std::string keys =
      verify_range(*curve_of(instance), inputs, 0, count, instance.words.data() + outcome_words);
  return text_value(info.Env(), keys);
}

/// As VerifyInputs, on the thread pool: argument 3 is a Uint32Array for the verdicts, filled when
/// the promise that this returns resolves. Everything is copied before this returns.
Napi::Value VerifyInputsAsync(const Napi::CallbackInfo& info) {
  const SigningCall call = read_whole_signing_call(info);
  if (call.has_failed) return info.Env().Undefined();
  const auto conditions = condition_support(call.selector);
  if (!conditions) return misuse(info, "unknown condition support");
  const std::size_t count = call.prevouts.size();
  const auto result = words_argument(info, 3);
  if (!result) return info.Env().Undefined();
  if (result->size() != verdict_words * count) return misuse(info, "wrong number of words");

  const std::shared_ptr<Job> job = job_of(info, call, *conditions);
  napi_value promise = nullptr;
  napi_create_promise(info.Env(), &job->deferred, &promise);
  napi_create_reference(info.Env(), info[3], 1, &job->result_words);
  const std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, parts_max);
  const std::size_t parts = std::clamp<std::size_t>(count / inputs_per_part_min, 1, threads);
  job->keys.resize(parts);
  job->parts_left = parts;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = count * part / parts;
    const std::size_t end = count * (part + 1) / parts;
    (new Part(info.Env(), job, part, first, end))->Queue();  // deletes itself when it is done
  }
  return {info.Env(), promise};
}

/// (hex of hash, key and signature, digits of the key, whether the signature is DER) -> the number
/// of the error, 0 for a signature that verifies.
Napi::Value VerifySignature(const Napi::CallbackInfo& info) {
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const auto key_digits = count_argument(info, 1);
  if (!key_digits) return info.Env().Undefined();
  const std::size_t key_bytes = *key_digits / 2;
  Hash256 hash;
  if (source.raw.size() < hash.size() + key_bytes) return misuse(info, "lengths exceed the text");
  std::copy_n(source.raw.begin(), hash.size(), hash.begin());
  const Bytes encoded_key = source.raw.subspan(hash.size(), key_bytes);
  const Bytes encoded = source.raw.subspan(hash.size() + key_bytes);

  const std::shared_ptr<const Curve> curve = curve_of(instance_of(info));
  CompactSignature signature;
  PublicKey key;
  Error error = info[2].ToBoolean() ? read_der_signature(encoded, signature)
                                    : read_compact_signature(encoded, signature);
  if (!error.failed()) error = curve->read_public_key(encoded_key, key);
  if (!error.failed() && !curve->verify(key, signature, hash)) {
    error.code = ErrorCode::signature_mismatch;
  }
  return Napi::Number::New(info.Env(), static_cast<double>(error.code));
}

/// (hex of a public key) -> the number of the error, 0 for a point of the curve.
Napi::Value CheckPublicKey(const Napi::CallbackInfo& info) {
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  PublicKey key;
  const Error error = curve_of(instance_of(info))->read_public_key(source.raw, key);
  return Napi::Number::New(info.Env(), static_cast<double>(error.code));
}

}  // namespace antara::addon
