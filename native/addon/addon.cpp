#include <napi.h>

#include <string>

#include "arguments.h"
#include "base/cpu.h"
#include "condition.h"
#include "instance.h"
#include "script.h"
#include "selection.h"
#include "signing.h"
#include "transaction.h"
#include "verification.h"
#include "verify/curve.h"

namespace antara::addon {
namespace {

/// Grows with every change to the words or the functions; src/engine refuses any other.
constexpr double abi_version = 1;

/// (Uint32Array) -> undefined. Later calls write their results to it.
Napi::Value RegisterScratch(const Napi::CallbackInfo& info) {
  const auto words = words_argument(info, 0);
  if (!words) return info.Env().Undefined();
  if (words->size() < outcome_words) return misuse(info, "the scratch is too small");
  Instance& instance = instance_of(info);
  instance.words = *words;
  instance.words_memory = Napi::Persistent(info[0].As<Napi::Uint32Array>().ArrayBuffer());
  return info.Env().Undefined();
}

/// () -> names of what this build makes use of on this CPU, separated by commas.
Napi::Value EngineFeatures(const Napi::CallbackInfo& info) {
  std::string names;
  const auto add_name = [&](const char* name) {
    if (!names.empty()) names += ',';
    names += name;
  };
  if (cpu_has_avx2()) add_name("avx2");
  if (cpu_has_sha_ni()) add_name("sha-ni");
  if (names.empty()) add_name("portable");
  add_name((std::string{"libsecp256k1 ("} + Curve::implementation() + ")").c_str());
  return Napi::String::New(info.Env(), names);
}

template <Napi::Value (*callback)(const Napi::CallbackInfo&)>
Napi::Value with_scratch(const Napi::CallbackInfo& info) {
  if (!has_scratch(info.Env(), instance_of(info))) return misuse(info, "there is no scratch");
  return callback(info);
}

template <Napi::Value (*callback)(const Napi::CallbackInfo&)>
void add(Napi::Object& exports, const char* name) {
  const Napi::Env env = exports.Env();
  exports.Set(name, Napi::Function::New<callback>(env, name, env.GetInstanceData<Instance>()));
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Instance);  // the environment owns and deletes it
  exports.Set("abi", Napi::Number::New(env, abi_version));
  exports.Set("secp256k1", Napi::String::New(env, Curve::implementation()));
  add<RegisterScratch>(exports, "registerScratch");
  add<with_scratch<AddCoins>>(exports, "addCoins");
  add<with_scratch<CheckPublicKey>>(exports, "checkPublicKey");
  add<with_scratch<CreateCoinIndex>>(exports, "createCoinIndex");
  add<with_scratch<DecodeCondition>>(exports, "decodeCondition");
  add<with_scratch<DecodeFulfillment>>(exports, "decodeFulfillment");
  add<with_scratch<DecodeTransaction>>(exports, "decodeTransaction");
  add<with_scratch<DecodeTransactions>>(exports, "decodeTransactions");
  add<with_scratch<DescribeScripts>>(exports, "describeScripts");
  add<with_scratch<EngineFeatures>>(exports, "engineFeatures");
  add<with_scratch<EncodeCondition>>(exports, "encodeCondition");
  add<with_scratch<EncodeFulfillment>>(exports, "encodeFulfillment");
  add<with_scratch<EncodeTransaction>>(exports, "encodeTransaction");
  add<with_scratch<FreeCoinIndex>>(exports, "freeCoinIndex");
  add<with_scratch<HashOfAddress>>(exports, "hash160");
  add<with_scratch<LeadingTransactionBytes>>(exports, "leadingTransactionBytes");
  add<with_scratch<MatchConditionScript>>(exports, "matchConditionScript");
  add<with_scratch<ReadFulfillmentPush>>(exports, "readFulfillmentPush");
  add<with_scratch<RemoveCoins>>(exports, "removeCoins");
  add<with_scratch<SelectCoins>>(exports, "selectCoins");
  add<with_scratch<SelectIndexed>>(exports, "selectIndexed");
  add<with_scratch<SelectTransfer>>(exports, "selectTransfer");
  add<with_scratch<SignatureHash>>(exports, "signatureHash");
  add<with_scratch<SignatureHashes>>(exports, "signatureHashes");
  add<with_scratch<SignaturePreimage>>(exports, "signaturePreimage");
  add<with_scratch<SplitScript>>(exports, "splitScript");
  add<with_scratch<TakePicked>>(exports, "takePicked");
  add<with_scratch<TransactionId>>(exports, "transactionId");
  add<with_scratch<TransactionIds>>(exports, "transactionIds");
  add<with_scratch<VerifyInputs>>(exports, "verifyInputs");
  add<with_scratch<VerifyInputsAsync>>(exports, "verifyInputsAsync");
  add<with_scratch<VerifySignature>>(exports, "verifySignature");
  return exports;
}

}  // namespace

NODE_API_MODULE(antara_tx, initialize)

}  // namespace antara::addon
