// Token coins and native coins for a transfer, and the merges that come first where one transaction
// does not hold them.

#include "select/select_tokens.h"

#include <algorithm>
#include <bit>

#include "check.h"
#include "select_pools.h"

namespace {

using namespace antara;
using namespace antara::test;

struct TransferCost {
  bool found = false;
  bool exact = false;
  std::int64_t cost = 0;
};

/// The best transfer: every lightest set of token coins, with change and without, together with
/// every set of native coins.
TransferCost exhaustive_transfer(const Values& tokens, const Sizes& token_sizes,
                                 const Values& coins, const Sizes& coin_sizes,
                                 const TransferTerms& terms) {
  struct TokenSet {
    std::int64_t change;
    std::uint64_t bytes;
    std::size_t count;
  };
  std::vector<TokenSet> token_sets;
  std::uint64_t lightest[2] = {UINT64_MAX, UINT64_MAX};
  for (std::uint32_t set = 1; set < (1U << tokens.size()); ++set) {
    TokenSet sums{-terms.amount, terms.base_bytes, static_cast<std::size_t>(std::popcount(set))};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      sums.change += tokens[i];
      sums.bytes += token_sizes[i];
    }
    if (sums.change < 0 || sums.count > terms.token_inputs_max) continue;
    if (sums.change > 0) sums.bytes += terms.token_change_bytes;
    token_sets.push_back(sums);
    std::uint64_t& least = lightest[sums.change > 0 ? 1 : 0];
    least = std::min(least, sums.bytes);
  }
  const auto fee_for = [&](std::uint64_t size) {
    return terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, size));
  };
  std::uint32_t worthless = 0;
  for (std::size_t i = 0; i < coins.size(); ++i) {
    if (!terms.fixed_fee_sats && coins[i] <= fee_for(coin_sizes[i])) worthless |= 1U << i;
  }
  TransferCost best;
  for (const auto& [token_sum, token_bytes, token_count] : token_sets) {
    if (token_bytes > lightest[token_sum > 0 ? 1 : 0]) continue;
    for (std::uint32_t coin_set = 1; coin_set < (1U << coins.size()); ++coin_set) {
      if ((coin_set & worthless) != 0) continue;
      std::int64_t sum = 0;
      std::uint64_t bytes = token_bytes;
      for (std::size_t i = 0; i < coins.size(); ++i) {
        if ((coin_set >> i & 1) == 0) continue;
        sum += coins[i];
        bytes += coin_sizes[i];
      }
      if (token_count + static_cast<std::size_t>(std::popcount(coin_set)) > terms.inputs_max) {
        continue;
      }
      if (sum < fee_for(bytes)) continue;
      const bool has_change = sum - fee_for(bytes + terms.change_bytes) >= terms.change_min_sats;
      if (has_change) bytes += terms.change_bytes;
      if (bytes > terms.bytes_max) continue;
      const std::int64_t fee = has_change ? fee_for(bytes) : sum;
      const bool exact = token_sum == 0;
      if (terms.fixed_fee_sats) {
        // Exact matches first; then nothing given away in fees; then the fewest bytes.
        const std::int64_t given_away = fee - *terms.fixed_fee_sats;
        const std::int64_t cost = given_away * 1'000'000 + static_cast<std::int64_t>(bytes);
        if (!best.found || (exact && !best.exact) || (exact == best.exact && cost < best.cost)) {
          best = {true, exact, cost};
        }
        continue;
      }
      std::int64_t cost = fee;
      if (has_change) cost += terms.change_spend_sats;
      if (!exact) {
        cost += fee_sats(terms.fee_rate, *std::min_element(token_sizes.begin(), token_sizes.end()));
      }
      if (!best.found || cost < best.cost) best = {true, exact, cost};
    }
  }
  return best;
}

std::int64_t sum_of(const Values& values, const std::vector<std::uint32_t>& ids) {
  std::int64_t sum = 0;
  for (const std::uint32_t id : ids) sum += values[id];
  return sum;
}

std::uint64_t bytes_of(const Sizes& sizes, const std::vector<std::uint32_t>& ids) {
  std::uint64_t sum = 0;
  for (const std::uint32_t id : ids) sum += sizes[id];
  return sum;
}

