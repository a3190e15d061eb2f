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
  instance.words_owner = Napi::Persistent(info[0].As<Napi::Object>());
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
void add(Napi::Object& exports, const char* name) {
  const Napi::Env env = exports.Env();
  exports.Set(name, Napi::Function::New<callback>(env, name, env.GetInstanceData<Instance>()));
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Instance);  // the environment owns and deletes it
  exports.Set("abi", Napi::Number::New(env, abi_version));
  exports.Set("secp256k1", Napi::String::New(env, Curve::implementation()));
  add<RegisterScratch>(exports, "registerScratch");
  add<AddCoins>(exports, "addCoins");
  add<CheckPublicKey>(exports, "checkPublicKey");
  add<CreateCoinIndex>(exports, "createCoinIndex");
  add<DecodeCondition>(exports, "decodeCondition");
  add<DecodeFulfillment>(exports, "decodeFulfillment");
  add<DecodeTransaction>(exports, "decodeTransaction");
  add<DecodeTransactions>(exports, "decodeTransactions");
  add<DescribeScripts>(exports, "describeScripts");
  add<EngineFeatures>(exports, "engineFeatures");
  add<EncodeCondition>(exports, "encodeCondition");
  add<EncodeFulfillment>(exports, "encodeFulfillment");
  add<EncodeTransaction>(exports, "encodeTransaction");
  add<FreeCoinIndex>(exports, "freeCoinIndex");
  add<HashOfAddress>(exports, "hash160");
  add<LeadingTransactionBytes>(exports, "leadingTransactionBytes");
  add<MatchConditionScript>(exports, "matchConditionScript");
  add<ReadFulfillmentPush>(exports, "readFulfillmentPush");
  add<RemoveCoins>(exports, "removeCoins");
  add<SelectCoins>(exports, "selectCoins");
  add<SelectIndexed>(exports, "selectIndexed");
  add<SelectTransfer>(exports, "selectTransfer");
  add<SignatureHash>(exports, "signatureHash");
  add<SignatureHashes>(exports, "signatureHashes");
  add<SignaturePreimage>(exports, "signaturePreimage");
  add<SplitScript>(exports, "splitScript");
  add<TakePicked>(exports, "takePicked");
  add<TransactionId>(exports, "transactionId");
  add<TransactionIds>(exports, "transactionIds");
  add<VerifyInputs>(exports, "verifyInputs");
  add<VerifyInputsAsync>(exports, "verifyInputsAsync");
  add<VerifySignature>(exports, "verifySignature");
  return exports;
}

}  // namespace

NODE_API_MODULE(antara_tx, initialize)

}  // namespace antara::addon
