#include "select/select_coins.h"

#include <algorithm>
#include <array>
#include <utility>

#include "hash/sha256.h"
#include "select/pool.h"
#include "select/searches.h"

namespace antara {
namespace {

// The work of one selection, in steps of a few nanoseconds each.
constexpr std::size_t exhaustive_steps = std::size_t{1} << (exact_coins_max + 1);
constexpr std::size_t least_change_steps = 4096;
constexpr std::size_t grinder_steps = 2'000;
constexpr std::size_t last_resort_steps = 100'000;
constexpr std::size_t exact_sum_steps = 32'768;
constexpr std::size_t consolidation_steps = 32'768;

// If there are many inputs, the searches choose this many; the others are the most valuable coins.
constexpr std::size_t searched_coins = 4;
// The most inputs beyond the necessary ones with which to look for a changeless payment.
constexpr std::size_t inputs_over_least = 12;
// The most coins that one payment consolidates, however cheap bytes are.
constexpr std::size_t consolidated_inputs_max = 100;
// An excess below this part of the cost of change is not worth more search.
constexpr Units good_enough_part = 256;

/// One selection, from candidates to an outcome.
class Selecting {
 public:
  Selecting(const CoinRuns& coins, const PaymentTerms& terms, Bytes seed)
      : terms_(terms),
        seed_(seed),
        pricing_({.paid = terms.fixed_fee_sats ? FeeRate{} : terms.fee_rate,
                  .now = terms.fee_rate,
                  .long_term = terms.long_term_rate},
                 coins.total()),
        pool_(coins, pricing_) {
    goal_.target = pricing_.fee(terms.base_bytes);
    goal_.change_from = pricing_.fee(terms.change_bytes) + pricing_.units(terms.change_min_sats);
    goal_.change_cost =
        pricing_.price_now(terms.change_bytes) + pricing_.units(terms.change_spend_sats);
    goal_.change_bytes = terms.change_bytes;
  }

  CoinSelection run() {
    // Compared before amounts are scaled and added, because huge amounts would overflow.
    const std::int64_t total = pool_.total_sats();
    const std::int64_t fixed = terms_.fixed_fee_sats.value_or(0);
    if (terms_.target_sats > total || fixed > total - terms_.target_sats) {
      return failure(ErrorCode::insufficient_funds, total);
    }
    goal_.target += pricing_.units(terms_.target_sats + fixed);
    if (pool_.effective_total() < goal_.target) {
      return failure(ErrorCode::insufficient_funds, total);
    }
    if (terms_.base_bytes > terms_.bytes_max) {
      return failure(ErrorCode::selection_over_limits, 0);
    }
    limits_ = {.count_max = terms_.inputs_max, .bytes_max = terms_.bytes_max - terms_.base_bytes};

    const Candidates reaching = pool_.largest(goal_.target, limits_.count_max);
    if (sum_of(reaching.effective) < goal_.target) {
      return over_limits();
    }
    least_inputs_ = reaching.size();
    if (pool_.size() <= exact_coins_max) {
      search_everything();
    } else {
      search_for_less(reaching);
    }
    if (ways_.empty()) {
      consider(Method::coin_grinder, coin_grinder(coins_, goal_, limits_, last_resort_steps));
    }
    if (ways_.empty()) be_greedy();
    return ways_.empty() ? over_limits() : outcome();
  }

 private:
  struct Way {
    Method method;
    Choice choice;
  };

  void search_everything() {
    coins_ = pool_.searchable(0, 0, 0);
    consider(Method::branch_and_bound, branch_and_bound(coins_, goal_, limits_, exhaustive_steps));
    consider_largest_first();
  }

  void search_for_less(const Candidates& reaching) {
    const std::size_t leading = least_inputs_ - std::min(least_inputs_, searched_coins);
    const Units missing = goal_.target - sum_of(std::span{reaching.effective}.first(leading));
    coins_ = pool_.searchable(least_inputs_, missing, missing + goal_.change_from);
    const bool spending_gains = pricing_.extra(1000) < 0;
    if (spending_gains) {
      consolidate();
    } else {
      spend_little(leading);
    }
    consider_largest_first();
  }

