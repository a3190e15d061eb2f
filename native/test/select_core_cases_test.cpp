// Bitcoin Core's unit cases for coin selection. Several answers are equally good, and the order of
// Core's search decides among them. Here an answer must be as good as the expected one: the same
// waste, the same weight, the same amount.

#include <algorithm>
#include <numeric>
#include <set>

#include "check.h"
#include "hash/sha256.h"
#include "json.h"
#include "select/searches.h"
#include "select/select_coins.h"

namespace {

using namespace antara;
using test::Json;
using Kind = Json::Kind;

constexpr std::size_t core_tries = 100'000;

struct Coin {
  std::int64_t amount = 0;
  Units extra = 0;
  std::uint32_t bytes = 0;
};

Candidates candidates(std::vector<Coin> coins) {
  std::stable_sort(coins.begin(), coins.end(), [](const Coin& a, const Coin& b) {
    return a.amount != b.amount ? a.amount > b.amount : a.bytes < b.bytes;
  });
  Candidates result;
  for (std::size_t at = 0; at < coins.size(); ++at) {
    result.push_back(coins[at].amount, coins[at].extra, coins[at].bytes,
                     static_cast<std::uint32_t>(at));
  }
  return result;
}

/// The numbers of a list in which [x, n] stands for n times x.
std::vector<std::int64_t> numbers(const Json& list) {
  std::vector<std::int64_t> result;
  for (const Json& item : list.list) {
    if (item.is(Kind::list)) {
      result.insert(result.end(), static_cast<std::size_t>(item.list[1].number),
                    item.list[0].number);
    } else {
      result.push_back(item.number);
    }
  }
  return result;
}

/// Coins of a list of [amount, bytes, count].
std::vector<Coin> sized_coins(const Json& list, std::int64_t sats_per_byte) {
  std::vector<Coin> coins;
  for (const Json& item : list.list) {
    const std::int64_t bytes = item.list[1].number;
    const Coin coin{.amount = item.list[0].number - sats_per_byte * bytes,
                    .bytes = static_cast<std::uint32_t>(bytes)};
    coins.insert(coins.end(), static_cast<std::size_t>(item.list[2].number), coin);
  }
  return coins;
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

void check_branch_and_bound(const Json& test) {
  std::vector<std::int64_t> pool = numbers(test["pool"]);
  std::vector<std::int64_t> expected = numbers(test["expect"]);
  std::int64_t target = test["target"].number;
  for (const std::int64_t kept : numbers(test["preselected"])) {
    pool.erase(std::find(pool.begin(), pool.end(), kept));
    expected.erase(std::find(expected.begin(), expected.end(), kept));
    target -= kept;
  }
  const std::vector<std::int64_t> weights = numbers(test["weights"]);
  const Units extra = test["fee"].or_else(0) - test["longTermFee"].or_else(0);
  std::vector<Coin> coins;
  for (std::size_t at = 0; at < pool.size(); ++at) {
    const std::int64_t bytes = weights.empty() ? 0 : weights[at] / 4;
    coins.push_back({pool[at], extra, static_cast<std::uint32_t>(bytes)});
  }
  InputLimits limits;
  if (test["maxWeight"].is(Kind::number)) {
    limits.bytes_max = static_cast<std::uint64_t>(test["maxWeight"].number / 4);
  }
  const Candidates pool_coins = candidates(coins);

  if (test["subtractFeeFromOutputs"].or_else(0) != 0) {
    // Without changeless payments, the lightest choice that leaves change.
    const Goal goal{.target = target + test["minChangeTarget"].number};
    const Choice choice = coin_grinder(pool_coins, goal, limits, core_tries);
    CHECK(std::ssize(choice.positions) == test["expectInputs"].number);
    return;
  }
  const Goal goal{.target = target, .excess_max = test["costOfChange"].or_else(0)};
  const Choice choice = branch_and_bound(pool_coins, goal, limits, core_tries);
  if (test["expect"].is(Kind::null)) {
    // Core gives up on its hard case; to solve it would be right as well.
    const bool hard = test["name"].text.find("exhausts") != std::string::npos;
    CHECK(!choice.found || hard);
    return;
  }
  CHECK(choice.found);
  CHECK(choice.effective >= target);
  CHECK(choice.effective - target <= goal.excess_max);
  if (test["expectTotal"].is(Kind::number)) CHECK(choice.effective == test["expectTotal"].number);
  if (expected.empty()) return;
  CHECK(choice.effective == sum(expected));
  CHECK(choice.waste == extra * std::ssize(expected) + sum(expected) - target);
}

void check_coin_grinder(const Json& test) {
  const Candidates coins = candidates(sized_coins(test["utxos"], test["feerateSatPerVb"].number));
  const InputLimits limits{.bytes_max = static_cast<std::uint64_t>(test["maxWeight"].number / 4)};
  const Goal goal{.target = test["target"].number + test["changeTarget"].number};
  const Choice choice = coin_grinder(coins, goal, limits, core_tries);
  CHECK(choice.proven);
  if (test["expect"].is(Kind::null)) {
    CHECK(!choice.found);
    return;
  }
  CHECK(choice.found);
  CHECK(choice.effective >= goal.target);
  CHECK(choice.bytes <= limits.bytes_max);
  CHECK(std::ssize(choice.positions) <= test["expectAttempts"].number);
  CHECK(choice.steps <= static_cast<std::size_t>(test["expectAttempts"].number));
  if (!test["expect"].is(Kind::list)) return;
  std::int64_t amount = 0;
  for (const std::uint32_t at : choice.positions) {
    amount += coins.effective[at] + test["feerateSatPerVb"].number * coins.bytes[at];
  }
  CHECK(amount == sum(numbers(test["expect"])));
  CHECK(choice.positions.size() == test["expect"].list.size());
}

void check_random_draw(const Json& test) {
  const Candidates coins = candidates(sized_coins(test["utxos"], 0));
  const InputLimits limits{.bytes_max = static_cast<std::uint64_t>(test["maxWeight"].number / 4)};
  // Core draws for the target and a useful change of 50 000 satoshis.
  const Goal goal{.target = test["target"].number + 50'000};
  for (std::uint8_t seed = 0; seed < 20; ++seed) {
    Random random{sha256(Bytes{&seed, 1})};
    const Choice choice = single_random_draw(coins, goal, 1, limits, random);
    CHECK(choice.found == !test["expect"].is(Kind::null));
    if (!choice.found) continue;
    CHECK(choice.effective >= goal.target);
    CHECK(choice.bytes <= limits.bytes_max);
  }
}

/// Knapsack solves what no part of ours does by itself: an exact sum, or the least amount that
/// leaves the change target. With all weights zero, the least weight is every choice's, and the
/// search for the lightest one becomes one for the least amount.
void check_knapsack(const Json& test) {
  std::vector<Coin> coins;
  for (const std::int64_t amount : numbers(test["pool"])) coins.push_back({.amount = amount});
  const Candidates pool = candidates(coins);
  const std::int64_t target = test["target"].number;
  if (test["property"].is(Kind::text)) {
    const Goal goal{.target = target};
    std::set<std::vector<std::uint32_t>> drawn;
    for (std::uint8_t seed = 0; seed < 10; ++seed) {
      Random random{sha256(Bytes{&seed, 1})};
      Random same{sha256(Bytes{&seed, 1})};
      Choice first = single_random_draw(pool, goal, 1, {}, random);
      CHECK(first.positions == single_random_draw(pool, goal, 1, {}, same).positions);
      CHECK(first.effective == target);
      drawn.insert(first.positions);
    }
    CHECK(drawn.size() == 10);
    return;
  }
  Choice choice = branch_and_bound(pool, {.target = target, .excess_max = 0}, {}, core_tries);
  if (!choice.found) {
    const Goal goal{.target = target + test["changeTarget"].number};
    choice = coin_grinder(pool, goal, {}, core_tries);
  }
  CHECK(choice.found == test["expectTotal"].is(Kind::number));
  if (!choice.found) return;
  CHECK(choice.effective == test["expectTotal"].number);
  const std::int64_t inputs = test["expectInputs"].or_else(std::ssize(choice.positions));
  CHECK(std::ssize(choice.positions) == inputs);
}

void check_select(const Json& test) {
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> bytes;
  for (const Coin& coin : sized_coins(test["utxos"], 0)) {
    values.push_back(coin.amount);
    bytes.push_back(coin.bytes);
  }
  CoinRuns runs;
  CHECK(!runs.assign(values, {.each = bytes}).failed());
  PaymentTerms terms;
  terms.target_sats = test["target"].number;
  terms.bytes_max = static_cast<std::uint64_t>(test["maxWeight"].number / 4);
  const CoinSelection selection = select_coins(runs, terms, {});
  if (test["expectError"].is(Kind::text)) {
    CHECK(selection.failure == ErrorCode::selection_over_limits);
    return;
  }
  CHECK(selection.failure == ErrorCode::ok);
  CHECK(selection.chosen.bytes <= terms.bytes_max);
  for (const std::int64_t wanted : numbers(test["mustContain"])) {
    CHECK(std::any_of(selection.picked.begin(), selection.picked.end(),
                      [&](std::uint32_t id) { return values[id] == wanted; }));
  }
}

void check_waste(const Json& test) {
  const std::vector<std::int64_t> inputs = numbers(test["inputs"]);
  const std::vector<std::int64_t> bumps = numbers(test["bumpFees"]);
  std::vector<Coin> coins;
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    std::int64_t bump = bumps.empty() ? 0 : bumps[at];
    // Ancestors that two inputs share are paid for once.
    if (at == 0) bump -= test["groupDiscount"].or_else(0);
    coins.push_back({.amount = inputs[at] - test["fee"].number - bump,
                     .extra = test["fee"].number - test["longTermFee"].number + bump});
  }
  const Goal goal{.target = test["target"].number,
                  .change_from = test["changeFee"].number + test["minViableChange"].number,
                  .change_cost = test["changeCost"].number};
  std::vector<std::uint32_t> all(coins.size());
  std::iota(all.begin(), all.end(), 0U);
  CHECK(choice_of(candidates(coins), goal, all).waste == test["expectWaste"].number);
}

void check_effective_value(const Json& test) {
  const std::int64_t rate =
      test["feerateSatPerKvB"].or_else(test["fees"].or_else(0) > 0 ? 1000 : 0);
  const std::int64_t bytes = std::max<std::int64_t>(test["inputBytes"].number, 0);
  const std::int64_t value = test["value"].number;
  const Pricing pricing{{.paid = {rate * 1'000'000}, .now = {}, .long_term = {}}, value};
  const Units effective = effective_value(pricing, value, static_cast<std::uint32_t>(bytes));
  CHECK(effective == pricing.units(test["expect"].number));
}

}  // namespace

int main() {
  const Json cases = test::read_vectors("selection/core.json");
  std::size_t checked = 0;
  const auto each = [&](const char* name, void (*check)(const Json&)) {
    for (const Json& test : cases[name].list) {
      const int failed_before = test::checks_failed;
      check(test);
      if (test::checks_failed > failed_before) {
        std::fprintf(stderr, "  in %s: %s\n", name, test["name"].text.c_str());
      }
      ++checked;
    }
  };
  each("bnb", check_branch_and_bound);
  each("coingrinder", check_coin_grinder);
  each("srd", check_random_draw);
  each("knapsack", check_knapsack);
  each("select", check_select);
  each("waste", check_waste);
  each("effective_value", check_effective_value);
  CHECK(checked == 93);
  return test::report();
}
