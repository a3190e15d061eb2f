#include "select/select_tokens.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "select/pool.h"
#include "select/searches.h"

namespace antara {
namespace {

constexpr std::size_t exhaustive_steps = std::size_t{1} << (exact_coins_max + 1);
// An exact match saves an output and a fragment for good, so its search may take longer than that
// for changeless native payments: about a millisecond.
constexpr std::size_t exact_match_steps = 400'000;
constexpr std::size_t fewest_bytes_steps = 20'000;
// Limits exact matches, because every match takes coins that a later payment may need: matches of
// many inputs use up the small amounts. So a match takes two coins, or one more than necessary.
// With an ample supply of coins smaller than the amount it takes four, and one more each time that
// the supply doubles. Wallets with few coins take any match.
constexpr std::size_t exact_inputs_scarce = 2;
constexpr std::size_t exact_inputs_ample = 4;
constexpr std::size_t exact_inputs_max = 10;
constexpr std::ptrdiff_t ample_supply = 700;
// Nodes validate a transfer in time quadratic in its token inputs: 30 took a daemon one second, 105
// took fifteen. From here on, fewer inputs are worth more than a saved output.
constexpr std::size_t cheap_inputs = 30;
constexpr std::size_t few_coins = 24;
// A coin with this many equal ones is easiest to replace; such coins are tried first.
constexpr std::size_t common_coins = 4;
constexpr std::size_t searched_coins = 4;

/// The token side of one way to transfer.
struct TokenChoice {
  std::vector<std::uint32_t> ids;
  std::int64_t change = 0;
  std::uint64_t bytes = 0;  // inputs and change
};

/// Finds the token sides worth considering.
class TokenSearch {
 public:
  TokenSearch(const CoinRuns& tokens, const TransferTerms& terms, InputLimits limits)
      : terms_(terms),
        limits_(limits),
        // With rates of zero every token coin is worth spending.
        pricing_({}, tokens.total()),
        pool_(tokens, pricing_),
        target_(pricing_.units(terms.amount)) {}

  /// Returns an exact match, if there is one, then the choice of fewest bytes, with and without
  /// sweeping.
  [[nodiscard]] std::vector<TokenChoice> choices() {
    const Candidates reaching = pool_.largest(target_, limits_.count_max);
    if (sum_of(reaching.effective) < target_) return {};
    least_inputs_ = reaching.size();
    leading_ = least_inputs_ - std::min(least_inputs_, searched_coins);
    const Units missing = target_ - sum_of(std::span{reaching.effective}.first(leading_));
    coins_ = pool_.searchable(least_inputs_, missing, missing);
    // The cost of a token coin is its bytes.
    for (std::size_t at = 0; at < coins_.size(); ++at) coins_.extra[at] = coins_.bytes[at];

    keep(exact_match());
    const Choice lightest = fewest_bytes();
    if (lightest.found && lightest.effective > target_ && terms_.sweep > 0) keep(swept(lightest));
    keep(lightest);
    return std::move(found_);
  }

