#include "select/searches.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

namespace antara {
namespace {

/// Data about the candidates from each position on: their sums and extremes, and the position of
/// the next one that is not interchangeable. There is one more element than candidates, for the
/// empty rest.
struct Rest {
  std::vector<Units> effective;
  std::vector<Units> extra_gain;  // the sum of negative extra fees: the most that waste can fall
  std::vector<Units> extra_min;
  std::vector<std::uint32_t> bytes_min;
  std::vector<std::uint32_t> next_kind;

  explicit Rest(const Candidates& coins)
      : effective(coins.size() + 1, 0),
        extra_gain(coins.size() + 1, 0),
        extra_min(coins.size() + 1, units_max),
        bytes_min(coins.size() + 1, UINT32_MAX),
        next_kind(coins.size() + 1, static_cast<std::uint32_t>(coins.size())) {
    for (std::size_t at = coins.size(); at-- > 0;) {
      effective[at] = effective[at + 1] + coins.effective[at];
      extra_gain[at] = extra_gain[at + 1] + std::min<Units>(coins.extra[at], 0);
      extra_min[at] = std::min(extra_min[at + 1], coins.extra[at]);
      bytes_min[at] = std::min(bytes_min[at + 1], coins.bytes[at]);
      const bool same = at + 1 < coins.size() && coins.interchangeable(at, at + 1);
      next_kind[at] = same ? next_kind[at + 1] : static_cast<std::uint32_t>(at + 1);
    }
  }
};

/// The coins chosen so far on one branch.
struct Branch {
  const Candidates& coins;
  std::vector<std::uint32_t> positions;
  Units effective = 0;
  Units extra = 0;
  std::uint64_t bytes = 0;

  void add(std::size_t at) {
    positions.push_back(static_cast<std::uint32_t>(at));
    effective += coins.effective[at];
    extra += coins.extra[at];
    bytes += coins.bytes[at];
  }
  std::size_t remove_last() {
    const std::size_t at = positions.back();
    positions.pop_back();
    effective -= coins.effective[at];
    extra -= coins.extra[at];
    bytes -= coins.bytes[at];
    return at;
  }
  void store(Choice& choice, const Goal& goal) const {
    const Units excess = effective - goal.target;
    choice.positions = positions;
    choice.effective = effective;
    choice.waste = extra + goal.cost_of(excess);
    choice.bytes = bytes + goal.bytes_of(excess);
    choice.found = true;
  }
};

/// Returns the fewest coins from `next` on that can make up for `missing`.
Units coins_needed(const Candidates& coins, std::size_t next, Units missing) {
  return (missing + coins.effective[next] - 1) / coins.effective[next];
}

/// Returns true if branch and bound can still find a better choice below `branch`.
bool promising(const Branch& branch, std::size_t next, const Rest& rest, const Goal& goal,
               InputLimits limits, const Choice& best) {
  const Candidates& coins = branch.coins;
  if (next == coins.size() || branch.positions.size() >= limits.count_max) return false;
  if (branch.bytes + rest.bytes_min[next] > limits.bytes_max) return false;
  const Units missing = goal.target - branch.effective;
  if (missing > rest.effective[next]) return false;

  Units waste_min = branch.extra + rest.extra_gain[next];
  Units more = 1;
  if (missing > 0) {
    more = coins_needed(coins, next, missing);
    if (rest.extra_min[next] > 0) waste_min += more * rest.extra_min[next];
  } else {
    const Units excess = -missing;
    if (excess > goal.excess_max - coins.effective.back()) return false;
    // After the target is reached, another coin helps only if spending it now is a gain, or if it
    // turns an excess into change that costs less.
    const bool can_change =
        !goal.has_change(excess) && goal.has_change(excess + rest.effective[next]);
    if (rest.extra_gain[next] == 0) {
      if (!can_change) return false;
      waste_min += rest.extra_min[next] + goal.change_cost;
    }
  }
  if (!best.found || waste_min < best.waste) return true;
  const std::uint64_t bytes_min =
      branch.bytes + static_cast<std::uint64_t>(more) * rest.bytes_min[next];
  return waste_min == best.waste && bytes_min < best.bytes;
}

}  // namespace

Choice choice_of(const Candidates& coins, const Goal& goal, std::vector<std::uint32_t> positions) {
  Choice choice;
  for (const std::uint32_t at : positions) {
    choice.effective += coins.effective[at];
    choice.waste += coins.extra[at];
    choice.bytes += coins.bytes[at];
  }
  choice.waste += goal.cost_of(choice.effective - goal.target);
  choice.bytes += goal.bytes_of(choice.effective - goal.target);
  choice.positions = std::move(positions);
  choice.found = true;
  return choice;
}

Choice branch_and_bound(const Candidates& coins, const Goal& goal, InputLimits limits,
                        std::size_t steps_max) {
  const Rest rest{coins};
  Choice best;
  Branch branch{.coins = coins, .positions = {}};
  std::size_t next = 0;
  while (best.steps < steps_max) {
    if (!promising(branch, next, rest, goal, limits, best)) {
      if (branch.positions.empty()) {
        best.proven = true;
        break;
      }
      next = rest.next_kind[branch.remove_last()];
      continue;
    }
    branch.add(next++);
    ++best.steps;
    const Units excess = branch.effective - goal.target;
    const std::uint64_t bytes = branch.bytes + goal.bytes_of(excess);
    if (excess < 0 || excess > goal.excess_max || bytes > limits.bytes_max) continue;
    const Units waste = branch.extra + goal.cost_of(excess);
    const bool wins =
        !best.found || waste < best.waste || (waste == best.waste && bytes < best.bytes);
    if (wins) branch.store(best, goal);
  }
  return best;
}

Choice coin_grinder(const Candidates& coins, const Goal& goal, InputLimits limits,
                    std::size_t steps_max) {
  const Rest rest{coins};
  Choice best;
  Branch branch{.coins = coins, .positions = {}};
  const auto can_improve = [&](std::size_t next) {
    if (next == coins.size() || branch.positions.size() >= limits.count_max) return false;
    const Units missing = goal.target - branch.effective;
    if (missing <= 0 || missing > rest.effective[next]) return false;
    const std::uint64_t bytes_max = best.found ? best.bytes : limits.bytes_max;
    const auto more = static_cast<std::uint64_t>(coins_needed(coins, next, missing));
    return branch.bytes + more * rest.bytes_min[next] <= bytes_max;
  };
  std::size_t next = 0;
  while (best.steps < steps_max) {
    if (!can_improve(next)) {
      if (branch.positions.empty()) {
        best.proven = true;
        break;
      }
      next = rest.next_kind[branch.remove_last()];
      continue;
    }
    branch.add(next++);
    ++best.steps;
    const Units excess = branch.effective - goal.target;
    if (excess < 0 || branch.bytes > limits.bytes_max) continue;
    const bool wins = !best.found || branch.bytes < best.bytes ||
                      (branch.bytes == best.bytes && branch.effective < best.effective);
    if (wins) branch.store(best, goal);
  }
  return best;
}

namespace {

/// Searches sums of a fixed number of coins; see `fixed_count`.
class SumSearch {
 public:
  SumSearch(const Candidates& coins, const Goal& goal, Units good_enough, std::size_t steps_max)
      : coins_(coins),
        goal_(goal),
        good_enough_(good_enough),
        steps_max_(steps_max),
        branch_{.coins = coins, .positions = {}},
        end_(coins.size()) {}

