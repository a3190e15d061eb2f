#include "selection.h"

#include <cstring>
#include <memory>
#include <optional>

#include "arguments.h"
#include "instance.h"
#include "select/select_coins.h"
#include "select/select_tokens.h"

namespace antara::addon {
namespace {

// Positions in the scratch; src/engine/words.ts names the same. 64-bit values are given by the
// first of their two words.
constexpr std::size_t target_word = 4;
constexpr std::size_t fee_rate_word = 6;
constexpr std::size_t long_term_word = 8;
constexpr std::size_t fixed_fee_word = 10;
constexpr std::size_t spend_word = 12;
constexpr std::size_t change_min_word = 14;
constexpr std::size_t base_bytes_word = 16;
constexpr std::size_t change_bytes_word = 17;
constexpr std::size_t fee_is_fixed_word = 18;
constexpr std::size_t inputs_max_word = 19;
constexpr std::size_t bytes_max_word = 20;
constexpr std::size_t token_change_bytes_word = 21;
constexpr std::size_t token_inputs_max_word = 22;
constexpr std::size_t sweep_word = 23;
constexpr std::size_t terms_words = 24;

constexpr std::size_t failure_word = 2;
constexpr std::size_t picked_word = 3;
constexpr std::size_t available_word = 4;
constexpr std::size_t ways_word = 6;
constexpr std::size_t ways_base = 8;
constexpr std::size_t way_words = 10;

constexpr std::size_t coins_word = 6;
constexpr std::size_t steps_word = 7;
constexpr std::size_t token_change_word = 8;
constexpr std::size_t change_word = 10;
constexpr std::size_t fee_word = 12;
constexpr std::size_t bytes_word = 14;
constexpr std::size_t steps_base = 16;
constexpr std::size_t step_words = 8;

constexpr std::size_t index_size_word = 2;
constexpr std::size_t index_total_word = 4;
constexpr std::size_t index_words = 6;

/// The coins were taken from here when `words[2]` of a failed transfer holds it.
constexpr std::uint32_t from_tokens = 0;
constexpr std::uint32_t from_coins = 1;

std::int64_t value_at(std::span<const std::uint32_t> words, std::size_t word) {
  std::int64_t value = 0;
  std::memcpy(&value, &words[word], sizeof value);
  return value;
}

void put_value(std::span<std::uint32_t> words, std::size_t word, std::int64_t value) {
  std::memcpy(&words[word], &value, sizeof value);
}

/// A limit, where the largest word means that there is none.
std::size_t limit(std::uint32_t word) { return word == UINT32_MAX ? SIZE_MAX : word; }

std::optional<std::int64_t> fixed_fee(std::span<const std::uint32_t> words) {
  if (words[fee_is_fixed_word] == 0) return std::nullopt;
  return value_at(words, fixed_fee_word);
}

/// What payments and transfers have in common.
template <typename Terms>
Terms shared_terms(std::span<const std::uint32_t> words) {
  Terms terms;
  terms.fee_rate = {value_at(words, fee_rate_word)};
  terms.fixed_fee_sats = fixed_fee(words);
  terms.change_spend_sats = value_at(words, spend_word);
  terms.change_min_sats = value_at(words, change_min_word);
  terms.base_bytes = words[base_bytes_word];
  terms.change_bytes = words[change_bytes_word];
  terms.inputs_max = limit(words[inputs_max_word]);
  terms.bytes_max = limit(words[bytes_max_word]);
  return terms;
}

PaymentTerms payment_terms(std::span<const std::uint32_t> words) {
  auto terms = shared_terms<PaymentTerms>(words);
  terms.target_sats = value_at(words, target_word);
  terms.long_term_rate = {value_at(words, long_term_word)};
  return terms;
}

TransferTerms transfer_terms(std::span<const std::uint32_t> words) {
  auto terms = shared_terms<TransferTerms>(words);
  terms.amount = value_at(words, target_word);
  terms.token_change_bytes = words[token_change_bytes_word];
  terms.token_inputs_max = limit(words[token_inputs_max_word]);
  terms.sweep = words[sweep_word];
  return terms;
}

struct CoinArrays {
  std::span<const std::int64_t> values;
  InputBytes bytes;
};

/// A BigInt64Array at `index` and the sizes after it: one number, or a Uint32Array as long.
std::optional<CoinArrays> coins_argument(const Napi::CallbackInfo& info, std::size_t index) {
  const auto values = amounts_argument(info, index);
  if (!values) return std::nullopt;
  if (values->size() > UINT32_MAX) {
    misuse(info, "there are more coins than 32 bits can number");
    return std::nullopt;
  }
  CoinArrays coins{.values = *values, .bytes = {}};
  if (info[index + 1].IsNumber()) {
    coins.bytes.same = info[index + 1].As<Napi::Number>().Uint32Value();
    return coins;
  }
  const auto sizes = numbers_argument(info, index + 1);
  if (!sizes) return std::nullopt;
  if (sizes->size() != values->size()) {
    misuse(info, "there are not as many sizes as values");
    return std::nullopt;
  }
  coins.bytes.each = *sizes;
  return coins;
}

/// An index, and what the garbage collector was told that it holds.
struct KeptIndex {
  CoinIndex index;
  std::int64_t accounted_bytes = 0;
};

KeptIndex* index_argument(const Napi::CallbackInfo& info) {
  if (info[0].IsExternal()) return info[0].As<Napi::External<KeptIndex>>().Data();
  misuse(info, "expected an index");
  return nullptr;
}

void account_for(Napi::Env env, KeptIndex& kept) {
  const auto held = static_cast<std::int64_t>(kept.index.memory_bytes());
  Napi::MemoryManagement::AdjustExternalMemory(env, held - kept.accounted_bytes);
  kept.accounted_bytes = held;
}

/// Writes how many coins an index holds and what they are worth.
bool report_size(const Napi::CallbackInfo& info, const CoinIndex& index) {
  Instance& instance = instance_of(info);
  if (!has_words(instance, index_words)) return false;
  instance.words[index_size_word] = static_cast<std::uint32_t>(index.size());
  put_value(instance.words, index_total_word, index.total());
  return true;
}

/// Writes the outcome of a selection, and keeps what it picked to be taken.
Napi::Value report(const Napi::CallbackInfo& info, const CoinSelection& selection) {
  Instance& instance = instance_of(info);
  const std::size_t ways = selection.considered.size();
  if (!has_words(instance, ways_base + ways * way_words)) return info.Env().Undefined();
  const std::span<std::uint32_t> words = instance.words;
  instance.picked = selection.picked;
  words[failure_word] = static_cast<std::uint32_t>(selection.failure);
  words[picked_word] = static_cast<std::uint32_t>(selection.picked.size());
  put_value(words, available_word, selection.available_sats);
  words[ways_word] = static_cast<std::uint32_t>(ways);
  for (std::size_t at = 0; at < ways; ++at) {
    const Alternative& way = selection.considered[at];
    const std::span<std::uint32_t> record = words.subspan(ways_base + at * way_words, way_words);
    record[0] = static_cast<std::uint32_t>(way.method);
    record[1] = static_cast<std::uint32_t>(way.inputs);
    put_value(record, 2, static_cast<std::int64_t>(way.bytes));
    put_value(record, 4, way.fee_sats);
    put_value(record, 6, way.change_sats);
    put_value(record, 8, way.waste_sats);
  }
  return Napi::Number::New(info.Env(), static_cast<double>(selection.picked.size()));
}

Napi::Value report(const Napi::CallbackInfo& info, const TransferSelection& transfer) {
  Instance& instance = instance_of(info);
  const std::size_t steps = transfer.plan.size();
  if (!has_words(instance, steps_base + steps * step_words)) return info.Env().Undefined();
  const std::span<std::uint32_t> words = instance.words;
  instance.picked = transfer.tokens;
  instance.picked.insert(instance.picked.end(), transfer.coins.begin(), transfer.coins.end());
  for (const ConsolidationStep& step : transfer.plan) {
    instance.picked.insert(instance.picked.end(), step.tokens.begin(), step.tokens.end());
    instance.picked.insert(instance.picked.end(), step.steps.begin(), step.steps.end());
  }
  words[failure_word] = static_cast<std::uint32_t>(transfer.failure);
  words[picked_word] = static_cast<std::uint32_t>(transfer.tokens.size());
  words[coins_word] = static_cast<std::uint32_t>(transfer.coins.size());
  words[steps_word] = static_cast<std::uint32_t>(steps);
  put_value(words, available_word, transfer.available);
  put_value(words, token_change_word, transfer.token_change);
  put_value(words, change_word, transfer.change_sats);
  put_value(words, fee_word, transfer.fee_sats);
  put_value(words, bytes_word, static_cast<std::int64_t>(transfer.bytes));
  for (std::size_t at = 0; at < steps; ++at) {
    const ConsolidationStep& step = transfer.plan[at];
    const std::span<std::uint32_t> record =
        words.subspan(steps_base + at * step_words, step_words);
    record[0] = static_cast<std::uint32_t>(step.tokens.size());
    record[1] = static_cast<std::uint32_t>(step.steps.size());
    put_value(record, 2, step.amount);
    put_value(record, 4, static_cast<std::int64_t>(step.bytes));
    put_value(record, 6, step.fee_sats);
  }
  return Napi::Number::New(info.Env(), static_cast<double>(instance.picked.size()));
}

Napi::Value select_from(const Napi::CallbackInfo& info, const CoinRuns& runs, Bytes seed) {
  const std::span<const std::uint32_t> words = instance_of(info).words;
  if (words.size() < terms_words) return misuse(info, "the scratch is too small");
  const PaymentTerms terms = payment_terms(words);
  if (const Error error = check_terms(terms); error.failed()) return fail(info, error);
  return report(info, select_coins(runs, terms, seed));
}

}  // namespace

/// (values, sizes, seed; the terms in the scratch) -> how many coins were picked.
Napi::Value SelectCoins(const Napi::CallbackInfo& info) {
  const auto coins = coins_argument(info, 0);
  if (!coins) return info.Env().Undefined();
  const auto seed = bytes_argument(info, 2);
  if (!seed) return info.Env().Undefined();
  CoinRuns runs;
  if (const Error error = runs.assign(coins->values, coins->bytes); error.failed()) {
    return fail(info, error);
  }
  return select_from(info, runs, *seed);
}

/// (index, seed; the terms in the scratch) -> how many coins were picked.
Napi::Value SelectIndexed(const Napi::CallbackInfo& info) {
  const KeptIndex* kept = index_argument(info);
  if (kept == nullptr) return info.Env().Undefined();
  const auto seed = bytes_argument(info, 1);
  if (!seed) return info.Env().Undefined();
  return select_from(info, kept->index.runs(), *seed);
}

/// (token values, sizes, native values, sizes, seed; the terms in the scratch) -> how many coins
/// are to be taken: tokens, native coins, and those of each step of a plan.
Napi::Value SelectTransfer(const Napi::CallbackInfo& info) {
  const auto tokens = coins_argument(info, 0);
  if (!tokens) return info.Env().Undefined();
  const auto coins = coins_argument(info, 2);
  if (!coins) return info.Env().Undefined();
  const auto seed = bytes_argument(info, 4);
  if (!seed) return info.Env().Undefined();
  const std::span<std::uint32_t> words = instance_of(info).words;
  if (words.size() < terms_words) return misuse(info, "the scratch is too small");

  const TransferTerms terms = transfer_terms(words);
  if (const Error error = check_terms(terms); error.failed()) return fail(info, error);
  CoinRuns token_runs;
  CoinRuns coin_runs;
  words[failure_word] = from_tokens;
  if (const Error error = token_runs.assign(tokens->values, tokens->bytes); error.failed()) {
    return fail(info, error);
  }
  words[failure_word] = from_coins;
  if (const Error error = coin_runs.assign(coins->values, coins->bytes); error.failed()) {
    return fail(info, error);
  }
  return report(info, select_transfer(token_runs, coin_runs, terms, *seed));
}

/// (Uint32Array) -> undefined. Moves what the last selection picked to an array of that length.
Napi::Value TakePicked(const Napi::CallbackInfo& info) {
  const auto target = numbers_argument(info, 0);
  if (!target) return info.Env().Undefined();
  std::vector<std::uint32_t>& picked = instance_of(info).picked;
  if (target->size() != picked.size()) return misuse(info, "the array has another length");
  std::copy(picked.begin(), picked.end(), target->begin());
  picked.clear();
  return info.Env().Undefined();
}

/// (values, sizes) -> an index, which lives as long as the value returned.
Napi::Value CreateCoinIndex(const Napi::CallbackInfo& info) {
  const auto coins = coins_argument(info, 0);
  if (!coins) return info.Env().Undefined();
  auto kept = std::make_unique<KeptIndex>();
  if (const Error error = kept->index.create(coins->values, coins->bytes); error.failed()) {
    return fail(info, error);
  }
  account_for(info.Env(), *kept);
  if (!report_size(info, kept->index)) return info.Env().Undefined();
  const auto release = [](Napi::Env env, KeptIndex* released) {
    Napi::MemoryManagement::AdjustExternalMemory(env, -released->accounted_bytes);
    delete released;
  };
  return Napi::External<KeptIndex>::New(info.Env(), kept.release(), release);
}

/// (index, values, sizes) -> the id of the first coin added.
Napi::Value AddCoins(const Napi::CallbackInfo& info) {
  KeptIndex* kept = index_argument(info);
  if (kept == nullptr) return info.Env().Undefined();
  const auto coins = coins_argument(info, 1);
  if (!coins) return info.Env().Undefined();
  const std::uint32_t first = kept->index.next_id();
  if (const Error error = kept->index.add(coins->values, coins->bytes); error.failed()) {
    return fail(info, error);
  }
  account_for(info.Env(), *kept);
  if (!report_size(info, kept->index)) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), first);
}

/// (index, ids) -> how many coins are left.
Napi::Value RemoveCoins(const Napi::CallbackInfo& info) {
  KeptIndex* kept = index_argument(info);
  if (kept == nullptr) return info.Env().Undefined();
  const auto ids = numbers_argument(info, 1);
  if (!ids) return info.Env().Undefined();
  if (const Error error = kept->index.remove(*ids); error.failed()) return fail(info, error);
  if (!report_size(info, kept->index)) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), static_cast<double>(kept->index.size()));
}

/// (index) -> undefined. Gives the memory back before the value is collected.
Napi::Value FreeCoinIndex(const Napi::CallbackInfo& info) {
  KeptIndex* kept = index_argument(info);
  if (kept == nullptr) return info.Env().Undefined();
  kept->index = CoinIndex{};
  account_for(info.Env(), *kept);
  return info.Env().Undefined();
}

}  // namespace antara::addon
