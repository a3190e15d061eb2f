#pragma once

#include <algorithm>
#include <vector>

#include "base/bytes.h"

namespace antara {

/// The order of a SET OF: by octets, with a prefix before the longer element.
/// source: X.690 11.6
[[nodiscard]] inline bool is_before_in_set(Bytes a, Bytes b) noexcept {
  return std::ranges::lexicographical_compare(a, b);
}

/// Elements that are written one after another and then sorted as a SET OF.
class SetOf {
 public:
  void clear() noexcept {
    bytes_.clear();
    each_.clear();
  }

  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  /// Calls `write(vector)`, which appends one element.
  template <typename Write>
  void add(Write write) {
    const std::size_t start = bytes_.size();
    write(bytes_);
    each_.push_back(
        {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(bytes_.size() - start)});
  }

  /// Equal elements stay in the order of `add`.
  void sort() {
    std::ranges::sort(each_, [this](Slice a, Slice b) {
      const Bytes first = bytes_of(bytes_, a);
      const Bytes second = bytes_of(bytes_, b);
      if (std::ranges::equal(first, second)) return a.offset < b.offset;
      return is_before_in_set(first, second);
    });
  }

  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_.size(); }
  /// Returns true if the first element of the sorted set was also added first.
  [[nodiscard]] bool starts_with_first_added() const noexcept {
    return !each_.empty() && each_.front().offset == 0;
  }
  void append_to(std::vector<std::uint8_t>& output) const {
    for (const Slice element : each_) {
      const Bytes bytes = bytes_of(bytes_, element);
      output.insert(output.end(), bytes.begin(), bytes.end());
    }
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<Slice> each_;
};

}  // namespace antara
