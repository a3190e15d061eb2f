#include "base/limits.h"
#include "cc/fulfillment.h"
#include "cc/set_of.h"

namespace antara {

namespace {

/// Reads one element after another, with open elements on a stack of fixed size, so that nesting
/// costs the reader nothing.
class FulfillmentReader {
 public:
  FulfillmentReader(Bytes input, FulfillmentForm form, DerRules rules)
      : reader_(input, rules), form_(form) {
    tree_.data = input;
  }

  Result<ConditionTree> read() {
    start_member();
    while (!reader_.failed() && depth_ > 0) {
      if (node().type == ConditionType::prefix) {
        continue_prefix();
      } else {
        continue_threshold();
      }
    }
    if (const Error error = reader_.finish(); error.failed()) return error;
    return std::move(tree_);
  }

 private:
  /// A compound that was entered and not left yet.
  struct Level {
    std::uint32_t node = 0;
    std::uint32_t fulfilled = 0;
    std::uint32_t member_start = 0;
    Slice previous;
  };

  [[nodiscard]] Level& level() noexcept { return levels_[depth_ - 1]; }
  [[nodiscard]] ConditionNode& node() noexcept { return tree_.nodes[level().node]; }

  ConditionNode& add_node(ConditionType type, std::uint32_t offset) {
    if (tree_.nodes.size() == condition_nodes_max) reader_.fail(ErrorCode::condition_members, 0);
    ConditionNode& added = tree_.nodes.emplace_back();
    added.type = type;
    added.offset = offset;
    return added;
  }

  /// Refuses a member too many before it is read: a block could hold a million.
  void count_member() noexcept {
    if (node().members == condition_members_max) {
      reader_.fail(ErrorCode::condition_members, node().offset);
    }
    ++node().members;
  }

  void check(const ConditionNode& finished) noexcept {
    if (reader_.failed()) return;
    if (const ErrorCode code = node_error(finished, tree_.data); code != ErrorCode::ok) {
      reader_.fail(code, finished.offset);
    }
  }

  /// Reads a whole leaf, or enters a compound up to its first member.
  void start_member() {
    const std::uint32_t start = reader_.offset();
    const std::uint8_t identifier = reader_.peek();
    const std::optional<ConditionType> type = condition_type(identifier & 0x1fU);
    const bool is_known = type && identifier >= der_primitive(0);
    if (!is_known && identifier != 0) reader_.fail(ErrorCode::condition_type_unknown, start);
    reader_.open(der_constructed(static_cast<unsigned>(type.value_or(ConditionType::preimage))));
    if (reader_.failed()) return;
    ConditionNode& added = add_node(*type, start);
    if (is_compound(*type)) {
      enter(start);
    } else {
      read_leaf(added);
    }
  }

  void read_leaf(ConditionNode& leaf) {
    leaf.value = reader_.string(der_primitive(0));
    const SecondPart second = row_of(leaf.type).second;
    if (second == SecondPart::signature) leaf.signature = reader_.string(der_primitive(1));
    if (second == SecondPart::parameter && !reader_.at_end()) {
      leaf.parameter = reader_.string(der_primitive(1));
    }
    reader_.close();
    check(leaf);
  }

  void enter(std::uint32_t start) {
    if (depth_ == levels_.size()) {
      reader_.fail(ErrorCode::condition_nesting_over_limit, start);
      return;
    }
    levels_[depth_++] = {static_cast<std::uint32_t>(tree_.nodes.size() - 1), 0, 0, {}};
    if (node().type == ConditionType::prefix) {
      node().value = reader_.string(der_primitive(0));
      node().number = reader_.integer(der_primitive(1));
      reader_.open(der_constructed(2));
      return;
    }
    reader_.open(der_constructed(0));
    if (form_ == FulfillmentForm::mixed) read_marker();
  }

  /// source: tokel src/cryptoconditions/src/threshold.c, thresholdFromFulfillmentMixed
  void read_marker() {
    const std::uint32_t start = reader_.offset();
    if (reader_.peek() != der_constructed(0)) {
      reader_.fail(ErrorCode::condition_mixed_marker, start);
    }
    reader_.open(der_constructed(0));
    const Bytes marker = bytes_of(tree_.data, reader_.string(der_primitive(0)));
    reader_.close();
    if (reader_.failed()) return;
    if (marker.size() != 1) {
      reader_.fail(ErrorCode::condition_mixed_marker, start);
      return;
    }
    node().threshold = marker[0];
    level().previous = {start, reader_.offset() - start};
  }

  void continue_prefix() {
    if (node().members == 0) {
      node().members = 1;
      start_member();
      return;
    }
    reader_.close();
    leave();
  }

  void continue_threshold() {
    if (level().member_start != 0) check_order();
    if (!reader_.at_end()) {
      ++level().fulfilled;
      count_member();
      level().member_start = reader_.offset();
      start_member();
      return;
    }
    reader_.close();
    if (form_ == FulfillmentForm::plain) node().threshold = level().fulfilled;
    read_conditions();
    leave();
  }

  void read_conditions() {
    reader_.open(der_constructed(1));
    level().previous = {};
    while (!reader_.at_end()) {
      count_member();
      level().member_start = reader_.offset();
      const Condition condition = read_condition(reader_);
      if (reader_.failed()) return;
      check_order();
      ConditionNode& added = add_node(condition.type, level().previous.offset);
      added.is_condition = true;
      added.number = condition.cost;
      added.subtypes = condition.subtypes;
      // A strict condition is short: its header has two bytes, and so has its fingerprint's.
      added.value = Slice{added.offset + 4, fingerprint_bytes(condition.type)};
    }
    reader_.close();
  }

  /// Equal members may be adjacent: a set of encodings is a multiset.
  void check_order() noexcept {
    if (reader_.failed()) return;
    const std::uint32_t start = level().member_start;
    const Slice member{start, reader_.offset() - start};
    if (is_before_in_set(bytes_of(tree_.data, member), bytes_of(tree_.data, level().previous))) {
      reader_.fail(ErrorCode::der_set_not_sorted, start);
    }
    level().previous = member;
    level().member_start = 0;
  }

  void leave() {
    reader_.close();
    check(node());
    --depth_;
  }

  DerReader reader_;
  FulfillmentForm form_;
  ConditionTree tree_;
  std::size_t depth_ = 0;
  std::array<Level, condition_depth_max - 1> levels_;
};

}  // namespace

Result<ConditionTree> decode_fulfillment(Bytes input, FulfillmentForm form, DerRules rules) {
  if (input.size() > input_bytes_max) return Error{ErrorCode::input_over_limit, 0};
  return FulfillmentReader{input, form, rules}.read();
}

}  // namespace antara