  /// Coins from `end` on are used only if they are already in `branch`.
  void limit(std::size_t end) { end_ = end; }
  void take(std::size_t at) { branch_.add(at); }
  [[nodiscard]] Choice& best() { return best_; }

  void sums(std::size_t from, std::size_t count) {
    if (count == 1) return single(from);
    if (count == 2) return pair(from);
    if (end_ < from + count) return;
    const Units missing = goal_.target - branch_.effective;
    const std::size_t first =
        first_at_most(from, most(missing) - sum_of_next(end_ - count + 1, count - 1));
    // Start at the coin nearest to an equal share and continue towards larger ones: equal shares
    // use the small coins last, which later sums need for completion.
    std::size_t last = end_ - count + 1;
    for (std::size_t low = first; low < last;) {
      const std::size_t middle = low + (last - low) / 2;
      if (sum_of_next(middle, count) >= missing) {
        low = middle + 1;
      } else {
        last = middle;
      }
    }
    for (std::size_t at = last; at-- > first && !done();) {
      // An interchangeable coin before this one was already tried in its place.
      if (at > first && coins_.interchangeable(at - 1, at)) continue;
      ++best_.steps;
      branch_.add(at);
      sums(at + 1, count - 1);
      branch_.remove_last();
    }
  }

 private:
  void single(std::size_t from) {
    const Units missing = goal_.target - branch_.effective;
    const std::size_t past = partition(from, [&](Units value) { return value >= missing; });
    ++best_.steps;
    if (past == from) return;
    branch_.add(past - 1);
    consider();
    branch_.remove_last();
  }

