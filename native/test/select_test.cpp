#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include "check.h"
#include "hash/sha256.h"
#include "select/searches.h"
#include "select/select_coins.h"
#include "select/select_tokens.h"

namespace {

using namespace antara;
using Values = std::vector<std::int64_t>;
using Sizes = std::vector<std::uint32_t>;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

Random random_of(std::string_view name) {
  return Random{sha256({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()})};
}

/// A rate in satoshis per 1000 bytes.
FeeRate rate_of(std::int64_t sats) { return {sats * 1'000'000}; }

/// Amounts as wallets have them: a few kinds of pools, from equal coins to seven magnitudes.
Values random_values(Random& random, std::size_t count) {
  const std::uint32_t kind = random.below(6);
  Values values(count);
  for (std::int64_t& value : values) {
    switch (kind) {
      case 0:
        value = 10'000 + random.below(1'000'000);
        break;
      case 1:
        value = std::int64_t{1} << (8 + random.below(24));
        break;
      case 2:
        value = 100'000;
        break;
      case 3:
        value = 10'000 * (1 + random.below(20));
        break;
      case 4:
        value = (1 + random.below(200)) * (std::int64_t{1} << random.below(20));
        break;
      default:
        value = 1 + random.below(50'000);
        break;
    }
  }
  return values;
}

Sizes random_sizes(Random& random, std::size_t count) {
  constexpr std::uint32_t sizes[] = {68, 114, 148, 164, 297};
  const std::uint32_t kinds = 1 + random.below(4);
  Sizes result(count);
  for (std::uint32_t& size : result) size = sizes[random.below(kinds)];
  return result;
}

PaymentTerms random_terms(Random& random, const Values& values) {
  const std::int64_t total = std::accumulate(values.begin(), values.end(), std::int64_t{0});
  PaymentTerms terms;
  terms.target_sats =
      1 + static_cast<std::int64_t>(static_cast<Int128>(total) * random.below(1000) / 1050);
  terms.fee_rate = {static_cast<std::int64_t>(random.below(60'000)) * 1'000'000 +
                    random.below(2) * random.below(1'000'000)};
  terms.long_term_rate = rate_of(random.below(4) == 0 ? random.below(30'000) : 10'000);
  terms.base_bytes = 10 + random.below(100);
  terms.change_bytes = 31 + random.below(4);
  terms.change_spend_sats = fee_sats(terms.long_term_rate, 68 + random.below(100));
  terms.change_min_sats = 1 + random.below(1500);
  if (random.below(5) == 0) terms.fixed_fee_sats = random.below(20'000);
  if (random.below(4) == 0) terms.inputs_max = 1 + random.below(10);
  if (random.below(4) == 0) terms.bytes_max = 100 + random.below(2000);
  return terms;
}

struct Best {
  bool found = false;
  double waste = 0;
};

/// Looks at every subset, with arithmetic of its own.
Best exhaustive(const Values& values, const Sizes& sizes, const PaymentTerms& terms) {
  const double rate = static_cast<double>(terms.fee_rate.micro_sats) / 1e9;
  const double long_term = static_cast<double>(terms.long_term_rate.micro_sats) / 1e9;
  const bool fixed = terms.fixed_fee_sats.has_value();
  std::vector<std::size_t> worth;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const double fee = fixed ? 0 : rate * sizes[at];
    if (static_cast<double>(values[at]) > fee) worth.push_back(at);
  }
  Best best;
  for (std::uint32_t set = 1; set < (1U << worth.size()); ++set) {
    std::int64_t sum = 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < worth.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      sum += values[worth[i]];
      bytes += sizes[worth[i]];
    }
    const std::size_t count = static_cast<std::size_t>(std::popcount(set));
    const double fee = fixed ? static_cast<double>(*terms.fixed_fee_sats)
                             : rate * static_cast<double>(terms.base_bytes + bytes);
    const double excess = static_cast<double>(sum - terms.target_sats) - fee;
    if (excess < 0) continue;
    const double change_fee = fixed ? 0 : rate * terms.change_bytes;
    const bool has_change = excess - change_fee >= static_cast<double>(terms.change_min_sats);
    const std::uint64_t size = terms.base_bytes + bytes + (has_change ? terms.change_bytes : 0);
    if (count > terms.inputs_max || size > terms.bytes_max) continue;
    const double cost = rate * terms.change_bytes + static_cast<double>(terms.change_spend_sats);
    const double waste =
        (rate - long_term) * static_cast<double>(bytes) + (has_change ? cost : excess);
    if (!best.found || waste < best.waste) best = {true, waste};
  }
  return best;
}

/// What must hold for any selection, whatever it chose.
void check_sound(const CoinSelection& selection, const Values& values, const Sizes& sizes,
                 const PaymentTerms& terms) {
  CHECK(std::is_sorted(selection.picked.begin(), selection.picked.end()));
  CHECK(std::adjacent_find(selection.picked.begin(), selection.picked.end()) ==
        selection.picked.end());
  std::int64_t sum = 0;
  std::uint64_t bytes = terms.base_bytes;
  for (const std::uint32_t id : selection.picked) {
    sum += values[id];
    bytes += sizes[id];
  }
  const Alternative& chosen = selection.chosen;
  const bool has_change = chosen.change_sats > 0;
  if (has_change) bytes += terms.change_bytes;
  CHECK(sum == terms.target_sats + chosen.fee_sats + chosen.change_sats);
  CHECK(bytes == chosen.bytes);
  CHECK(bytes <= terms.bytes_max);
  CHECK(selection.picked.size() == chosen.inputs);
  CHECK(chosen.inputs <= terms.inputs_max);
  CHECK(!has_change || chosen.change_sats >= terms.change_min_sats);
  const std::int64_t needed = terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, bytes));
  CHECK(chosen.fee_sats >= needed);
  const std::int64_t change_fee =
      terms.fixed_fee_sats ? 0 : fee_sats(terms.fee_rate, terms.change_bytes);
  const std::int64_t given_away = chosen.fee_sats - needed;
  CHECK(has_change ? given_away == 0 : given_away < change_fee + terms.change_min_sats);
  CHECK(!selection.considered.empty());
  CHECK(selection.considered.front().waste_sats == chosen.waste_sats);
  for (const Alternative& other : selection.considered) {
    CHECK(other.waste_sats >= chosen.waste_sats);
  }
}

void small_pools_are_solved_exactly() {
  Random random = random_of("small pools");
  int solved = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t count = 1 + random.below(round % 100 == 0 ? exact_coins_max : 10);
    const Values values = random_values(random, count);
    const Sizes sizes = random_sizes(random, count);
    const PaymentTerms terms = random_terms(random, values);
    CHECK(!check_terms(terms).failed());
    CoinRuns runs;
    CHECK(!runs.assign(values, {.each = sizes}).failed());
    const CoinSelection selection = select_coins(runs, terms, {});
    const Best best = exhaustive(values, sizes, terms);
    CHECK(best.found == (selection.failure == ErrorCode::ok));
    if (selection.failure != ErrorCode::ok) continue;
    ++solved;
    check_sound(selection, values, sizes, terms);
    const double gap = static_cast<double>(selection.chosen.waste_sats) - best.waste;
    CHECK(gap <= 1.0 && gap >= -1.0);
  }
  CHECK(solved > 1500);
}

void the_lightest_choice_is_found() {
  Random random = random_of("lightest");
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = 1 + random.below(10);
    Values values = random_values(random, count);
    std::sort(values.rbegin(), values.rend());
    Sizes sizes = random_sizes(random, count);
    Candidates coins;
    for (std::size_t at = 0; at < count; ++at) {
      coins.push_back(values[at], 0, sizes[at], static_cast<std::uint32_t>(at));
    }
    const std::int64_t total = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    const Goal goal{.target = 1 + total * random.below(100) / 95};
    InputLimits limits;
    if (random.below(3) == 0) limits.bytes_max = 68 + random.below(700);
    std::pair<std::uint64_t, std::int64_t> lightest{UINT64_MAX, 0};
    for (std::uint32_t set = 1; set < (1U << count); ++set) {
      std::pair<std::uint64_t, std::int64_t> sums{0, 0};
      for (std::size_t at = 0; at < count; ++at) {
        if ((set >> at & 1) == 0) continue;
        sums.first += sizes[at];
        sums.second += values[at];
      }
      if (sums.second < goal.target || sums.first > limits.bytes_max) continue;
      lightest = std::min(lightest, sums);
    }
    const Choice choice = coin_grinder(coins, goal, limits, 100'000);
    CHECK(choice.proven);
    CHECK(choice.found == (lightest.first != UINT64_MAX));
    if (choice.found) CHECK((std::pair{choice.bytes, choice.effective} == lightest));
  }
}

void large_pools_are_paid_from_soundly() {
  Random random = random_of("large pools");
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = round % 100 == 0 ? 20'000 : 17 + random.below(400);
    const Values values = random_values(random, count);
    const Sizes sizes = random_sizes(random, count);
    const PaymentTerms terms = random_terms(random, values);
    CoinRuns runs;
    CHECK(!runs.assign(values, {.each = sizes}).failed());
    const CoinSelection selection = select_coins(runs, terms, {});
    if (selection.failure == ErrorCode::ok) {
      check_sound(selection, values, sizes, terms);
      continue;
    }
    // Nothing that was not looked at can have been enough.
    std::int64_t worth = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const std::int64_t fee = terms.fixed_fee_sats ? 0 : fee_sats(terms.fee_rate, sizes[at]);
      worth += std::max<std::int64_t>(values[at] - fee, 0);
    }
    const std::int64_t base =
        terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, terms.base_bytes));
    const bool limited = terms.inputs_max != SIZE_MAX || terms.bytes_max != UINT64_MAX;
    CHECK(selection.failure == ErrorCode::insufficient_funds ? worth < terms.target_sats + base
                                                             : limited);
  }
}

