#include "cc/fingerprint.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "cc/der_writer.h"
#include "cc/set_of.h"
#include "hash/ripemd160.h"
#include "hash/sha256.h"

namespace antara {

namespace {

using Buffer = std::vector<std::uint8_t>;
using Ends = std::vector<std::uint32_t>;

/// komodo src/cryptoconditions/src/threshold.c, cmpCostDesc and cmpConditionCost: differences of
/// costs are truncated to an int, so costs further apart are not in order.
constexpr std::uint64_t cost_spread_max = std::numeric_limits<std::int32_t>::max();

constexpr std::uint8_t sequence_identifier = 0x30;

/// Computes conditions from the last node to the first, so that members come before the nodes that
/// contain them, without recursion.
class Conditions {
 public:
  Conditions(const ConditionTree& tree, Fingerprints fingerprints)
      : tree_(tree),
        is_hashing_(fingerprints == Fingerprints::hashed),
        conditions_(tree.nodes.size()) {}

  Result<std::vector<Condition>> compute(const Ends& ends) {
    for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
      const ConditionNode& node = tree_.nodes[index];
      if (const ErrorCode code = node_error(node, tree_.data); code != ErrorCode::ok) {
        return Error{code, node.offset};
      }
      if (const ErrorCode code = compute_one(index, ends); code != ErrorCode::ok) {
        return Error{code, node.offset};
      }
    }
    return std::move(conditions_);
  }

 private:
  [[nodiscard]] Bytes value_of(const ConditionNode& node) const noexcept {
    return bytes_of(tree_.data, node.value.value_or(Slice{}));
  }

  ErrorCode compute_one(std::size_t index, const Ends& ends) {
    const ConditionNode& node = tree_.nodes[index];
    Condition& condition = conditions_[index];
    condition.type = node.type;
    if (node.is_condition) {
      std::ranges::copy(value_of(node), condition.fingerprint.begin());
      condition.cost = node.number;
      condition.subtypes = node.subtypes;
      return ErrorCode::ok;
    }
    const ConditionTypeRow& row = row_of(node.type);
    condition.cost = row.cost(value_of(node).size());
    switch (row.fingerprint) {
      case FingerprintOf::value:
        hash(value_of(node), condition);
        return ErrorCode::ok;
      case FingerprintOf::sequence:
        hash_sequence(value_of(node), condition);
        return ErrorCode::ok;
      case FingerprintOf::key_hash:
        return compute_key_hash(node, condition);
      case FingerprintOf::members:
        return node.type == ConditionType::prefix ? compute_prefix(index)
                                                  : compute_threshold(index, ends);
    }
    return ErrorCode::condition_type_unknown;
  }

  void hash(Bytes contents, Condition& condition) const noexcept {
    if (is_hashing_) condition.fingerprint = sha256(contents);
  }

  /// Hashes SEQUENCE { [0] value }, the fingerprint of types with a single key.
  void hash_sequence(Bytes value, Condition& condition) {
    if (!is_hashing_) return;
    contents_.clear();
    contents_.reserve(der_string_bytes(der_string_bytes(value.size())));
    DerWriter writer{contents_};
    writer.header(sequence_identifier, der_string_bytes(value.size()));
    writer.string(der_primitive(0), value);
    condition.fingerprint = sha256(contents_);
  }

  ErrorCode compute_key_hash(const ConditionNode& node, Condition& condition) {
    Hash160 hash{};
    if (node.value) hash = hash160(value_of(node));
    if (node.key_hash) {
      const Bytes given = bytes_of(tree_.data, *node.key_hash);
      if (node.value && !std::ranges::equal(given, hash)) return ErrorCode::condition_key_hash;
      std::ranges::copy(given, hash.begin());
    }
    std::ranges::copy(hash, condition.fingerprint.begin());
    return ErrorCode::ok;
  }

