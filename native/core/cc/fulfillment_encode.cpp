#include <algorithm>

#include "base/limits.h"
#include "cc/der_writer.h"
#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "cc/set_of.h"

namespace antara {

namespace {

using Buffer = std::vector<std::uint8_t>;
using Ends = std::vector<std::uint32_t>;

/// Writes fulfillments: chooses from the first node to the last, encodes from the last to the
/// first.
class Fulfillments {
 public:
  Fulfillments(const ConditionTree& tree, FulfillmentForm form, std::vector<Condition> conditions,
               Ends ends)
      : tree_(tree),
        form_(form),
        conditions_(std::move(conditions)),
        ends_(std::move(ends)),
        can_(tree.nodes.size()),
        role_(tree.nodes.size(), Role::absent),
        encoded_(tree.nodes.size()) {}

  Result<Buffer> encode() {
    find_fulfillable();
    if (!can_[0]) return Error{ErrorCode::fulfillment_incomplete, first_gap().offset};
    choose();
    for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
      if (role_[index] != Role::fulfillment) continue;
      if (const ErrorCode code = encode_one(index); code != ErrorCode::ok) {
        return Error{code, tree_.nodes[index].offset};
      }
    }
    const Bytes whole = bytes_of(arena_, encoded_[0]);
    return Buffer{whole.begin(), whole.end()};
  }

 private:
  enum class Role : std::uint8_t { absent, condition, fulfillment };

  void find_fulfillable() {
    for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
      const ConditionNode& node = tree_.nodes[index];
      if (node.is_condition) continue;
      switch (node.type) {
        case ConditionType::preimage:
        case ConditionType::eval:
          can_[index] = true;
          break;
        case ConditionType::prefix:
          can_[index] = can_[index + 1];
          break;
        case ConditionType::threshold:
          can_[index] = form_ == FulfillmentForm::mixed || count_able(index) >= node.threshold;
          break;
        default:
          can_[index] = node.signature.has_value();
      }
    }
  }

  [[nodiscard]] std::uint32_t count_able(std::size_t index) const {
    std::uint32_t count = 0;
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) count += can_[at] ? 1 : 0;
    return count;
  }

  /// The first leaf that lacks something: what a person has to look at.
  [[nodiscard]] const ConditionNode& first_gap() const {
    for (std::size_t index = 0; index < tree_.nodes.size(); ++index) {
      if (tree_.nodes[index].members == 0 && !can_[index]) return tree_.nodes[index];
    }
    return tree_.nodes.front();
  }

  void choose() {
    role_[0] = Role::fulfillment;
    for (std::size_t index = 0; index < tree_.nodes.size(); ++index) {
      if (role_[index] != Role::fulfillment) continue;
      const ConditionNode& node = tree_.nodes[index];
      if (node.type == ConditionType::prefix) role_[index + 1] = Role::fulfillment;
      if (node.type == ConditionType::threshold) choose_members(index);
    }
  }

  void choose_members(std::size_t index) {
    std::vector<std::size_t> able;
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) {
      role_[at] = Role::condition;
      if (can_[at]) able.push_back(at);
    }
    if (form_ == FulfillmentForm::plain) {
      // Cheapest first; of equal ones the first, which is where the C library's sort leaves them.
      std::ranges::stable_sort(able, {}, [this](std::size_t at) { return conditions_[at].cost; });
      able.resize(tree_.nodes[index].threshold);
    }
    for (const std::size_t at : able) role_[at] = Role::fulfillment;
  }

  ErrorCode encode_one(std::size_t index) {
    const ConditionNode& node = tree_.nodes[index];
    if (node.type == ConditionType::threshold) return encode_threshold(index);
    const Bytes value = bytes_of(tree_.data, node.value.value_or(Slice{}));
    std::size_t size = der_string_bytes(value.size());
    Bytes second;
    if (node.type == ConditionType::prefix) {
      second = bytes_of(arena_, encoded_[index + 1]);
      size += der_integer_bytes(node.number) + der_string_bytes(second.size());
    } else if (const auto& slice = node.signature ? node.signature : node.parameter; slice) {
      second = bytes_of(tree_.data, *slice);
      size += der_string_bytes(second.size());
    }
    Buffer output;
    output.reserve(der_string_bytes(size));
    DerWriter writer{output};
    writer.header(der_constructed(static_cast<unsigned>(node.type)), size);
    writer.string(der_primitive(0), value);
    if (node.type == ConditionType::prefix) {
      writer.integer(der_primitive(1), node.number);
      writer.string(der_constructed(2), second);
    } else if (node.signature || node.parameter) {
      writer.string(der_primitive(1), second);
    }
    keep(index, output);
    return ErrorCode::ok;
  }

  ErrorCode encode_threshold(std::size_t index) {
    const ConditionNode& node = tree_.nodes[index];
    fulfilled_.clear();
    unfulfilled_.clear();
    if (form_ == FulfillmentForm::mixed) {
      fulfilled_.add([&](Buffer& output) {
        DerWriter writer{output};
        writer.header(der_constructed(0), der_string_bytes(1));
        writer.header(der_primitive(0), 1);
        writer.byte(static_cast<std::uint8_t>(node.threshold));
      });
    }
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) {
      if (role_[at] == Role::fulfillment) {
        fulfilled_.add([&](Buffer& output) {
          const Bytes member = bytes_of(arena_, encoded_[at]);
          output.insert(output.end(), member.begin(), member.end());
        });
      } else {
        unfulfilled_.add([&](Buffer& output) { write_condition(conditions_[at], output); });
      }
    }
    fulfilled_.sort();
    unfulfilled_.sort();
    // A preimage of no bytes, or of one smaller than the threshold, would be read as the marker.
    if (form_ == FulfillmentForm::mixed && !fulfilled_.starts_with_first_added()) {
      return ErrorCode::condition_mixed_marker;
    }
    Buffer output;
    DerWriter writer{output};
    writer.header(der_constructed(2), der_string_bytes(fulfilled_.size_bytes()) +
                                          der_string_bytes(unfulfilled_.size_bytes()));
    unsigned number = 0;
    for (const SetOf* members : {&fulfilled_, &unfulfilled_}) {
      writer.header(der_constructed(number++), members->size_bytes());
      members->append_to(output);
    }
    keep(index, output);
    return ErrorCode::ok;
  }

  void keep(std::size_t index, Bytes element) {
    encoded_[index] = {static_cast<std::uint32_t>(arena_.size()),
                       static_cast<std::uint32_t>(element.size())};
    arena_.insert(arena_.end(), element.begin(), element.end());
  }

  const ConditionTree& tree_;
  FulfillmentForm form_;
  std::vector<Condition> conditions_;
  Ends ends_;
  std::vector<bool> can_;
  std::vector<Role> role_;
  std::vector<Slice> encoded_;
  Buffer arena_;
  SetOf fulfilled_;
  SetOf unfulfilled_;
};

}  // namespace

Result<Buffer> encode_fulfillment(const ConditionTree& tree, FulfillmentForm form) {
  if (tree.data.size() > transaction_bytes_max) return Error{ErrorCode::input_over_limit, 0};
  Result<Ends> ends = subtree_ends(tree);
  if (!ends.ok()) return ends.error();
  Result<std::vector<Condition>> conditions = conditions_of(tree, ends.value());
  if (!conditions.ok()) return conditions.error();
  return Fulfillments{tree, form, std::move(conditions.value()), std::move(ends.value())}.encode();
}

}  // namespace antara