  /// Returns a choice that is easy to find, or none.
  [[nodiscard]] std::vector<TokenChoice> easy_choices() {
    found_.clear();
    coins_ = pool_.fitting(limits_);
    for (Choice& choice : greedy_choices(coins_, target_, limits_, terms_.token_change_bytes)) {
      keep(with_change(std::move(choice.positions)));
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool small() const { return pool_.size() <= exact_coins_max; }

  [[nodiscard]] Choice exact_match() const {
    const Goal exact{.target = target_, .excess_max = 0};
    if (small()) return branch_and_bound(coins_, exact, limits_, exhaustive_steps);
    const std::vector<std::uint32_t> common = positions_of_common();
    const Candidates common_only = at_positions(common);
    const std::size_t count_max = std::min(inputs_worthwhile(), exact_inputs_allowed());
    std::size_t steps = 0;
    const auto find = [&](const Candidates& coins, std::size_t leading, std::size_t count) {
      Choice match = fixed_count(coins, exact, leading, count - leading, 0,
                                 std::min(exact_match_steps / 4, exact_match_steps - steps));
      steps += match.steps;
      return match;
    };
    for (std::size_t count = least_inputs_; count <= count_max; ++count) {
      if (leading_ == 0) {
        Choice match = find(common_only, 0, count);
        for (std::uint32_t& at : match.positions) at = common[at];
        if (match.found && within(match, limits_)) return match;
      }
      Choice match = find(coins_, leading_, count);
      if (match.found && within(match, limits_)) return match;
      if (steps >= exact_match_steps) break;
    }
    return {};
  }

  [[nodiscard]] std::vector<std::uint32_t> positions_of_common() const {
    std::vector<std::uint32_t> positions;
    for (std::size_t begin = 0, end = 0; begin < coins_.size(); begin = end) {
      while (end < coins_.size() && coins_.interchangeable(begin, end)) ++end;
      if (end - begin < common_coins) continue;
      for (std::size_t at = begin; at < end; ++at)
        positions.push_back(static_cast<std::uint32_t>(at));
    }
    return positions;
  }

  [[nodiscard]] Candidates at_positions(std::span<const std::uint32_t> positions) const {
    Candidates coins;
    for (const std::uint32_t at : positions) {
      coins.push_back(coins_.effective[at], coins_.extra[at], coins_.bytes[at], coins_.ids[at]);
    }
    return coins;
  }

  [[nodiscard]] std::size_t exact_inputs_allowed() const {
    if (pool_.size() <= few_coins) return leading_ + exact_inputs_max;
    const auto smaller = std::partition_point(coins_.effective.begin(), coins_.effective.end(),
                                              [&](Units value) { return value >= target_; });
    std::size_t allowed = exact_inputs_scarce;
    auto supply = coins_.effective.end() - smaller;
    if (supply >= ample_supply) allowed = exact_inputs_ample;
    for (; supply >= 2 * ample_supply; supply /= 2) ++allowed;
    return std::min(std::max(allowed, least_inputs_ + 1), leading_ + exact_inputs_max);
  }

  /// Returns more inputs than necessary only as long as they cost nodes little.
  [[nodiscard]] std::size_t inputs_worthwhile() const {
    return std::min(limits_.count_max, std::max(least_inputs_, cheap_inputs));
  }

  [[nodiscard]] Choice fewest_bytes() const {
    const Goal reach{.target = target_};
    const bool same_size =
        std::equal(coins_.bytes.begin() + 1, coins_.bytes.end(), coins_.bytes.begin());
    Choice choice;
    if (small()) {
      choice = coin_grinder(coins_, reach, limits_, exhaustive_steps);
    } else if (same_size) {
      choice =
          fixed_count(coins_, reach, leading_, least_inputs_ - leading_, 0, fewest_bytes_steps);
    } else {
      choice = coin_grinder(coins_, reach, limits_, fewest_bytes_steps);
    }
    return choice.found ? with_change(std::move(choice.positions)) : choice;
  }

  [[nodiscard]] Choice with_change(std::vector<std::uint32_t> positions) const {
    const Goal goal{.target = target_, .change_from = 1, .change_bytes = terms_.token_change_bytes};
    return choice_of(coins_, goal, std::move(positions));
  }

  /// Adds the smallest coins to a choice that has change anyway.
  [[nodiscard]] Choice swept(const Choice& lightest) const {
    std::vector<bool> chosen(coins_.size());
    for (const std::uint32_t at : lightest.positions) chosen[at] = true;
    std::vector<std::uint32_t> positions = lightest.positions;
    std::uint64_t bytes = lightest.bytes;
    std::size_t more = terms_.sweep;
    for (std::size_t at = coins_.size(); at-- > 0 && more > 0;) {
      if (chosen[at]) continue;
      bytes += coins_.bytes[at];
      if (positions.size() >= inputs_worthwhile() || bytes > limits_.bytes_max) break;
      positions.push_back(static_cast<std::uint32_t>(at));
      --more;
    }
    return with_change(std::move(positions));
  }

  void keep(const Choice& choice) {
    if (!choice.found || !within(choice, limits_)) return;
    TokenChoice kept{.ids = {}, .change = -terms_.amount, .bytes = choice.bytes};
    for (const std::uint32_t at : choice.positions) {
      kept.ids.push_back(coins_.ids[at]);
      kept.change += pricing_.value_sats(coins_.effective[at], coins_.bytes[at]);
    }
    std::sort(kept.ids.begin(), kept.ids.end());
    found_.push_back(std::move(kept));
  }

  const TransferTerms& terms_;
  const InputLimits limits_;
  const Pricing pricing_;
  const Pool pool_;
  const Units target_;
  std::size_t least_inputs_ = 0;
  std::size_t leading_ = 0;
  Candidates coins_;
  std::vector<TokenChoice> found_;
};

/// Returns true if there is no fee, and so no native input.
bool is_free(const TransferTerms& terms) {
  return terms.fixed_fee_sats.value_or(terms.fee_rate.micro_sats) == 0;
}

/// Returns the payment that the native coins make beside these tokens.
PaymentTerms fee_terms(const TransferTerms& terms, const TokenChoice& tokens) {
  PaymentTerms payment;
  payment.base_bytes = terms.base_bytes + tokens.bytes;
  payment.change_bytes = terms.change_bytes;
  payment.change_min_sats = terms.change_min_sats;
  payment.fixed_fee_sats = terms.fixed_fee_sats;
  payment.inputs_max = terms.inputs_max - tokens.ids.size();
  payment.bytes_max = terms.bytes_max;
  // A fixed fee makes all sizes cost the same, so only the excess is waste, and bytes decide. With
  // a fee by rate, a long-term rate of zero makes the whole cost of the native side waste.
  if (!terms.fixed_fee_sats) {
    payment.fee_rate = terms.fee_rate;
    payment.change_spend_sats = terms.change_spend_sats;
  }
  return payment;
}

/// Selects native coins for these tokens; none if there is nothing to pay.
CoinSelection pay_fee(const CoinRuns& coins, const TransferTerms& terms, const TokenChoice& tokens,
                      Bytes seed) {
  const PaymentTerms payment = fee_terms(terms, tokens);
  if (!is_free(terms)) return select_coins(coins, payment, seed);
  CoinSelection nothing;
  nothing.chosen.bytes = payment.base_bytes;
  if (payment.base_bytes > payment.bytes_max) nothing.failure = ErrorCode::selection_over_limits;
  return nothing;
}

std::uint32_t largest_input(const CoinRuns& coins) {
  return coins.runs().empty() ? 0 : coins.runs().back().input_bytes;
}

std::uint32_t smallest_input(const CoinRuns& coins) {
  return coins.runs().empty() ? 0 : coins.runs().front().input_bytes;
}

/// Returns the most token inputs, if nothing but their number is limited. A fee takes one native
/// input at least.
std::size_t token_inputs_allowed(const TransferTerms& terms) {
  const std::size_t native_inputs = is_free(terms) ? 0 : 1;
  return std::min(terms.token_inputs_max,
                  terms.inputs_max - std::min(terms.inputs_max, native_inputs));
}

/// Returns the number of token inputs that fit beside `other_bytes` in a transaction.
std::size_t token_inputs_in(const TransferTerms& terms, const CoinRuns& tokens,
                            std::uint64_t other_bytes) {
  if (other_bytes > terms.bytes_max) return 0;
  const std::uint64_t token_bytes = std::max(largest_input(tokens), 1U);
  const std::uint64_t by_size = (terms.bytes_max - other_bytes) / token_bytes;
  return static_cast<std::size_t>(std::min(by_size, std::uint64_t{token_inputs_allowed(terms)}));
}

/// Returns the tokens that one transfer can send.
std::int64_t sendable(const CoinRuns& tokens, InputLimits limits) {
  const Pricing pricing{{}, tokens.total()};
  return greedy_sats(Pool{tokens, pricing}, pricing, limits);
}

/// Plans as few merges as possible of the smallest coins that the transfer needs. When these are
/// used up, coins of earlier steps are merged again.
std::vector<ConsolidationStep> consolidation_plan(const CoinRuns& tokens, const CoinRuns& coins,
                                                  const TransferTerms& terms) {
  const std::uint64_t native_bytes =
      is_free(terms) ? 0 : std::uint64_t{smallest_input(coins)} + terms.change_bytes;
  const std::uint64_t other_bytes = terms.base_bytes + native_bytes;
  const std::size_t merged_max = token_inputs_in(terms, tokens, other_bytes);
  const std::size_t sent_max =
      token_inputs_in(terms, tokens, other_bytes + terms.token_change_bytes);
  if (merged_max < 2 || sent_max < 1) return {};

  const Pricing pricing{{}, tokens.total()};
  const Candidates needed = Pool{tokens, pricing}.largest(pricing.units(terms.amount), SIZE_MAX);
  std::vector<ConsolidationStep> plan;
  std::size_t left = needed.size();    // coins to send after the steps so far
  std::size_t unused = needed.size();  // coins that no step has merged yet
  std::uint32_t unmerged_step = 0;     // the first step whose coin no other step has merged
  while (left > sent_max) {
    const std::size_t merged = std::min(merged_max, left - sent_max + 1);
    ConsolidationStep step;
    step.bytes = other_bytes + (merged - std::min(merged, unused)) * largest_input(tokens);
    for (std::size_t i = 0; i < merged; ++i) {
      if (unused == 0) {
        step.amount += plan[unmerged_step].amount;
        step.steps.push_back(unmerged_step++);
        continue;
      }
      const std::size_t at = --unused;
      step.tokens.push_back(needed.ids[at]);
      step.amount += pricing.value_sats(needed.effective[at], needed.bytes[at]);
      step.bytes += needed.bytes[at];
    }
    std::sort(step.tokens.begin(), step.tokens.end());
    step.fee_sats = terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, step.bytes));
    plan.push_back(std::move(step));
    left -= merged - 1;
  }
  return plan;
}

/// Chooses between token sides by the cost of the whole transfer.
class TransferSelecting {
 public:
  TransferSelecting(const CoinRuns& tokens, const CoinRuns& coins, const TransferTerms& terms,
                    Bytes seed)
      : tokens_(tokens), coins_(coins), terms_(terms), seed_(seed) {}

