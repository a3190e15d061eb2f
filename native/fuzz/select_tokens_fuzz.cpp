// Any token coins, native coins and terms: a transfer that is selected is sound, and a plan,
// carried out, makes a transfer possible that was not.

#include <algorithm>
#include <functional>
#include <vector>

#include "numbers.h"
#include "select/select_tokens.h"

namespace {

using namespace antara;
using namespace antara::fuzz;
using Values = std::vector<std::int64_t>;
using Sizes = std::vector<std::uint32_t>;

constexpr std::size_t coins_max = 60;

struct Coins {
  Values values;
  Sizes sizes;

  [[nodiscard]] std::int64_t value_of(const std::vector<std::uint32_t>& ids) const {
    std::int64_t sum = 0;
    for (const std::uint32_t id : ids) sum += values[id];
    return sum;
  }
  [[nodiscard]] std::uint64_t bytes_of(const std::vector<std::uint32_t>& ids) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t id : ids) sum += sizes[id];
    return sum;
  }
};

TransferTerms terms_from(Numbers& numbers) {
  TransferTerms terms;
  const std::uint64_t flags = numbers.take(1);
  // Full width once in a while; mostly amounts and rates as they occur.
  const bool wild = flags % 16 == 0;
  terms.amount = numbers.take_signed(wild ? 8 : 2);
  terms.fee_rate = {numbers.take_signed(wild ? 8 : 2) * (wild ? 1 : 1'000'000)};
  terms.base_bytes = numbers.take(wild ? 4 : 1);
  terms.token_change_bytes = static_cast<std::uint32_t>(numbers.take(wild ? 4 : 1));
  terms.change_bytes = static_cast<std::uint32_t>(numbers.take(wild ? 4 : 1));
  terms.change_spend_sats = numbers.take_signed(2);
  terms.change_min_sats = 1 + numbers.take_signed(1);
  if ((flags & 16) != 0) terms.sweep = numbers.take(1) % 8;
  if ((flags & 32) != 0) terms.fixed_fee_sats = numbers.take_signed(2);
  if ((flags & 64) != 0) terms.token_inputs_max = numbers.take(1) % 16;
  if ((flags & 128) != 0) terms.bytes_max = numbers.take(2);
  return terms;
}

Coins coins_from(Numbers& numbers, std::size_t count) {
  Coins coins;
  while (coins.values.size() < count && !numbers.empty()) {
    const std::uint64_t kind = numbers.take(1);
    coins.values.push_back(numbers.take_signed(kind % 32 == 0 ? 8 : 1 + kind % 2));
    coins.sizes.push_back(kind % 4 == 1 ? 114 : 164);
  }
  return coins;
}

void check_transfer(const TransferSelection& transfer, const Coins& tokens, const Coins& coins,
                    const TransferTerms& terms) {
  const auto ascends = [](const std::vector<std::uint32_t>& ids) {
    return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>{}) == ids.end();
  };
  require(ascends(transfer.tokens) && ascends(transfer.coins));
  require(transfer.token_change >= 0);
  require(tokens.value_of(transfer.tokens) == terms.amount + transfer.token_change);
  require(coins.value_of(transfer.coins) == transfer.fee_sats + transfer.change_sats);
  require(transfer.change_sats == 0 || transfer.change_sats >= terms.change_min_sats);
  std::uint64_t bytes =
      terms.base_bytes + tokens.bytes_of(transfer.tokens) + coins.bytes_of(transfer.coins);
  if (transfer.token_change > 0) bytes += terms.token_change_bytes;
  if (transfer.change_sats > 0) bytes += terms.change_bytes;
  require(bytes == transfer.bytes && bytes <= terms.bytes_max);
  require(transfer.tokens.size() <= terms.token_inputs_max);
  require(transfer.fee_sats >= terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, bytes)));
}

/// Every merge spends what is there and keeps to the limits; afterwards one transfer does it.
void check_plan(const std::vector<ConsolidationStep>& plan, Coins tokens,
                const TransferTerms& terms) {
  const std::size_t first_made = tokens.values.size();
  std::uint32_t largest = 0;
  for (const std::uint32_t size : tokens.sizes) largest = std::max(largest, size);
  for (const ConsolidationStep& step : plan) {
    std::vector<std::uint32_t> merged = step.tokens;
    for (const std::uint32_t made : step.steps) {
      require(first_made + made < tokens.values.size());
      merged.push_back(static_cast<std::uint32_t>(first_made + made));
    }
    require(merged.size() > 1 && merged.size() <= terms.token_inputs_max);
    require(step.bytes <= terms.bytes_max);
    require(step.amount == tokens.value_of(merged));
    for (const std::uint32_t id : merged) {
      require(tokens.values[id] > 0);
      tokens.values[id] = 0;
    }
    tokens.values.push_back(step.amount);
    tokens.sizes.push_back(largest);
  }
  std::sort(tokens.values.rbegin(), tokens.values.rend());
  std::int64_t sent = 0;
  for (std::size_t at = 0; at < tokens.values.size() && at < terms.token_inputs_max; ++at) {
    sent += tokens.values[at];
  }
  require(sent >= terms.amount);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers{{data, size}};
  const TransferTerms terms = terms_from(numbers);
  const Coins coins = coins_from(numbers, 1 + numbers.take(1) % 6);
  const Coins tokens = coins_from(numbers, coins_max);
  CoinRuns token_runs;
  CoinRuns coin_runs;
  if (check_terms(terms).failed()) return 0;
  if (token_runs.assign(tokens.values, {.each = tokens.sizes}).failed()) return 0;
  if (coin_runs.assign(coins.values, {.each = coins.sizes}).failed()) return 0;

  const TransferSelection transfer = select_transfer(token_runs, coin_runs, terms, {});
  if (transfer.failure == ErrorCode::ok) {
    check_transfer(transfer, tokens, coins, terms);
  } else if (transfer.failure == ErrorCode::insufficient_tokens) {
    require(token_runs.total() < terms.amount && transfer.available == token_runs.total());
  } else if (!transfer.plan.empty()) {
    check_plan(transfer.plan, tokens, terms);
  }
  return 0;
}
