#include "select/pool.h"

#include <algorithm>
#include <iterator>

namespace antara {
namespace {

// Besides the leading coins, a search samples about this many. They are enough for pairs and
// triples to come close to any sum that a larger pool reaches, and few enough to visit all of them
// in microseconds.
constexpr std::size_t searchable_max = 8192;
// A sampled run keeps this many coins just above `near`, and from `above` on.
constexpr std::size_t fitting_coins = 4;

Units effective_at(const PricedRun& run, std::size_t at, const Pricing& pricing) {
  return pricing.units(run.values[at]) - run.fee;
}

/// The coins of several runs in descending order of effective value, lighter coins first.
class Descending {
 public:
  Descending(std::span<const PricedRun> runs, const Pricing& pricing)
      : runs_(runs), pricing_(pricing) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (!runs[run].values.empty()) heap_.push_back(head(run, runs[run].values.size()));
    }
    std::make_heap(heap_.begin(), heap_.end(), comes_after);
  }

  [[nodiscard]] bool empty() const { return heap_.empty(); }

  /// Appends the first `count` coins, or all if there are fewer, to `coins`.
  void take(Candidates& coins, std::size_t count) {
    for (; count > 0 && heap_.size() > 1; --count) take_one(coins);
    if (!heap_.empty()) take_of_last_run(coins, count);
  }

  /// Appends coins until they sum to `target`, until there are `count_max`, or until none are left.
  void take_up_to(Candidates& coins, Units target, std::size_t count_max) {
    Units sum = 0;
    while (heap_.size() > 1 && coins.size() < count_max && sum < target) {
      take_one(coins);
      sum += coins.effective.back();
    }
    if (heap_.empty()) return;
    const Head& last = heap_.front();
    const std::size_t most = std::min(last.left, count_max - coins.size());
    std::size_t count = 0;
    for (; count < most && sum < target; ++count) {
      sum += effective_at(runs_[last.run], last.left - count - 1, pricing_);
    }
    take_of_last_run(coins, count);
  }

  /// Returns the runs without the taken coins.
  [[nodiscard]] std::vector<PricedRun> remaining() const {
    std::vector<PricedRun> rest;
    for (const Head& head : heap_) {
      PricedRun run = runs_[head.run];
      run.values = run.values.first(head.left);
      run.ids = run.ids.first(head.left);
      rest.push_back(run);
    }
    return rest;
  }

 private:
  struct Head {
    Units effective;
    std::uint32_t input_bytes;
    std::size_t run;
    std::size_t left;  // coins of the run that were not taken
  };

  void take_one(Candidates& coins) {
    std::pop_heap(heap_.begin(), heap_.end(), comes_after);
    const Head top = heap_.back();
    const PricedRun& run = runs_[top.run];
    coins.push_back(top.effective, run.extra, run.input_bytes, run.ids[top.left - 1]);
    if (top.left == 1) {
      heap_.pop_back();
      return;
    }
    heap_.back() = head(top.run, top.left - 1);
    std::push_heap(heap_.begin(), heap_.end(), comes_after);
  }

  /// Takes coins of the only run that is left. A run is sorted, so no heap is needed. Most wallets
  /// have one input size, and so one run.
  void take_of_last_run(Candidates& coins, std::size_t count) {
    Head& last = heap_.front();
    const PricedRun& run = runs_[last.run];
    count = std::min(count, last.left);
    const std::size_t before = coins.size();
    coins.effective.resize(before + count);
    coins.extra.resize(before + count, run.extra);
    coins.bytes.resize(before + count, run.input_bytes);
    coins.ids.resize(before + count);
    for (std::size_t taken = 0; taken < count; ++taken) {
      const std::size_t at = last.left - taken - 1;
      coins.effective[before + taken] = effective_at(run, at, pricing_);
      coins.ids[before + taken] = run.ids[at];
    }
    if (count == last.left) {
      heap_.pop_back();
    } else {
      last = head(last.run, last.left - count);
    }
  }

  [[nodiscard]] Head head(std::size_t run, std::size_t left) const {
    return {effective_at(runs_[run], left - 1, pricing_), runs_[run].input_bytes, run, left};
  }
  static bool comes_after(const Head& a, const Head& b) {
    if (a.effective != b.effective) return a.effective < b.effective;
    return a.input_bytes > b.input_bytes;
  }

  std::span<const PricedRun> runs_;
  const Pricing& pricing_;
  std::vector<Head> heap_;
};

/// Coins of a sampled run. `run.values` and `run.ids` of the sample are views of these.
struct Sample {
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> ids;
};

