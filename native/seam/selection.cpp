#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "seam/functions.h"
#include "select/select_coins.h"
#include "select/select_tokens.h"

namespace antara::seam {
namespace {

/// Returns a limit. The largest word stands for no limit, which is the largest number of the type:
/// a count of bytes has 64 bits in WebAssembly too.
template <typename Count>
Count limit(std::uint32_t word) {
  return word == unlimited ? std::numeric_limits<Count>::max() : word;
}

/// Reads the terms that payments and transfers share.
template <typename Terms>
Terms shared_terms(const TermsWords& words) {
  Terms terms;
  terms.fee_rate = {words.fee_rate};
  if (words.fee_is_fixed != 0) terms.fixed_fee_sats = words.fixed_fee;
  terms.change_spend_sats = words.change_spend;
  terms.change_min_sats = words.change_min;
  terms.base_bytes = words.base_bytes;
  terms.change_bytes = words.change_bytes;
  terms.inputs_max = limit<std::size_t>(words.inputs_max);
  terms.bytes_max = limit<std::uint64_t>(words.bytes_max);
  return terms;
}

PaymentTerms payment_terms(const TermsWords& words) {
  auto terms = shared_terms<PaymentTerms>(words);
  terms.target_sats = words.target;
  terms.long_term_rate = {words.long_term_rate};
  return terms;
}

TransferTerms transfer_terms(const TermsWords& words) {
  auto terms = shared_terms<TransferTerms>(words);
  terms.amount = words.target;
  terms.token_change_bytes = words.token_change_bytes;
  terms.token_inputs_max = limit<std::size_t>(words.token_inputs_max);
  terms.sweep = words.sweep;
  return terms;
}

struct CoinArrays {
  std::span<const std::int64_t> values;
  InputBytes bytes;
};

/// Reads values, and from the next input their sizes: empty if all are `same_bytes`.
Outcome read_coins(const Call& call, std::size_t input, std::uint32_t same_bytes,
                   CoinArrays& coins) {
  if (const Outcome misfit = call.values(input, coins.values); misfit.failed()) return misfit;
  if (coins.values.size() > UINT32_MAX) return ArgumentError::coins_beyond_32_bits;
  coins.bytes.same = same_bytes;
  if (const Outcome misfit = call.numbers(input + 1, coins.bytes.each); misfit.failed()) {
    return misfit;
  }
  const bool has_sizes = !coins.bytes.each.empty();
  if (has_sizes && coins.bytes.each.size() != coins.values.size()) {
    return ArgumentError::sizes_unlike_values;
  }
  return {};
}

void put_ids(std::span<std::uint32_t>& words, std::span<const std::uint32_t> ids) {
  std::copy(ids.begin(), ids.end(), words.begin());
  words = words.subspan(ids.size());
}

void answer(Call& call, const CoinSelection& selection) {
  const std::size_t ways = selection.considered.size();
  const std::size_t fixed = (sizeof(SelectionWords) + ways * sizeof(WayWords)) / 4;
  std::span<std::uint32_t> words =
      Call::put(call.answer_words(fixed + selection.picked.size()),
                SelectionWords{
                    .failure = static_cast<std::uint32_t>(selection.failure),
                    .picked = static_cast<std::uint32_t>(selection.picked.size()),
                    .available = selection.available_sats,
                    .ways = static_cast<std::uint32_t>(ways),
                });
  for (const Alternative& way : selection.considered) {
    words = Call::put(words, WayWords{
                                 .method = static_cast<std::uint32_t>(way.method),
                                 .inputs = static_cast<std::uint32_t>(way.inputs),
                                 .bytes = static_cast<std::int64_t>(way.bytes),
                                 .fee = way.fee_sats,
                                 .change = way.change_sats,
                                 .waste = way.waste_sats,
                             });
  }
  put_ids(words, selection.picked);
}

void answer(Call& call, const TransferSelection& transfer) {
  const std::size_t steps = transfer.plan.size();
  std::size_t picked = transfer.tokens.size() + transfer.coins.size();
  for (const ConsolidationStep& step : transfer.plan) {
    picked += step.tokens.size() + step.steps.size();
  }
  const std::size_t fixed = (sizeof(TransferWords) + steps * sizeof(PlanStepWords)) / 4;
  std::span<std::uint32_t> words =
      Call::put(call.answer_words(fixed + picked),
                TransferWords{
                    .failure = static_cast<std::uint32_t>(transfer.failure),
                    .tokens = static_cast<std::uint32_t>(transfer.tokens.size()),
                    .available = transfer.available,
                    .coins = static_cast<std::uint32_t>(transfer.coins.size()),
                    .steps = static_cast<std::uint32_t>(steps),
                    .token_change = transfer.token_change,
                    .change = transfer.change_sats,
                    .fee = transfer.fee_sats,
                    .bytes = static_cast<std::int64_t>(transfer.bytes),
                });
  for (const ConsolidationStep& step : transfer.plan) {
    words = Call::put(words, PlanStepWords{
                                 .tokens = static_cast<std::uint32_t>(step.tokens.size()),
                                 .steps = static_cast<std::uint32_t>(step.steps.size()),
                                 .amount = step.amount,
                                 .bytes = static_cast<std::int64_t>(step.bytes),
                                 .fee = step.fee_sats,
                             });
  }
  put_ids(words, transfer.tokens);
  put_ids(words, transfer.coins);
  for (const ConsolidationStep& step : transfer.plan) {
    put_ids(words, step.tokens);
    put_ids(words, step.steps);
  }
}

Outcome select_from(Call& call, const CoinRuns& runs, Bytes seed) {
  const PaymentTerms terms = payment_terms(call.head<TermsWords>());
  if (const Error error = check_terms(terms); error.failed()) return error;
  answer(call, antara::select_coins(runs, terms, seed));
  return {};
}

Outcome answer_holding(Call& call, const CoinIndex& index, std::uint32_t first_id = 0) {
  call.answer_record(HoldingWords{
      .size = static_cast<std::uint32_t>(index.size()),
      .first_id = first_id,
      .total = index.total(),
  });
  return {};
}

}  // namespace

Outcome select_coins(Call& call) {
  CoinArrays coins;
  const Outcome misfit = read_coins(call, 0, call.head<TermsWords>().input_bytes, coins);
  if (misfit.failed()) return misfit;
  CoinRuns runs;
  if (const Error error = runs.assign(coins.values, coins.bytes); error.failed()) return error;
  return select_from(call, runs, call.inputs[2].bytes);
}

Outcome select_indexed(Call& call) {
  return select_from(call, call.index->runs(), call.inputs[1].bytes);
}

Outcome select_transfer(Call& call) {
  const auto words = call.head<TermsWords>();
  CoinArrays tokens;
  CoinArrays coins;
  Outcome misfit = read_coins(call, 0, words.token_input_bytes, tokens);
  if (!misfit.failed()) misfit = read_coins(call, 2, words.input_bytes, coins);
  if (misfit.failed()) return misfit;
  const TransferTerms terms = transfer_terms(words);
  if (const Error error = check_terms(terms); error.failed()) return error;
  CoinRuns token_runs;
  CoinRuns coin_runs;
  call.set_detail(errors_in_tokens);
  Error error = token_runs.assign(tokens.values, tokens.bytes);
  if (error.failed()) return error;
  call.set_detail(errors_in_tokens + 1);
  error = coin_runs.assign(coins.values, coins.bytes);
  if (error.failed()) return error;
  answer(call, antara::select_transfer(token_runs, coin_runs, terms, call.inputs[4].bytes));
  return {};
}

Outcome create_coin_index(Call& call) {
  CoinArrays coins;
  const Outcome misfit = read_coins(call, 0, call.head<SizesWords>().input_bytes, coins);
  if (misfit.failed()) return misfit;
  auto index = std::make_unique<CoinIndex>();
  if (const Error error = index->create(coins.values, coins.bytes); error.failed()) return error;
  call.made_index = std::move(index);
  return answer_holding(call, *call.made_index);
}

Outcome add_coins(Call& call) {
  CoinArrays coins;
  const Outcome misfit = read_coins(call, 1, call.head<SizesWords>().input_bytes, coins);
  if (misfit.failed()) return misfit;
  const std::uint32_t first = call.index->next_id();
  const Error error = call.index->add(coins.values, coins.bytes);
  if (error.failed()) return error;
  return answer_holding(call, *call.index, first);
}

Outcome remove_coins(Call& call) {
  std::span<const std::uint32_t> ids;
  if (const Outcome misfit = call.numbers(1, ids); misfit.failed()) return misfit;
  if (const Error error = call.index->remove(ids); error.failed()) return error;
  return answer_holding(call, *call.index);
}

Outcome free_coin_index(Call& call) {
  *call.index = CoinIndex{};
  return {};
}

}  // namespace antara::seam
