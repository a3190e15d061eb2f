#include "select/coin_runs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "select/pricing.h"

namespace antara {
namespace {

// Up to this number of coins, insertion sort is faster than radix sort.
constexpr std::size_t insertion_max = 40;
// From this number of coins on, fewer but wider digits are faster: there are more coins than
// counters.
constexpr std::size_t wide_digit_min = 1 << 14;
constexpr unsigned digit_bits_max = 11;

/// Sorts (values, ids) stably by `key(position)`; the keys differ only in the bits of `changing`.
template <typename Key>
void radix_sort(std::vector<std::int64_t>& values, std::vector<std::uint32_t>& ids,
                std::vector<std::int64_t>& values_scratch, std::vector<std::uint32_t>& ids_scratch,
                std::uint64_t changing, Key key) {
  const std::size_t count = values.size();
  const unsigned digit_bits = count < wide_digit_min ? 8 : digit_bits_max;
  const std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;
  values_scratch.resize(count);
  ids_scratch.resize(count);
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    if (((changing >> shift) & digit_mask) == 0) continue;
    std::array<std::uint32_t, std::size_t{1} << digit_bits_max> starts{};
    const auto digit = [&](std::size_t at) {
      return static_cast<std::size_t>((key(at) >> shift) & digit_mask);
    };
    for (std::size_t at = 0; at < count; ++at) ++starts[digit(at)];
    std::exclusive_scan(starts.begin(),
                        starts.begin() + static_cast<std::ptrdiff_t>(digit_mask + 1),
                        starts.begin(), 0U);
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t to = starts[digit(at)]++;
      values_scratch[to] = values[at];
      ids_scratch[to] = ids[at];
    }
    values.swap(values_scratch);
    ids.swap(ids_scratch);
  }
}

/// Returns the position of the coin (value, id), relative to the start of `run`.
std::size_t position_in(const CoinRun& run, std::int64_t value, std::uint32_t id) {
  const auto [first, last] = std::equal_range(run.values.begin(), run.values.end(), value);
  const auto at = static_cast<std::size_t>(first - run.values.begin());
  const auto equal = run.ids.subspan(at, static_cast<std::size_t>(last - first));
  return at +
         static_cast<std::size_t>(std::lower_bound(equal.begin(), equal.end(), id) - equal.begin());
}

template <typename T>
void erase_positions(std::vector<T>& items, std::span<const std::size_t> ascending) {
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const std::size_t end = i + 1 < ascending.size() ? ascending[i + 1] : items.size();
    std::copy(items.begin() + static_cast<std::ptrdiff_t>(ascending[i] + 1),
              items.begin() + static_cast<std::ptrdiff_t>(end),
              items.begin() + static_cast<std::ptrdiff_t>(ascending[i] - i));
  }
  items.resize(items.size() - ascending.size());
}

/// Inserts added[i] before the element at ascending[i].
template <typename T>
void insert_positions(std::vector<T>& items, std::span<const std::size_t> ascending,
                      std::span<const T> added) {
  std::size_t end = items.size();
  items.resize(items.size() + added.size());
  for (std::size_t i = added.size(); i-- > 0;) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(ascending[i]);
    std::copy_backward(begin, items.begin() + static_cast<std::ptrdiff_t>(end),
                       items.begin() + static_cast<std::ptrdiff_t>(end + i + 1));
    items[ascending[i] + i] = added[i];
    end = ascending[i];
  }
}

}  // namespace

Error CoinRuns::assign(std::span<const std::int64_t> values, InputBytes bytes) {
  values_.clear();
  ids_.clear();
  runs_.clear();
  total_ = 0;
  std::uint64_t changing_value = 0;
  std::uint32_t changing_bytes = 0;
  std::int64_t total = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const auto offset = static_cast<std::uint32_t>(at);
    if (values[at] <= 0 || values[at] > amount_max) {
      return {ErrorCode::coin_value_out_of_range, offset};
    }
    if (bytes.of(at) > element_bytes_max) return {ErrorCode::input_bytes_out_of_range, offset};
    if (values[at] > amount_max - total) return {ErrorCode::coin_sum_out_of_range, offset};
    total += values[at];
    changing_value |= static_cast<std::uint64_t>(values[at] ^ values[0]);
    changing_bytes |= bytes.of(at) ^ bytes.of(0);
  }
  values_.assign(values.begin(), values.end());
  ids_.resize(values.size());
  std::iota(ids_.begin(), ids_.end(), 0U);
  total_ = total;
  sort_by_value(changing_value);
  sort_by_bytes(bytes, changing_bytes);
  find_runs(bytes);
  return {};
}

void CoinRuns::sort_by_value(std::uint64_t changing_bits) {
  if (values_.size() > insertion_max) {
    radix_sort(values_, ids_, values_scratch_, ids_scratch_, changing_bits,
               [this](std::size_t at) { return static_cast<std::uint64_t>(values_[at]); });
    return;
  }
  for (std::size_t at = 1; at < values_.size(); ++at) {
    const std::int64_t value = values_[at];
    const std::uint32_t id = ids_[at];
    std::size_t to = at;
    for (; to > 0 && values_[to - 1] > value; --to) {
      values_[to] = values_[to - 1];
      ids_[to] = ids_[to - 1];
    }
    values_[to] = value;
    ids_[to] = id;
  }
}