  void pair(std::size_t from) {
    const Units missing = goal_.target - branch_.effective;
    if (end_ < from + 2) return;
    const std::size_t first = first_at_most(from, most(missing) - coins_.effective[end_ - 1]);
    // The larger coin of the pair is at least half of what is missing, so it is before this
    // position.
    std::size_t large = partition(from, [&](Units value) { return value >= missing - value; });
    std::size_t small = large - std::min<std::size_t>(large, 1);
    ++best_.steps;
    while (large-- > first && !done()) {
      ++best_.steps;
      const Units needed = missing - coins_.effective[large];
      while (small + 1 < end_ && coins_.effective[small + 1] >= needed) ++small;
      if (small == large) continue;
      const Units excess = coins_.effective[small] - needed;
      const Units waste =
          branch_.extra + coins_.extra[large] + coins_.extra[small] + goal_.cost_of(excess);
      if (excess > goal_.excess_max || (best_.found && waste >= best_.waste)) continue;
      branch_.add(large);
      branch_.add(small);
      consider();
      branch_.remove_last();
      branch_.remove_last();
    }
  }

  /// Returns the largest useful sum of coins that make up for `missing`.
  [[nodiscard]] Units most(Units missing) const {
    return goal_.excess_max > units_max - std::max<Units>(missing, 0) ? units_max
                                                                      : missing + goal_.excess_max;
  }

  [[nodiscard]] Units sum_of_next(std::size_t at, std::size_t count) const {
    const auto begin = coins_.effective.begin() + static_cast<std::ptrdiff_t>(at);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), Units{0});
  }

  /// Returns the first position from `from` on whose coin does not satisfy `holds`.
  template <typename Holds>
  [[nodiscard]] std::size_t partition(std::size_t from, Holds holds) const {
    const auto begin = coins_.effective.begin();
    return static_cast<std::size_t>(std::partition_point(begin + static_cast<std::ptrdiff_t>(from),
                                                         begin + static_cast<std::ptrdiff_t>(end_),
                                                         holds) -
                                    begin);
  }

  [[nodiscard]] std::size_t first_at_most(std::size_t from, Units limit) const {
    return partition(from, [&](Units value) { return value > limit; });
  }

  [[nodiscard]] bool done() const { return done_ || best_.steps >= steps_max_; }

  void consider() {
    const Units excess = branch_.effective - goal_.target;
    if (excess < 0 || excess > goal_.excess_max) return;
    const Units waste = branch_.extra + goal_.cost_of(excess);
    if (best_.found && waste >= best_.waste) return;
    branch_.store(best_, goal_);
    done_ = excess <= good_enough_;
  }

  const Candidates& coins_;
  const Goal& goal_;
  const Units good_enough_;
  const std::size_t steps_max_;
  Branch branch_;
  Choice best_;
  std::size_t end_;
  bool done_ = false;
};

}  // namespace

Choice fixed_count(const Candidates& coins, const Goal& goal, std::size_t leading,
                   std::size_t count, Units good_enough, std::size_t steps_max) {
  SumSearch search{coins, goal, good_enough, steps_max};
  if (count == 0 || leading + count > coins.size()) return {};
  for (std::size_t at = 0; at < leading; ++at) search.take(at);
  search.sums(leading, count);
  return std::move(search.best());
}

Choice small_coins_and_pair(const Candidates& coins, const Goal& goal, std::size_t count,
                            Units good_enough, std::size_t steps_max) {
  const std::size_t paired = std::min<std::size_t>(count, 2);
  const std::size_t filled = count - paired;
  std::vector<Units> sums_before(coins.size() + 1, 0);
  std::partial_sum(coins.effective.begin(), coins.effective.end(), sums_before.begin() + 1);
  const auto fill = [&](std::size_t end) { return sums_before[end] - sums_before[end - filled]; };

  // Try the smallest coins that the two largest can complete, and then ever larger ones.
  std::size_t low = count;
  std::size_t high = coins.size();
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (fill(middle) + sums_before[paired] >= goal.target) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  Choice best;
  for (std::size_t end = low; end >= count && best.steps < steps_max; --end) {
    Goal rest = goal;
    rest.target -= fill(end);
    if (filled > 0 && rest.target <= 0) break;
    SumSearch search{coins, rest, good_enough, steps_max - best.steps};
    search.limit(end - filled);
    search.sums(0, paired);
    best.steps += search.best().steps;
    if (search.best().found) {
      std::vector<std::uint32_t> positions = std::move(search.best().positions);
      for (std::size_t at = end - filled; at < end; ++at) {
        positions.push_back(static_cast<std::uint32_t>(at));
      }
      const std::size_t steps = best.steps;
      best = choice_of(coins, goal, std::move(positions));
      best.steps = steps;
      break;
    }
    if (filled == 0) break;
  }
  return best;
}

