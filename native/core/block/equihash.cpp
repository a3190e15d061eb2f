#include "block/equihash.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "hash/blake2b.h"

namespace antara {
namespace {

/// The sizes that follow from n and k. source: Zcash protocol specification, section 7.7.1
struct Sizes {
  std::size_t n;
  std::size_t k;
  std::size_t collision_bits = n / (k + 1);
  std::size_t index_bits = collision_bits + 1;
  std::size_t index_count = std::size_t{1} << k;
  std::size_t solution_bytes = index_count * index_bits / 8;
  std::size_t row_bytes = n / 8;
  std::size_t rows_per_hash = 512 / n;
  std::size_t hash_bytes = rows_per_hash * row_bytes;
};

constexpr std::size_t index_count_max = 512;
constexpr std::size_t row_bytes_max = 25;
constexpr std::size_t hash_bytes_max = 64;

using Indices = std::span<std::uint32_t>;
/// The n bits that belong to an index, or to the exclusive or of several.
using Row = std::array<std::uint8_t, row_bytes_max>;
using Rows = std::span<Row>;

void write_u32(std::uint32_t value, std::uint8_t* bytes) noexcept {
  for (std::size_t index = 0; index < 4; ++index) {
    bytes[index] = static_cast<std::uint8_t>(value >> (8 * index));
  }
}

/// The Zcash protocol specification writes the personalization "ZcashPoW" || LE32(n) || LE32(k).
/// source  komodo src/crypto/equihash.cpp, InitialiseState, for the other one
Personalization personalization_of(const EquihashParameters& parameters) noexcept {
  Personalization result = parameters.leaves == EquihashLeaves::ac_nk ? personalization("NandKPoW")
                                                                      : personalization("ZcashPoW");
  write_u32(parameters.n, result.data() + 8);
  write_u32(parameters.k, result.data() + 12);
  return result;
}

/// Reads the indices, which follow each other as big-endian numbers of `index_bits` bits.
void read_indices(Bytes solution, std::size_t index_bits, Indices indices) noexcept {
  std::uint64_t buffer = 0;
  std::size_t bits = 0;
  auto next = solution.begin();
  for (std::uint32_t& index : indices) {
    for (; bits < index_bits; bits += 8) buffer = buffer << 8 | *next++;
    bits -= index_bits;
    index = static_cast<std::uint32_t>(buffer >> bits);
    buffer &= (std::uint64_t{1} << bits) - 1;
  }
}

bool has_repetition(Indices indices) noexcept {
  std::array<std::uint32_t, index_count_max> sorted;
  const auto end = std::copy(indices.begin(), indices.end(), sorted.begin());
  std::sort(sorted.begin(), end);
  return std::adjacent_find(sorted.begin(), end) != end;
}

bool has_order(Indices indices) noexcept {
  for (std::size_t width = 1; width < indices.size(); width *= 2) {
    for (std::size_t left = 0; left < indices.size(); left += 2 * width) {
      if (indices[left] > indices[left + width]) return false;
    }
  }
  return true;
}

/// Hashes that are computed at a time: finish_each takes four side by side.
constexpr std::size_t step = 16;

/// The hashes of some counters, each after the same beginning.
class CounterHashes {
 public:
  CounterHashes(const EquihashParameters& parameters, std::size_t hash_bytes, Bytes input) noexcept
      : beginning_(hash_bytes, personalization_of(parameters)), hash_bytes_(hash_bytes) {
    beginning_.add(input);
  }

  void compute(std::span<const std::uint32_t> counters) noexcept {
    std::array<std::array<std::uint8_t, 4>, step> written;
    std::array<Bytes, step> rests;
    for (std::size_t at = 0; at < counters.size(); ++at) {
      write_u32(counters[at], written[at].data());
      rests[at] = written[at];
    }
    beginning_.finish_each(std::span{rests}.first(counters.size()), digests_.data());
  }

  [[nodiscard]] const std::uint8_t* operator[](std::size_t at) const noexcept {
    return digests_.data() + at * hash_bytes_;
  }

