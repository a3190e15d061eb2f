#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "select/pricing.h"

namespace antara {

/// The coins that a search may use, as parallel arrays in descending order of effective value.
///
/// Of coins with equal effective value the lighter one comes first.
struct Candidates {
  std::vector<Units> effective;  // value minus the fee of spending it; always positive
  std::vector<Units> extra;      // fee of spending it now, minus the same at the long-term rate
  std::vector<std::uint32_t> bytes;
  std::vector<std::uint32_t> ids;

  [[nodiscard]] std::size_t size() const noexcept { return effective.size(); }
  void reserve(std::size_t count) {
    effective.reserve(count);
    extra.reserve(count);
    bytes.reserve(count);
    ids.reserve(count);
  }
  void push_back(Units value, Units extra_fee, std::uint32_t input_bytes, std::uint32_t id) {
    effective.push_back(value);
    extra.push_back(extra_fee);
    bytes.push_back(input_bytes);
    ids.push_back(id);
  }
  /// Returns true if one of the coins can replace the other in any result.
  [[nodiscard]] bool interchangeable(std::size_t a, std::size_t b) const noexcept {
    return effective[a] == effective[b] && extra[a] == extra[b] && bytes[a] == bytes[b];
  }
};

inline Units sum_of(std::span<const Units> units) {
  return std::accumulate(units.begin(), units.end(), Units{0});
}

/// The most inputs, and the most bytes of inputs and change, of a choice.
struct InputLimits {
  std::size_t count_max = SIZE_MAX;
  std::uint64_t bytes_max = UINT64_MAX;
};

/// The amount that a choice has to reach, and the cost of exceeding it.
///
/// A choice whose effective value exceeds `target` by less than `change_from` has no change; the
/// excess goes to the fee and is waste. From `change_from` on there is change, and the waste is
/// `change_cost`, whatever the excess.
struct Goal {
  Units target = 0;
  Units change_from = units_max;
  Units change_cost = 0;
  std::uint32_t change_bytes = 0;
  /// A choice with a larger excess is not a solution. Searches without change set this.
  Units excess_max = units_max;

  [[nodiscard]] bool has_change(Units excess) const noexcept { return excess >= change_from; }
  [[nodiscard]] Units cost_of(Units excess) const noexcept {
    return has_change(excess) ? change_cost : excess;
  }
  [[nodiscard]] std::uint64_t bytes_of(Units excess) const noexcept {
    return has_change(excess) ? change_bytes : 0;
  }
};

/// A set of candidates, by position, with its totals.
struct Choice {
  std::vector<std::uint32_t> positions;
  Units effective = 0;
  Units waste = 0;          // extra fees, plus the excess or the cost of change
  std::uint64_t bytes = 0;  // inputs and change
  bool found = false;
  bool proven = false;    // no better choice exists
  std::size_t steps = 0;  // work done, in the search's own unit
};

/// Returns the choice of `positions`. The caller guarantees that they reach the target.
[[nodiscard]] Choice choice_of(const Candidates& coins, const Goal& goal,
                               std::vector<std::uint32_t> positions);

/// Returns true if `a` has less waste than `b`, or as much and fewer bytes.
[[nodiscard]] inline bool better(const Choice& a, const Choice& b) noexcept {
  if (!a.found || !b.found) return a.found;
  if (a.waste != b.waste) return a.waste < b.waste;
  return a.bytes < b.bytes;
}

[[nodiscard]] inline bool within(const Choice& choice, InputLimits limits) noexcept {
  return choice.positions.size() <= limits.count_max && choice.bytes <= limits.bytes_max;
}

}  // namespace antara
