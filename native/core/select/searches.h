#pragma once

#include <cstdint>
#include <vector>

#include "select/candidates.h"
#include "select/pool.h"
#include "select/pricing.h"
#include "select/random.h"

namespace antara {

/// Finds the choice of least waste, depth first, without and with change as `goal` allows.
///
/// Each step adds one coin. Branches end if they cannot reach the target, if they exceed it for
/// good, or if they cannot beat the best choice so far. Of interchangeable coins one is tried.
/// source    Murch, An Evaluation of Coin Selection Strategies, 2016, section 6.4; the idea of
///           skipping clones from bitcoin src/wallet/coinselection.cpp, SelectCoinsBnB
[[nodiscard]] Choice branch_and_bound(const Candidates& coins, const Goal& goal, InputLimits limits,
                                      std::size_t steps_max);

/// Finds the choice of fewest bytes that reaches the target, and of several the one with the least
/// amount.
/// source    the goal of bitcoin src/wallet/coinselection.cpp, CoinGrinder
[[nodiscard]] Choice coin_grinder(const Candidates& coins, const Goal& goal, InputLimits limits,
                                  std::size_t steps_max);

/// Takes the `leading` most valuable coins and finds `count` more, for least waste.
///
/// The search is exhaustive for one and two coins if all cost the same to spend. For more coins, it
/// completes each coin in turn by the best pair of smaller ones. It stops at an excess of at most
/// `good_enough`.
[[nodiscard]] Choice fixed_count(const Candidates& coins, const Goal& goal, std::size_t leading,
                                 std::size_t count, Units good_enough, std::size_t steps_max);

/// Spends `count` coins that match the target: the smallest possible, and a pair that fits. Stops
/// at an excess of at most `good_enough`.
[[nodiscard]] Choice small_coins_and_pair(const Candidates& coins, const Goal& goal,
                                          std::size_t count, Units good_enough,
                                          std::size_t steps_max);

/// Takes coins that fit, until they reach the target, in several orders: the most valuable first,
/// the most value per byte first, and the coins of each size alone. The largest sum is returned if
/// none reaches the target, and otherwise the choice of fewest bytes. A bounded search may end with
/// nothing where sizes differ much; this one takes as long as sorting the coins.
[[nodiscard]] Choice greedy(const Candidates& coins, const Goal& goal, InputLimits limits);

/// Returns greedy choices that reach the target: one that leaves room for change of `change_bytes`,
/// and one that does not.
[[nodiscard]] std::vector<Choice> greedy_choices(const Candidates& coins, Units target,
                                                 InputLimits limits, std::uint64_t change_bytes);

/// Returns the value of the coins that fit into the limits, as `greedy` finds them.
[[nodiscard]] std::int64_t greedy_sats(const Pool& pool, const Pricing& pricing,
                                       InputLimits limits);

/// Draws coins at random until they reach the target and there are at least `count_min`. If they
/// exceed the limits, the least valuable are put back.
/// source    Erhardt, single random draw; bitcoin pull request 28977 for the cap
[[nodiscard]] Choice single_random_draw(const Candidates& coins, const Goal& goal,
                                        std::size_t count_min, InputLimits limits, Random& random);

}  // namespace antara