  /// Selects if inputs cost more than they will later: as few as possible, changeless if that is
  /// cheaper.
  void spend_little(std::size_t leading) {
    const Units extra_min = *std::min_element(coins_.extra.begin(), coins_.extra.end());
    find_least_change();
    const Units least = ways_.empty() ? units_max : ways_.front().choice.waste;

    Goal changeless = goal_;
    changeless.excess_max = goal_.change_from - 1;
    Choice best;
    std::size_t steps = 0;
    for (std::size_t count = least_inputs_; count <= least_inputs_ + inputs_over_least; ++count) {
      if (count > limits_.count_max || steps >= exact_sum_steps) break;
      const Units inputs_cost = static_cast<Units>(count) * extra_min;
      const Units bound = best.found ? std::min(least, best.waste) : least;
      if (inputs_cost >= bound) break;
      Choice found = fixed_count(coins_, changeless, leading, count - leading, good_enough(),
                                 std::min(exact_sum_steps / 4, exact_sum_steps - steps));
      steps += found.steps;
      if (better(found, best)) best = std::move(found);
      if (best.found && best.effective - goal_.target <= good_enough()) break;
    }
    consider(Method::exact_sum, std::move(best));
  }

  /// Finds the choice of fewest bytes with change, and of several the one with the least change.
  void find_least_change() {
    const Goal with_change{.target = goal_.target + goal_.change_from};
    const bool same_size =
        std::equal(coins_.bytes.begin() + 1, coins_.bytes.end(), coins_.bytes.begin());
    if (!same_size) {
      InputLimits limits = limits_;
      limits.bytes_max -= std::min<std::uint64_t>(limits.bytes_max, goal_.change_bytes);
      consider(Method::coin_grinder, coin_grinder(coins_, with_change, limits, grinder_steps));
      return;
    }
    std::size_t count = 0;
    Units sum = 0;
    while (count < coins_.size() && sum < with_change.target) sum += coins_.effective[count++];
    if (sum < with_change.target) return;
    const std::size_t leading = count - std::min(count, searched_coins);
    consider(Method::least_change,
             fixed_count(coins_, with_change, leading, count - leading, 0, least_change_steps));
  }

  /// Selects if inputs cost less than they will later: more of them than necessary, but not the
  /// whole pool. The pool's variety makes changeless payments possible, which waste does not
  /// measure. So the number of coins is a fifth above the payment's share of the pool's value. With
  /// very cheap bytes it is the number of coins that now cost what one will cost later.
  void consolidate() {
    const auto size = static_cast<Int128>(pool_.size());
    const Int128 share = divide_up(6 * size * goal_.target, Int128{5} * pool_.effective_total());
    const std::int64_t rate_now = std::max<std::int64_t>(terms_.fee_rate.micro_sats, 1);
    const std::int64_t cheap = terms_.long_term_rate.micro_sats / rate_now;
    const auto wanted = static_cast<std::size_t>(
        std::min<Int128>(std::max<Int128>(share, cheap), consolidated_inputs_max));
    const std::size_t count =
        std::min({std::max(wanted, least_inputs_), limits_.count_max, coins_.size()});

    Goal changeless = goal_;
    changeless.excess_max = goal_.change_from - 1;
    Choice best;
    std::size_t steps = 0;
    const std::size_t fewest = std::max(least_inputs_, count - std::min(count, inputs_over_least));
    for (std::size_t inputs = count; inputs >= fewest && !best.found; --inputs) {
      if (steps >= consolidation_steps) break;
      best = small_coins_and_pair(coins_, changeless, inputs, good_enough(),
                                  consolidation_steps - steps);
      steps += best.steps;
    }
    consider(Method::consolidation, std::move(best));

    Goal with_change = goal_;
    with_change.target += goal_.change_from;
    InputLimits limits = limits_;
    limits.count_max = count;
    limits.bytes_max -= std::min<std::uint64_t>(limits.bytes_max, goal_.change_bytes);
    Random random{seed_hash()};
    consider(Method::random_draw, single_random_draw(coins_, with_change, count, limits, random));
  }

  /// Looks for any way at all, with room for change and without.
  void be_greedy() {
    coins_ = pool_.fitting(limits_);
    for (Choice& choice : greedy_choices(coins_, goal_.target, limits_, goal_.change_bytes)) {
      consider(Method::coin_grinder, std::move(choice));
    }
  }

  [[nodiscard]] Units good_enough() const { return goal_.change_cost / good_enough_part; }

  void consider_largest_first() {
    Units sum = 0;
    std::vector<std::uint32_t> positions;
    while (sum < goal_.target) {
      const auto at = static_cast<std::uint32_t>(positions.size());
      sum += coins_.effective[at];
      positions.push_back(at);
    }
    consider(Method::largest_first, choice_of(coins_, goal_, std::move(positions)));
  }