namespace {

/// Takes the coins at `order` that fit, until they reach the target. Then it puts those back
/// without which the others reach it.
Choice take_in_order(const Candidates& coins, const Goal& goal, InputLimits limits,
                     std::span<const std::uint32_t> order) {
  Branch branch{.coins = coins, .positions = {}};
  for (const std::uint32_t at : order) {
    if (branch.effective >= goal.target || branch.positions.size() == limits.count_max) break;
    if (branch.bytes + coins.bytes[at] <= limits.bytes_max) branch.add(at);
  }
  Units excess = branch.effective - goal.target;
  std::erase_if(branch.positions, [&](std::uint32_t at) {
    if (coins.effective[at] > excess) return false;
    excess -= coins.effective[at];
    return true;
  });
  return choice_of(coins, goal, std::move(branch.positions));
}

}  // namespace

Choice greedy(const Candidates& coins, const Goal& goal, InputLimits limits) {
  std::vector<std::uint32_t> order(coins.size());
  std::iota(order.begin(), order.end(), 0U);
  // One call sorts both orders, because each call would be compiled by itself.
  const auto sort_by = [&](bool by_size) {
    std::sort(order.begin(), order.end(), [&coins, by_size](std::uint32_t a, std::uint32_t b) {
      Int128 first = coins.bytes[a];
      Int128 second = coins.bytes[b];
      if (!by_size) {
        first *= coins.effective[b];
        second *= coins.effective[a];
      }
      return first != second ? first < second : a < b;
    });
  };
  Choice best;
  std::size_t turn = 0;
  for (std::size_t begin = 0; turn < 2 || begin < order.size(); ++turn) {
    if (turn > 0 && turn < 3) sort_by(turn == 2);
    std::size_t end = turn < 2 ? order.size() : begin + 1;
    while (end < order.size() && coins.bytes[order[end]] == coins.bytes[order[begin]]) ++end;
    Choice choice =
        take_in_order(coins, goal, limits, std::span{order}.subspan(begin, end - begin));
    const bool reaches = choice.effective >= goal.target;
    const bool best_reaches = best.found && best.effective >= goal.target;
    const bool wins = reaches && best_reaches ? choice.bytes < best.bytes
                                              : !best.found || choice.effective > best.effective;
    if (wins) best = std::move(choice);
    if (turn >= 2) begin = end;
  }
  return best;
}

std::vector<Choice> greedy_choices(const Candidates& coins, Units target, InputLimits limits,
                                   std::uint64_t change_bytes) {
  std::vector<Choice> choices;
  for (const std::uint64_t room : {change_bytes, std::uint64_t{0}}) {
    InputLimits left = limits;
    left.bytes_max -= std::min(left.bytes_max, room);
    Choice choice = greedy(coins, {.target = target}, left);
    if (choice.effective >= target) choices.push_back(std::move(choice));
  }
  return choices;
}

std::int64_t greedy_sats(const Pool& pool, const Pricing& pricing, InputLimits limits) {
  const Candidates coins = pool.fitting(limits);
  std::int64_t sum = 0;
  for (const std::uint32_t at :
       greedy(coins, {.target = sum_of(coins.effective)}, limits).positions) {
    sum += pricing.value_sats(coins.effective[at], coins.bytes[at]);
  }
  return sum;
}

Choice single_random_draw(const Candidates& coins, const Goal& goal, std::size_t count_min,
                          InputLimits limits, Random& random) {
  using Drawn = std::pair<Units, std::uint32_t>;
  std::priority_queue<Drawn, std::vector<Drawn>, std::greater<>> least_first;
  std::vector<std::uint32_t> order(coins.size());
  std::iota(order.begin(), order.end(), 0U);
  Units sum = 0;
  std::uint64_t bytes = 0;
  for (std::size_t drawn = 0; drawn < order.size(); ++drawn) {
    const auto left = static_cast<std::uint32_t>(order.size() - drawn);
    std::swap(order[drawn], order[drawn + random.below(left)]);
    const std::uint32_t at = order[drawn];
    least_first.emplace(coins.effective[at], at);
    sum += coins.effective[at];
    bytes += coins.bytes[at];
    while (least_first.size() > limits.count_max || bytes > limits.bytes_max) {
      sum -= least_first.top().first;
      bytes -= coins.bytes[least_first.top().second];
      least_first.pop();
    }
    if (sum < goal.target || least_first.size() < count_min) continue;
    std::vector<std::uint32_t> positions;
    for (; !least_first.empty(); least_first.pop()) positions.push_back(least_first.top().second);
    return choice_of(coins, goal, std::move(positions));
  }
  return {};
}

}  // namespace antara