void check_sound(const TransferSelection& transfer, const Values& tokens, const Sizes& token_sizes,
                 const Values& coins, const Sizes& coin_sizes, const TransferTerms& terms) {
  CHECK(sum_of(tokens, transfer.tokens) == terms.amount + transfer.token_change);
  CHECK(transfer.token_change >= 0);
  CHECK(sum_of(coins, transfer.coins) == transfer.fee_sats + transfer.change_sats);
  CHECK(transfer.change_sats == 0 || transfer.change_sats >= terms.change_min_sats);
  std::uint64_t bytes = terms.base_bytes + bytes_of(token_sizes, transfer.tokens) +
                        bytes_of(coin_sizes, transfer.coins);
  if (transfer.token_change > 0) bytes += terms.token_change_bytes;
  if (transfer.change_sats > 0) bytes += terms.change_bytes;
  CHECK(bytes == transfer.bytes);
  CHECK(bytes <= terms.bytes_max);
  CHECK(transfer.tokens.size() <= terms.token_inputs_max);
  CHECK(transfer.tokens.size() + transfer.coins.size() <= terms.inputs_max);
  CHECK(transfer.fee_sats >= terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, bytes)));
}

void small_transfers_are_solved_exactly() {
  Random random = random_of("transfers");
  int solved = 0;
  int exact = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t token_count = 1 + random.below(6);
    const std::size_t coin_count = 1 + random.below(5);
    Values tokens(token_count);
    for (std::int64_t& value : tokens) value = 1 + random.below(12);
    Values coins(coin_count);
    for (std::int64_t& value : coins) value = 500 + random.below(12'000);
    const Sizes token_sizes(token_count, 164);
    Sizes coin_sizes(coin_count);
    for (std::uint32_t& size : coin_sizes) size = random.below(2) == 0 ? 114 : 148;
    TransferTerms terms;
    terms.amount = 1 + random.below(static_cast<std::uint32_t>(7 * token_count));
    if (random.below(2) == 0) {
      terms.fixed_fee_sats = 1 + random.below(10'000);
    } else {
      terms.fee_rate = rate_of(1 + random.below(8000));
      terms.change_spend_sats = fee_sats(terms.fee_rate, 148);
    }
    terms.base_bytes = 169;
    terms.token_change_bytes = 57;
    terms.change_bytes = 44;
    terms.change_min_sats = 1 + random.below(500);
    if (random.below(5) == 0) terms.token_inputs_max = 1 + random.below(4);
    CHECK(!check_terms(terms).failed());
    CoinRuns token_runs;
    CoinRuns coin_runs;
    CHECK(!token_runs.assign(tokens, {.each = token_sizes}).failed());
    CHECK(!coin_runs.assign(coins, {.each = coin_sizes}).failed());
    const TransferSelection transfer = select_transfer(token_runs, coin_runs, terms, {});
    const TransferCost best = exhaustive_transfer(tokens, token_sizes, coins, coin_sizes, terms);
    CHECK(best.found == (transfer.failure == ErrorCode::ok));
    if (transfer.failure != ErrorCode::ok) continue;
    ++solved;
    check_sound(transfer, tokens, token_sizes, coins, coin_sizes, terms);
    if (terms.fixed_fee_sats) {
      CHECK((transfer.token_change == 0) == best.exact);
      exact += best.exact ? 1 : 0;
      const std::int64_t given_away = transfer.fee_sats - *terms.fixed_fee_sats;
      CHECK(given_away * 1'000'000 + static_cast<std::int64_t>(transfer.bytes) == best.cost);
      continue;
    }
    std::int64_t cost = transfer.fee_sats;
    if (transfer.change_sats > 0) cost += terms.change_spend_sats;
    if (transfer.token_change > 0) cost += fee_sats(terms.fee_rate, 164);
    CHECK(cost <= best.cost + 1 && cost >= best.cost - 1);
  }
  CHECK(solved > 1000);
  CHECK(exact > 100);
}

TransferTerms usual_transfer(std::int64_t amount) {
  TransferTerms terms;
  terms.amount = amount;
  terms.fixed_fee_sats = 10'000;
  terms.base_bytes = 169;
  terms.token_change_bytes = 57;
  terms.change_bytes = 44;
  terms.change_min_sats = 54;
  terms.bytes_max = 200'000;
  return terms;
}

void many_equal_token_coins_are_no_obstacle() {
  const Values tokens(5000, 10);
  const Sizes token_sizes(tokens.size(), 164);
  const Values coins{50'000};
  const Sizes coin_sizes{114};
  CoinRuns token_runs;
  CoinRuns coin_runs;
  CHECK(!token_runs.assign(tokens, {.same = 164}).failed());
  CHECK(!coin_runs.assign(coins, {.same = 114}).failed());
  // 1000 needs 100 coins, which komodod's own selection cannot spend at once.
  for (const std::int64_t amount : {1, 599, 600, 601, 1000, 5000, 12'170}) {
    const TransferTerms terms = usual_transfer(amount);
    const TransferSelection transfer = select_transfer(token_runs, coin_runs, terms, {});
    CHECK(transfer.failure == ErrorCode::ok);
    CHECK(std::ssize(transfer.tokens) == (amount + 9) / 10);
    check_sound(transfer, tokens, token_sizes, coins, coin_sizes, terms);
  }
}

/// Carries a plan out, step by step, and returns the resulting token coins.
Values carried_out(const std::vector<ConsolidationStep>& plan, const Values& tokens,
                   const TransferTerms& terms) {
  Values after = tokens;
  const std::size_t first_made = tokens.size();
  for (const ConsolidationStep& step : plan) {
    std::vector<std::uint32_t> merged = step.tokens;
    for (const std::uint32_t earlier : step.steps) {
      merged.push_back(static_cast<std::uint32_t>(first_made + earlier));
    }
    CHECK(merged.size() <= terms.token_inputs_max && merged.size() < terms.inputs_max);
    CHECK(step.bytes <= terms.bytes_max);
    CHECK(step.fee_sats == terms.fixed_fee_sats);
    CHECK(step.amount == sum_of(after, merged));
    for (const std::uint32_t id : merged) {
      CHECK(after[id] != 0);
      after[id] = 0;
    }
    after.push_back(step.amount);
  }
  std::erase(after, 0);
  return after;
}

void what_does_not_fit_is_planned_for() {
  const Values tokens(5000, 10);
  const Values coins{50'000};
  CoinRuns token_runs;
  CoinRuns coin_runs;
  CHECK(!token_runs.assign(tokens, {.same = 164}).failed());
  CHECK(!coin_runs.assign(coins, {.same = 114}).failed());
  struct Case {
    std::int64_t amount;
    std::size_t token_inputs_max;
    std::size_t steps;
  };
  // A transaction of 200 000 bytes takes 1217 token inputs; every merge saves one less than it
  // takes. The last plans merge what they merged.
  const std::vector<Case> cases{{12'190, SIZE_MAX, 1}, {20'000, SIZE_MAX, 1}, {49'999, SIZE_MAX, 4},
                                {610, 60, 1},          {12'000, 60, 20},      {160, 2, 14}};
  for (const auto& [amount, token_inputs_max, steps] : cases) {
    TransferTerms terms = usual_transfer(amount);
    terms.token_inputs_max = token_inputs_max;
    const TransferSelection transfer = select_transfer(token_runs, coin_runs, terms, {});
    CHECK(transfer.failure == ErrorCode::selection_over_limits);
    CHECK(transfer.available >= 20 && transfer.available < amount);
    CHECK(transfer.plan.size() == steps);
    CoinRuns after_runs;
    const Values after = carried_out(transfer.plan, tokens, terms);
    CHECK(!after_runs.assign(after, {.same = 164}).failed());
    CHECK(select_transfer(after_runs, coin_runs, terms, {}).failure == ErrorCode::ok);
  }
  TransferTerms terms = usual_transfer(50'001);
  const TransferSelection missing = select_transfer(token_runs, coin_runs, terms, {});
  CHECK(missing.failure == ErrorCode::insufficient_tokens && missing.available == 50'000);
  terms = usual_transfer(10);
  terms.fixed_fee_sats = 50'001;
  const TransferSelection broke = select_transfer(token_runs, coin_runs, terms, {});
  CHECK(broke.failure == ErrorCode::insufficient_funds && broke.available == 50'000);
}

void coins_with_many_like_them_match_first() {
  Values tokens{50, 50, 80, 80, 80, 80, 20, 20, 20, 20};
  for (int i = 0; i < 40; ++i) tokens.push_back(1000 + 7 * i);
  CoinRuns token_runs;
  CoinRuns coin_runs;
  CHECK(!token_runs.assign(tokens, {.same = 164}).failed());
  CHECK(!coin_runs.assign(Values{30'000}, {.same = 114}).failed());
  const TransferSelection pair = select_transfer(token_runs, coin_runs, usual_transfer(100), {});
  CHECK(pair.token_change == 0 && pair.tokens.size() == 2);
  CHECK(tokens[pair.tokens[0]] == 80 && tokens[pair.tokens[1]] == 20);
  const TransferSelection rare = select_transfer(token_runs, coin_runs, usual_transfer(130), {});
  CHECK(rare.token_change == 0 && sum_of(tokens, rare.tokens) == 130);
}

// Sixty coins of ten and one of two: beyond thirty inputs, one more for an exact match is too many.
void many_inputs_are_the_fewest() {
  Values tokens(60, 10);
  tokens.push_back(2);
  CoinRuns token_runs;
  CoinRuns coin_runs;
  CHECK(!token_runs.assign(tokens, {.same = 164}).failed());
  CHECK(!coin_runs.assign(Values{30'000}, {.same = 114}).failed());
  const auto transfer = [&](std::int64_t amount, std::size_t sweep = 0) {
    TransferTerms terms = usual_transfer(amount);
    terms.sweep = sweep;
    return select_transfer(token_runs, coin_runs, terms, {});
  };
  CHECK(transfer(290).tokens.size() == 29);
  CHECK(transfer(292).tokens.size() == 30);
  CHECK(transfer(292).token_change == 0);
  CHECK(transfer(302).tokens.size() == 31);
  CHECK(transfer(302).token_change == 0);
  Values odd(60, 10);
  odd.insert(odd.end(), {1, 1});
  CHECK(!token_runs.assign(odd, {.same = 164}).failed());
  CHECK(transfer(282).tokens.size() == 30);
  CHECK(transfer(282).token_change == 0);
  CHECK(transfer(302).tokens.size() == 31);
  CHECK(transfer(302).token_change == 8);
  CHECK(transfer(275, 9).tokens.size() == 30);
  CHECK(transfer(295, 9).tokens.size() == 30);
  CHECK(transfer(305, 9).tokens.size() == 31);
}

// Heavier coins beside light ones that suffice: a search by bytes alone does not end, and yet
// adding coins to a wallet must not make it poorer.
void heavy_coins_do_not_hide_light_ones() {
  struct Case {
    std::size_t heavy;
    std::int64_t value;
    std::uint32_t bytes;
    std::size_t light;
    std::int64_t amount;
  };
  const std::vector<Case> cases{{60, 1500, 400, 1210, 1'205'000},
                                {200, 1500, 500, 1210, 1'205'000},
                                {60, 10'000, 15'000, 1100, 1'000'000},
                                {9000, 1500, 400, 9000, 1'205'000}};
  for (const auto& [heavy, value, bytes, light, amount] : cases) {
    Values tokens(light, 1000);
    Sizes token_sizes(light, 164);
    for (std::size_t i = 0; i < heavy; ++i) {
      tokens.push_back(value + static_cast<std::int64_t>(i % 100));
      token_sizes.push_back(bytes);
    }
    const Values coins{50'000};
    const Sizes coin_sizes{114};
    CoinRuns token_runs;
    CoinRuns coin_runs;
    CHECK(!token_runs.assign(tokens, {.each = token_sizes}).failed());
    CHECK(!coin_runs.assign(coins, {.same = 114}).failed());
    TransferTerms terms = usual_transfer(amount);
    const TransferSelection transfer = select_transfer(token_runs, coin_runs, terms, {});
    CHECK(transfer.failure == ErrorCode::ok);
    check_sound(transfer, tokens, token_sizes, coins, coin_sizes, terms);

    // All coins can send at least as much as the light ones.
    terms.amount = std::min(token_runs.total(), std::int64_t{1'500'000});
    const TransferSelection over = select_transfer(token_runs, coin_runs, terms, {});
    CHECK(over.failure == ErrorCode::selection_over_limits);
    const std::uint64_t light_bytes = terms.bytes_max - terms.base_bytes - 114;
    CHECK(over.available >= 1000 * static_cast<std::int64_t>(std::min(light, light_bytes / 164)));
  }
}

void sweeping_takes_small_coins_along() {
  Values tokens{1000, 1, 2, 3, 4, 5, 900};
  for (int i = 0; i < 40; ++i) tokens.push_back(2000 + 7 * i);
  const Sizes token_sizes(tokens.size(), 164);
  const Values coins{30'000};
  const Sizes coin_sizes{114};
  CoinRuns token_runs;
  CoinRuns coin_runs;
  CHECK(!token_runs.assign(tokens, {.same = 164}).failed());
  CHECK(!coin_runs.assign(coins, {.same = 114}).failed());
  TransferTerms terms = usual_transfer(950);
  terms.sweep = 3;
  const TransferSelection swept = select_transfer(token_runs, coin_runs, terms, {});
  CHECK((swept.tokens == std::vector<std::uint32_t>{0, 1, 2, 3}));
  check_sound(swept, tokens, token_sizes, coins, coin_sizes, terms);
  terms.amount = 1000;  // an exact match stays one
  CHECK(select_transfer(token_runs, coin_runs, terms, {}).tokens.size() == 1);
  terms.amount = 950;
  terms.token_inputs_max = 2;
  CHECK(select_transfer(token_runs, coin_runs, terms, {}).tokens.size() == 2);
}
}  // namespace

int main() {
  small_transfers_are_solved_exactly();
  many_equal_token_coins_are_no_obstacle();
  what_does_not_fit_is_planned_for();
  coins_with_many_like_them_match_first();
  many_inputs_are_the_fewest();
  heavy_coins_do_not_hide_light_ones();
  sweeping_takes_small_coins_along();
  return antara::test::report();
}