  TransferSelection run() {
    if (terms_.amount > tokens_.total()) {
      return failure(ErrorCode::insufficient_tokens, tokens_.total());
    }
    const InputLimits limits = token_limits();
    TokenSearch search{tokens_, terms_, limits};
    compare(search.choices());
    if (!entered_) compare(search.easy_choices());
    if (entered_) return std::move(best_);
    if (too_few_sats_) return failure(ErrorCode::insufficient_funds, *too_few_sats_);
    return over_limits(limits);
  }

 private:
  void compare(std::vector<TokenChoice> choices) {
    for (TokenChoice& choice : choices) {
      const CoinSelection fee = pay_fee(coins_, terms_, choice, seed_);
      if (fee.failure != ErrorCode::ok) {
        if (fee.failure == ErrorCode::insufficient_funds) too_few_sats_ = fee.available_sats;
        continue;
      }
      enter(std::move(choice), fee);
      // With a fixed fee, the choices are already in order of preference.
      if (terms_.fixed_fee_sats) break;
    }
  }

  /// Returns limits that leave room for the lightest native input, if there is a fee to pay.
  [[nodiscard]] InputLimits token_limits() const {
    const std::uint32_t native_bytes = is_free(terms_) ? 0 : smallest_input(coins_);
    const std::uint64_t taken = terms_.base_bytes + native_bytes;
    return {.count_max = token_inputs_allowed(terms_),
            .bytes_max = terms_.bytes_max - std::min(terms_.bytes_max, taken)};
  }