/// Returns positions of `run` for a sample of about `quota` coins, ascending.
std::vector<std::size_t> sampled_positions(const PricedRun& run, std::size_t quota, Units near,
                                           Units above, const Pricing& pricing) {
  const std::size_t count = run.values.size();
  std::vector<std::size_t> positions;
  // The positions before a range ascend already. It is merged with them, so that all ascend.
  const auto range = [&](std::size_t begin, std::size_t end) {
    const auto before = static_cast<std::ptrdiff_t>(positions.size());
    for (std::size_t at = begin; at < std::min(end, count); ++at) positions.push_back(at);
    std::inplace_merge(positions.begin(), positions.begin() + before, positions.end());
  };
  const auto first_over = [&](Units limit) {
    const auto past = std::partition_point(
        run.values.begin(), run.values.end(),
        [&](std::int64_t value) { return pricing.units(value) - run.fee <= limit; });
    return static_cast<std::size_t>(past - run.values.begin());
  };
  if (count <= quota) {
    range(0, count);
    return positions;
  }
  const std::size_t part = quota / 4;
  const std::size_t over_near = first_over(near);
  // In WebAssembly the product of two sizes may exceed 32 bits.
  for (std::uint64_t i = 0; i < 2 * part; ++i) {
    positions.push_back(static_cast<std::size_t>(i * count / (2 * part)));
  }
  range(over_near - std::min(part, over_near), over_near + fitting_coins);
  const std::size_t over_above = first_over(above - 1);
  range(over_above, over_above + fitting_coins);
  range(count - part, count);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace

Pool::Pool(const CoinRuns& coins, const Pricing& pricing)
    : pricing_(pricing), total_sats_(coins.total()) {
  // A larger extra fee is reduced to this, so that the sum over all coins stays in range. No real
  // rate comes near it.
  const Units extra_max =
      units_max / 4 / static_cast<Units>(std::max<std::size_t>(coins.size(), 1));
  for (const CoinRun& run : coins.runs()) {
    PricedRun priced{.values = run.values,
                     .ids = run.ids,
                     .input_bytes = run.input_bytes,
                     .fee = pricing.fee(run.input_bytes),
                     .extra = std::clamp(pricing.extra(run.input_bytes), -extra_max, extra_max)};
    const auto worth = std::partition_point(
        run.values.begin(), run.values.end(),
        [&](std::int64_t value) { return pricing.units(value) <= priced.fee; });
    for (auto value = run.values.begin(); value != worth; ++value) total_sats_ -= *value;
    const auto skipped = static_cast<std::size_t>(worth - run.values.begin());
    priced.values = run.values.subspan(skipped);
    priced.ids = run.ids.subspan(skipped);
    size_ += priced.values.size();
    effective_total_ -= priced.fee * static_cast<Units>(priced.values.size());
    if (!priced.values.empty()) runs_.push_back(priced);
  }
  effective_total_ += pricing.units(total_sats_);
}

Candidates Pool::largest(Units target, std::size_t count_max) const {
  Candidates coins;
  Descending{runs_, pricing_}.take_up_to(coins, target, count_max);
  return coins;
}

Candidates Pool::fitting(InputLimits limits) const {
  std::vector<PricedRun> runs = runs_;
  for (PricedRun& run : runs) {
    const std::uint64_t by_size = limits.bytes_max / std::max(run.input_bytes, 1U);
    const auto count = static_cast<std::size_t>(
        std::min({std::uint64_t{run.values.size()}, std::uint64_t{limits.count_max}, by_size}));
    run.values = run.values.last(count);
    run.ids = run.ids.last(count);
  }
  Candidates coins;
  Descending{runs, pricing_}.take(coins, SIZE_MAX);
  return coins;
}

Candidates Pool::searchable(std::size_t leading, Units near, Units above) const {
  Candidates coins;
  Descending all{runs_, pricing_};
  const std::size_t taken = size_ <= searchable_max ? size_ : std::min(leading, size_);
  coins.reserve(taken);
  all.take(coins, taken);
  if (all.empty()) return coins;

  std::vector<PricedRun> rest = all.remaining();
  std::vector<Sample> samples(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto share = static_cast<std::size_t>(std::uint64_t{searchable_max} *
                                                rest[i].values.size() / (size_ - taken));
    for (const std::size_t at :
         sampled_positions(rest[i], std::max<std::size_t>(share, 4), near, above, pricing_)) {
      samples[i].values.push_back(rest[i].values[at]);
      samples[i].ids.push_back(rest[i].ids[at]);
    }
    rest[i].values = samples[i].values;
    rest[i].ids = samples[i].ids;
  }
  Descending{rest, pricing_}.take(coins, SIZE_MAX);
  return coins;
}

}  // namespace antara