  /// Adds a choice to the comparison if it meets the terms.
  void consider(Method method, Choice choice) {
    if (!choice.found) return;
    // The search may have had another goal.
    choice = choice_of(coins_, goal_, std::move(choice.positions));
    if (choice.positions.size() > limits_.count_max || choice.bytes > limits_.bytes_max) return;
    ways_.push_back({method, std::move(choice)});
  }

  CoinSelection outcome() {
    std::stable_sort(ways_.begin(), ways_.end(),
                     [](const Way& a, const Way& b) { return better(a.choice, b.choice); });
    CoinSelection selection;
    for (const Way& way : ways_) selection.considered.push_back(alternative(way));
    selection.chosen = selection.considered.front();
    for (const std::uint32_t at : ways_.front().choice.positions) {
      selection.picked.push_back(coins_.ids[at]);
    }
    std::sort(selection.picked.begin(), selection.picked.end());
    return selection;
  }

  [[nodiscard]] Alternative alternative(const Way& way) const {
    const Choice& choice = way.choice;
    std::int64_t surplus = -terms_.target_sats;
    for (const std::uint32_t at : choice.positions) {
      surplus += pricing_.value_sats(coins_.effective[at], coins_.bytes[at]);
    }
    const std::uint64_t bytes = terms_.base_bytes + choice.bytes;
    const bool has_change = goal_.has_change(choice.effective - goal_.target);
    const std::int64_t fee =
        has_change ? terms_.fixed_fee_sats.value_or(fee_sats(terms_.fee_rate, bytes)) : surplus;
    return {.method = way.method,
            .inputs = choice.positions.size(),
            .bytes = bytes,
            .fee_sats = fee,
            .change_sats = surplus - fee,
            .waste_sats = pricing_.sats(choice.waste)};
  }

  [[nodiscard]] CoinSelection over_limits() const {
    return failure(ErrorCode::selection_over_limits, greedy_sats(pool_, pricing_, limits_));
  }

  [[nodiscard]] static CoinSelection failure(ErrorCode code, std::int64_t available_sats) {
    CoinSelection selection;
    selection.failure = code;
    selection.available_sats = available_sats;
    return selection;
  }

  /// Returns the caller's seed, or a seed that equal wallets and terms share, so that making a user
  /// retry reveals no further coins.
  [[nodiscard]] Hash256 seed_hash() const {
    Sha256 hash;
    if (!seed_.empty()) return hash.add(seed_).finish();
    const auto add = [&](std::uint64_t number) {
      std::array<std::uint8_t, 8> bytes;
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        bytes[at] = static_cast<std::uint8_t>(number >> (8 * at));
      }
      hash.add(bytes);
    };
    add(static_cast<std::uint64_t>(terms_.target_sats));
    add(static_cast<std::uint64_t>(terms_.fee_rate.micro_sats));
    for (std::size_t at = 0; at < coins_.size(); ++at) {
      add(static_cast<std::uint64_t>(coins_.effective[at]));
      add(coins_.bytes[at]);
    }
    return hash.finish();
  }

  const PaymentTerms& terms_;
  const Bytes seed_;
  const Pricing pricing_;
  const Pool pool_;
  Goal goal_;
  InputLimits limits_;
  std::size_t least_inputs_ = 0;
  Candidates coins_;
  std::vector<Way> ways_;
};

}  // namespace

Error check_terms(const PaymentTerms& terms) noexcept {
  const auto rate_in_range = [](FeeRate rate) {
    return rate.micro_sats >= 0 && rate.micro_sats <= fee_rate_max.micro_sats;
  };
  if (!rate_in_range(terms.fee_rate) || !rate_in_range(terms.long_term_rate)) {
    return {ErrorCode::fee_rate_out_of_range, 0};
  }
  const std::int64_t fixed_fee = terms.fixed_fee_sats.value_or(0);
  if (terms.target_sats < 0 || fixed_fee < 0 || terms.change_spend_sats < 0 ||
      terms.change_min_sats < 1 ||
      std::max(terms.change_min_sats, terms.change_spend_sats) > change_sats_max) {
    return {ErrorCode::payment_out_of_range, 0};
  }
  if (std::max(terms.base_bytes, std::uint64_t{terms.change_bytes}) > element_bytes_max) {
    return {ErrorCode::input_bytes_out_of_range, 0};
  }
  // A payment of nothing would be a transaction without inputs.
  const std::int64_t base_fee =
      terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, terms.base_bytes));
  if (terms.target_sats == 0 && base_fee == 0) return {ErrorCode::payment_out_of_range, 0};
  return {};
}

CoinSelection select_coins(const CoinRuns& coins, const PaymentTerms& terms, Bytes seed) {
  return Selecting{coins, terms, seed}.run();
}

}  // namespace antara