 private:
  Blake2bHash beginning_;
  std::size_t hash_bytes_;
  std::array<std::uint8_t, step * hash_bytes_max> digests_;
};

void write_hashed_rows(const Sizes& sizes, Indices indices, CounterHashes& hashes,
                       Rows rows) noexcept {
  std::array<std::uint32_t, step> counters;
  for (std::size_t first = 0; first < indices.size(); first += step) {
    for (std::size_t at = 0; at < step; ++at) {
      counters[at] = static_cast<std::uint32_t>(indices[first + at] / sizes.rows_per_hash);
    }
    hashes.compute(counters);
    for (std::size_t at = 0; at < step; ++at) {
      const std::size_t offset = indices[first + at] % sizes.rows_per_hash * sizes.row_bytes;
      std::copy_n(hashes[at] + offset, sizes.row_bytes, rows[first + at].begin());
    }
  }
}

/// Chains with -ac_nk add up the hashes of all counters from the last multiple of 16 on, as vectors
/// of 32-bit numbers.
void write_summed_rows(const Sizes& sizes, Indices indices, CounterHashes& hashes,
                       Rows rows) noexcept {
  static_assert(step == 16);
  std::array<std::uint32_t, step> counters;
  for (std::size_t at = 0; at < indices.size(); ++at) {
    const auto last = static_cast<std::uint32_t>(indices[at] / sizes.rows_per_hash);
    const std::size_t count = last % step + 1;
    for (std::uint32_t offset = 0; offset < count; ++offset) {
      counters[offset] = last - last % std::uint32_t{step} + offset;
    }
    hashes.compute(std::span{counters}.first(count));
    std::array<std::uint32_t, hash_bytes_max / 4> sum{};
    for (std::size_t offset = 0; offset < count; ++offset) {
      std::array<std::uint32_t, hash_bytes_max / 4> addend{};
      std::memcpy(addend.data(), hashes[offset], sizes.hash_bytes);
      for (std::size_t word = 0; word < sum.size(); ++word) sum[word] += addend[word];
    }
    std::array<std::uint8_t, hash_bytes_max> digest;
    std::memcpy(digest.data(), sum.data(), sizeof sum);
    const std::size_t offset = indices[at] % sizes.rows_per_hash * sizes.row_bytes;
    std::copy_n(digest.data() + offset, sizes.row_bytes, rows[at].begin());
  }
}

bool begins_with_zeros(const Row& row, std::size_t bits) noexcept {
  const auto whole = row.begin() + static_cast<std::ptrdiff_t>(bits / 8);
  if (std::any_of(row.begin(), whole, [](std::uint8_t byte) { return byte != 0; })) return false;
  return bits % 8 == 0 || *whole >> (8 - bits % 8) == 0;
}

/// Folds the tree from its leaves to its root. The root must be zero in all bits.
bool collide(const Sizes& sizes, Rows rows) noexcept {
  std::size_t bits = 0;
  for (std::size_t count = rows.size() / 2; count > 0; count /= 2) {
    bits = count == 1 ? sizes.n : bits + sizes.collision_bits;
    for (std::size_t at = 0; at < count; ++at) {
      for (std::size_t byte = 0; byte < sizes.row_bytes; ++byte) {
        rows[at][byte] = rows[2 * at][byte] ^ rows[2 * at + 1][byte];
      }
      if (!begins_with_zeros(rows[at], bits)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<EquihashVerdict> verify_equihash(EquihashParameters parameters, Bytes input,
                                               Bytes solution) noexcept {
  const auto [n, k, leaves] = parameters;
  if (!(n == 200 && k == 9) && !(n == 48 && k == 5)) return std::nullopt;
  const Sizes sizes{.n = n, .k = k};
  if (solution.size() != sizes.solution_bytes) return EquihashVerdict::wrong_length;

  std::array<std::uint32_t, index_count_max> index_memory;
  const Indices indices = std::span{index_memory}.first(sizes.index_count);
  read_indices(solution, sizes.index_bits, indices);
  if (has_repetition(indices)) return EquihashVerdict::repeated_index;
  if (!has_order(indices)) return EquihashVerdict::wrong_order;

  std::array<Row, index_count_max> row_memory;
  const Rows rows = std::span{row_memory}.first(sizes.index_count);
  CounterHashes hashes(parameters, sizes.hash_bytes, input);
  if (leaves == EquihashLeaves::ac_nk) {
    write_summed_rows(sizes, indices, hashes, rows);
  } else {
    write_hashed_rows(sizes, indices, hashes, rows);
  }
  return collide(sizes, rows) ? EquihashVerdict::valid : EquihashVerdict::wrong_collision;
}

}  // namespace antara