void order_does_not_matter() {
  Random random = random_of("order");
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + random.below(round % 10 == 0 ? 10'000 : 60);
    const Values values = random_values(random, count);
    const Sizes sizes = random_sizes(random, count);
    const PaymentTerms terms = random_terms(random, values);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    Values other_values;
    Sizes other_sizes;
    for (const std::size_t at : order) {
      other_values.push_back(values[at]);
      other_sizes.push_back(sizes[at]);
    }
    CoinRuns runs;
    CoinRuns other_runs;
    CHECK(!runs.assign(values, {.each = sizes}).failed());
    CHECK(!other_runs.assign(other_values, {.each = other_sizes}).failed());
    const CoinSelection selection = select_coins(runs, terms, {});
    const CoinSelection other = select_coins(other_runs, terms, {});
    CHECK(selection.failure == other.failure);
    std::vector<std::pair<std::int64_t, std::uint32_t>> picked;
    std::vector<std::pair<std::int64_t, std::uint32_t>> other_picked;
    for (const std::uint32_t id : selection.picked) picked.emplace_back(values[id], sizes[id]);
    for (const std::uint32_t id : other.picked) {
      other_picked.emplace_back(other_values[id], other_sizes[id]);
    }
    std::sort(picked.begin(), picked.end());
    std::sort(other_picked.begin(), other_picked.end());
    CHECK(picked == other_picked);
  }
}