void CoinRuns::sort_by_bytes(InputBytes bytes, std::uint32_t changing_bits) {
  if (changing_bits == 0) return;
  radix_sort(values_, ids_, values_scratch_, ids_scratch_, changing_bits,
             [&](std::size_t at) { return std::uint64_t{bytes.of(ids_[at])}; });
}

void CoinRuns::find_runs(InputBytes bytes) {
  runs_.clear();
  const std::span<const std::int64_t> values{values_};
  const std::span<const std::uint32_t> ids{ids_};
  for (std::size_t begin = 0; begin < ids.size();) {
    const std::uint32_t size = bytes.of(ids[begin]);
    const auto past =
        std::partition_point(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end(),
                             [&](std::uint32_t id) { return bytes.of(id) == size; });
    const auto end = static_cast<std::size_t>(past - ids.begin());
    runs_.push_back({size, values.subspan(begin, end - begin), ids.subspan(begin, end - begin)});
    begin = end;
  }
}

Error CoinIndex::create(std::span<const std::int64_t> values, InputBytes bytes) {
  if (const Error error = coins_.assign(values, bytes); error.failed()) return error;
  value_of_.assign(values.begin(), values.end());
  bytes_of_.resize(values.size());
  for (std::size_t at = 0; at < values.size(); ++at) bytes_of_[at] = bytes.of(at);
  std::vector<std::int64_t>{}.swap(coins_.values_scratch_);
  std::vector<std::uint32_t>{}.swap(coins_.ids_scratch_);
  return {};
}

Error CoinIndex::add(std::span<const std::int64_t> values, InputBytes bytes) {
  if (values.size() > std::numeric_limits<std::uint32_t>::max() - value_of_.size()) {
    return {ErrorCode::count_over_input, 0};
  }
  CoinRuns fresh;
  if (const Error error = fresh.assign(values, bytes); error.failed()) return error;
  if (fresh.total_ > amount_max - coins_.total_) return {ErrorCode::coin_sum_out_of_range, 0};

  const std::uint32_t first_id = next_id();
  for (std::uint32_t& id : fresh.ids_) id += first_id;
  // Both sets of runs ascend by input size, so positions ascend across all runs.
  std::vector<std::size_t> positions;
  positions.reserve(values.size());
  std::size_t before = 0;
  auto run = coins_.runs_.begin();
  for (const CoinRun& added : fresh.runs_) {
    for (; run != coins_.runs_.end() && run->input_bytes < added.input_bytes; ++run) {
      before += run->values.size();
    }
    const bool joins = run != coins_.runs_.end() && run->input_bytes == added.input_bytes;
    for (const std::int64_t value : added.values) {
      const std::size_t at =
          joins ? static_cast<std::size_t>(
                      std::upper_bound(run->values.begin(), run->values.end(), value) -
                      run->values.begin())
                : 0;
      positions.push_back(before + at);
    }
  }
  insert_positions<std::int64_t>(coins_.values_, positions, fresh.values_);
  insert_positions<std::uint32_t>(coins_.ids_, positions, fresh.ids_);
  coins_.total_ += fresh.total_;
  value_of_.insert(value_of_.end(), values.begin(), values.end());
  for (std::size_t at = 0; at < values.size(); ++at) bytes_of_.push_back(bytes.of(at));
  coins_.find_runs({.same = 0, .each = bytes_of_});
  return {};
}

Error CoinIndex::remove(std::span<const std::uint32_t> ids) {
  std::vector<std::size_t> positions;
  positions.reserve(ids.size());
  std::int64_t removed_total = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t value = value_of(ids[i]);
    if (value == 0) {
      for (std::size_t undo = 0; undo < i; ++undo) {
        // The coins are still in the runs; only their values were overwritten.
        value_of_[ids[undo]] = coins_.values_[positions[undo]];
      }
      return {ErrorCode::unknown_coin, static_cast<std::uint32_t>(i)};
    }
    const auto run = std::lower_bound(
        coins_.runs_.begin(), coins_.runs_.end(), bytes_of_[ids[i]],
        [](const CoinRun& at, std::uint32_t bytes) { return at.input_bytes < bytes; });
    const auto before = static_cast<std::size_t>(run->values.data() - coins_.values_.data());
    positions.push_back(before + position_in(*run, value, ids[i]));
    value_of_[ids[i]] = 0;
    removed_total += value;
  }
  std::sort(positions.begin(), positions.end());
  erase_positions(coins_.values_, positions);
  erase_positions(coins_.ids_, positions);
  coins_.total_ -= removed_total;
  coins_.find_runs({.same = 0, .each = bytes_of_});
  return {};
}

std::size_t CoinIndex::memory_bytes() const noexcept {
  return (coins_.values_.capacity() + value_of_.capacity()) * sizeof(std::int64_t) +
         (coins_.ids_.capacity() + bytes_of_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace antara