  ErrorCode compute_prefix(std::size_t index) {
    const ConditionNode& node = tree_.nodes[index];
    const Condition& inner = conditions_[index + 1];
    Condition& condition = conditions_[index];
    const Bytes prefix = value_of(node);
    if (prefix.size() > fingerprint_contents_bytes_max) {
      return ErrorCode::condition_fingerprint_contents;
    }
    const std::size_t member_bytes = condition_bytes(inner);
    const std::size_t size = der_string_bytes(prefix.size()) + der_integer_bytes(node.number) +
                             der_string_bytes(member_bytes);
    if (der_string_bytes(size) > fingerprint_contents_bytes_max) {
      return ErrorCode::condition_fingerprint_contents;
    }
    if (is_hashing_) {
      contents_.clear();
      DerWriter writer{contents_};
      writer.header(sequence_identifier, size);
      writer.string(der_primitive(0), prefix);
      writer.integer(der_primitive(1), node.number);
      writer.header(der_constructed(2), member_bytes);
      write_condition(inner, contents_);
      condition.fingerprint = sha256(contents_);
    }
    condition.subtypes = inner.type_mask() & ~condition_bit(ConditionType::prefix);
    const std::uint64_t own = node.number + condition.cost;
    if (inner.cost > condition_cost_max - own) return ErrorCode::condition_cost_over_limit;
    condition.cost = own + inner.cost;
    return ErrorCode::ok;
  }

  ErrorCode compute_threshold(std::size_t index, const Ends& ends) {
    const ConditionNode& node = tree_.nodes[index];
    Condition& condition = conditions_[index];
    costs_.clear();
    std::size_t members_bytes = 0;
    for (std::size_t at = index + 1; at < ends[index]; at = ends[at]) {
      const Condition& inner = conditions_[at];
      members_bytes += condition_bytes(inner);
      costs_.push_back(inner.cost);
      condition.subtypes |= inner.type_mask();
    }
    condition.subtypes &= ~condition_bit(ConditionType::threshold);
    const std::size_t size = der_integer_bytes(node.threshold) + der_string_bytes(members_bytes);
    if (der_string_bytes(size) > fingerprint_contents_bytes_max) {
      return ErrorCode::condition_fingerprint_contents;
    }
    if (is_hashing_) {
      members_.clear();
      members_.reserve(members_bytes);
      for (std::size_t at = index + 1; at < ends[index]; at = ends[at]) {
        members_.add([&](Buffer& output) { write_condition(conditions_[at], output); });
      }
      members_.sort();
      contents_.clear();
      contents_.reserve(der_string_bytes(size));
      DerWriter writer{contents_};
      writer.header(sequence_identifier, size);
      writer.integer(der_primitive(0), node.threshold);
      writer.header(der_constructed(1), members_bytes);
      members_.append_to(contents_);
      condition.fingerprint = sha256(contents_);
    }
    return threshold_cost(node, condition.cost);
  }

  ErrorCode threshold_cost(const ConditionNode& node, std::uint64_t& cost) {
    std::ranges::sort(costs_, std::greater{});
    if (costs_.front() - costs_.back() > cost_spread_max) return ErrorCode::condition_cost_spread;
    cost *= node.members;
    for (std::uint32_t index = 0; index < node.threshold; ++index) {
      if (costs_[index] > condition_cost_max - cost) return ErrorCode::condition_cost_over_limit;
      cost += costs_[index];
    }
    return ErrorCode::ok;
  }

  const ConditionTree& tree_;
  bool is_hashing_;
  std::vector<Condition> conditions_;
  // A member, so that its memory is reused for each node.
  SetOf members_;
  Buffer contents_;
  std::vector<std::uint64_t> costs_;
};

}  // namespace

Result<std::vector<Condition>> conditions_of(const ConditionTree& tree,
                                             const std::vector<std::uint32_t>& ends,
                                             Fingerprints fingerprints) {
  return Conditions{tree, fingerprints}.compute(ends);
}

Result<std::vector<Condition>> conditions_of(const ConditionTree& tree) {
  const Result<Ends> ends = subtree_ends(tree);
  if (!ends.ok()) return ends.error();
  return conditions_of(tree, ends.value());
}

}  // namespace antara