void a_seed_decides_what_is_drawn() {
  Random random = random_of("seed");
  const Values values = random_values(random, 500);
  CoinRuns runs;
  CHECK(!runs.assign(values, {.same = 148}).failed());
  PaymentTerms terms;
  terms.target_sats = std::accumulate(values.begin(), values.end(), std::int64_t{0}) / 10;
  terms.fee_rate = rate_of(1000);
  terms.long_term_rate = rate_of(10'000);
  terms.change_bytes = 34;
  const auto drawn = [&](Bytes seed) {
    const CoinSelection selection = select_coins(runs, terms, seed);
    const auto way = std::find_if(selection.considered.begin(), selection.considered.end(),
                                  [](auto& it) { return it.method == Method::random_draw; });
    CHECK(way != selection.considered.end());
    return std::pair{way->inputs, way->change_sats};
  };
  CHECK(drawn({}) == drawn({}));
  std::set<std::pair<std::size_t, std::int64_t>> all;
  for (std::uint8_t seed = 0; seed < 20; ++seed) all.insert(drawn({&seed, 1}));
  CHECK(all.size() > 10);
}

void absurd_coins_are_refused() {
  struct Case {
    const char* name;
    Values values;
    Sizes sizes;
    Error error;
  };
  const std::vector<Case> cases{
      {"zero", {5, 0, 5}, {}, {ErrorCode::coin_value_out_of_range, 1}},
      {"negative", {-1}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"least",
       {1, std::numeric_limits<std::int64_t>::min()},
       {},
       {ErrorCode::coin_value_out_of_range, 1}},
      {"2^63 - 1", {int64_max}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"one too many", {amount_max + 1}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"the most", {amount_max}, {}, {}},
      {"sum just fits", {amount_max - 1, 1}, {}, {}},
      {"sum is too large", {amount_max - 1, 1, 1}, {}, {ErrorCode::coin_sum_out_of_range, 2}},
      {"a size over a block", {1, 1}, {148, 4'000'001}, {ErrorCode::input_bytes_out_of_range, 1}},
      {"none", {}, {}, {}},
  };
  for (const Case& test : cases) {
    CoinRuns runs;
    CHECK(runs.assign(test.values, {.same = 148, .each = test.sizes}) == test.error);
  }
  PaymentTerms terms;
  terms.target_sats = 1;
  CHECK(!check_terms(terms).failed());
  const auto refused = [&](const std::function<void(PaymentTerms&)>& spoil, ErrorCode code) {
    PaymentTerms spoiled = terms;
    spoil(spoiled);
    CHECK(check_terms(spoiled).code == code);
  };
  refused([](auto& t) { t.target_sats = 0; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.target_sats = -1; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.fixed_fee_sats = -1; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.change_min_sats = 0; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.change_min_sats = int64_max; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.fee_rate.micro_sats = -1; }, ErrorCode::fee_rate_out_of_range);
  refused([](auto& t) { t.long_term_rate = {int64_max}; }, ErrorCode::fee_rate_out_of_range);
  refused([](auto& t) { t.base_bytes = 4'000'001; }, ErrorCode::input_bytes_out_of_range);
}

void huge_amounts_do_not_overflow() {
  const Values values{amount_max / 3, amount_max / 3, amount_max / 3};
  CoinRuns runs;
  CHECK(!runs.assign(values, {.same = 4'000'000}).failed());
  PaymentTerms terms;
  terms.fee_rate = fee_rate_max;
  terms.long_term_rate = fee_rate_max;
  terms.base_bytes = 4'000'000;
  terms.change_bytes = 4'000'000;
  const Sizes sizes(values.size(), 4'000'000);
  for (const std::int64_t target :
       {std::int64_t{1}, amount_max / 3, amount_max / 2, amount_max, int64_max - 1}) {
    terms.target_sats = target;
    const CoinSelection selection = select_coins(runs, terms, {});
    if (selection.failure == ErrorCode::ok) check_sound(selection, values, sizes, terms);
  }
  terms.target_sats = int64_max;
  CHECK(select_coins(runs, terms, {}).failure == ErrorCode::insufficient_funds);
  CHECK(select_coins(CoinRuns{}, terms, {}).failure == ErrorCode::insufficient_funds);
}

/// The contents of runs, to compare an index with what a fresh sort gives.
std::vector<std::pair<std::uint32_t, Values>> contents(const CoinRuns& coins) {
  std::vector<std::pair<std::uint32_t, Values>> result;
  for (const CoinRun& run : coins.runs()) {
    result.emplace_back(run.input_bytes, Values{run.values.begin(), run.values.end()});
  }
  return result;
}

void an_index_follows_its_deltas() {
  Random random = random_of("index");
  for (int round = 0; round < 60; ++round) {
    const std::size_t start = random.below(200);
    Values values = random_values(random, start);
    Sizes sizes = random_sizes(random, start);
    CoinIndex index;
    CHECK(!index.create(values, {.each = sizes}).failed());
    std::vector<std::uint32_t> alive(start);
    std::iota(alive.begin(), alive.end(), 0U);
    for (int step = 0; step < 20; ++step) {
      const std::size_t added = random.below(30);
      const Values new_values = random_values(random, added);
      const Sizes new_sizes = random_sizes(random, added);
      CHECK(index.next_id() == values.size());
      CHECK(!index.add(new_values, {.each = new_sizes}).failed());
      for (std::size_t i = 0; i < added; ++i) {
        alive.push_back(static_cast<std::uint32_t>(values.size()));
        values.push_back(new_values[i]);
        sizes.push_back(new_sizes[i]);
      }
      std::vector<std::uint32_t> removed;
      for (std::uint32_t left = random.below(20); left > 0 && !alive.empty(); --left) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(alive.size()));
        removed.push_back(alive[at]);
        alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(at));
      }
      CHECK(!index.remove(removed).failed());

      Values left_values;
      Sizes left_sizes;
      for (const std::uint32_t id : alive) {
        left_values.push_back(values[id]);
        left_sizes.push_back(sizes[id]);
      }
      CoinRuns fresh;
      CHECK(!fresh.assign(left_values, {.each = left_sizes}).failed());
      CHECK(contents(index.runs()) == contents(fresh));
      CHECK(index.total() == fresh.total());
      CHECK(index.size() == alive.size());
      for (const CoinRun& run : index.runs().runs()) {
        for (std::size_t at = 0; at < run.ids.size(); ++at) {
          CHECK(values[run.ids[at]] == run.values[at] && sizes[run.ids[at]] == run.input_bytes);
        }
      }
      if (removed.empty()) continue;
      const auto before = contents(index.runs());
      std::vector<std::uint32_t> wrong =
          alive.empty() ? removed : std::vector{alive[0], removed[0]};
      CHECK(index.remove(wrong).code == ErrorCode::unknown_coin);
      CHECK(contents(index.runs()) == before);
      if (!alive.empty()) CHECK(index.value_of(alive[0]) == values[alive[0]]);
    }
  }
  CoinIndex index;
  CHECK(!index.create(Values{1, 2}, {.same = 148}).failed());
  CHECK((index.add(Values{3, -1}, {.same = 148}) == Error{ErrorCode::coin_value_out_of_range, 1}));
  CHECK(index.remove(std::vector<std::uint32_t>{1, 1}).code == ErrorCode::unknown_coin);
  CHECK(index.size() == 2 && index.total() == 3 && index.value_of(1) == 2);
}

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

/// Carries a plan out, step by step, and returns the token coins that there are afterwards.
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
  small_pools_are_solved_exactly();
  the_lightest_choice_is_found();
  large_pools_are_paid_from_soundly();
  order_does_not_matter();
  a_seed_decides_what_is_drawn();
  absurd_coins_are_refused();
  huge_amounts_do_not_overflow();
  an_index_follows_its_deltas();
  small_transfers_are_solved_exactly();
  many_equal_token_coins_are_no_obstacle();
  what_does_not_fit_is_planned_for();
  coins_with_many_like_them_match_first();
  many_inputs_are_the_fewest();
  sweeping_takes_small_coins_along();
  return antara::test::report();
}