  void enter(TokenChoice tokens, const CoinSelection& fee) {
    Int128 cost = fee.chosen.fee_sats;
    if (fee.chosen.change_sats > 0) cost += terms_.change_spend_sats;
    if (tokens.change > 0) cost += fee_sats(terms_.fee_rate, smallest_input(tokens_));
    if (entered_ && cost >= best_cost_) return;
    entered_ = true;
    best_cost_ = cost;
    best_.tokens = std::move(tokens.ids);
    best_.coins = fee.picked;
    best_.token_change = tokens.change;
    best_.change_sats = fee.chosen.change_sats;
    best_.fee_sats = fee.chosen.fee_sats;
    best_.bytes = fee.chosen.bytes;
  }

  [[nodiscard]] TransferSelection over_limits(InputLimits limits) const {
    TransferSelection selection =
        failure(ErrorCode::selection_over_limits, sendable(tokens_, limits));
    selection.plan = consolidation_plan(tokens_, coins_, terms_);
    return selection;
  }

  [[nodiscard]] static TransferSelection failure(ErrorCode code, std::int64_t available) {
    TransferSelection selection;
    selection.failure = code;
    selection.available = available;
    return selection;
  }

  const CoinRuns& tokens_;
  const CoinRuns& coins_;
  const TransferTerms& terms_;
  const Bytes seed_;
  TransferSelection best_;
  Int128 best_cost_ = 0;
  bool entered_ = false;
  std::optional<std::int64_t> too_few_sats_;  // value of all native coins, if it is not enough
};

}  // namespace

Error check_terms(const TransferTerms& terms) noexcept {
  if (terms.amount < 1) return {ErrorCode::payment_out_of_range, 0};
  if (terms.token_change_bytes > element_bytes_max) {
    return {ErrorCode::input_bytes_out_of_range, 0};
  }
  PaymentTerms payment = fee_terms(terms, {});
  payment.target_sats = 1;  // unlike a payment, a transfer may be free
  return check_terms(payment);
}

TransferSelection select_transfer(const CoinRuns& tokens, const CoinRuns& coins,
                                  const TransferTerms& terms, Bytes seed) {
  return TransferSelecting{tokens, coins, terms, seed}.run();
}

}  // namespace antara
