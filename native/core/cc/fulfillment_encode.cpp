#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "cc/der_writer.h"
#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "cc/set_of.h"

namespace antara {

namespace {

using Buffer = std::vector<std::uint8_t>;
using Ends = std::vector<std::uint32_t>;

/// Writes fulfillments: chooses members from the first node to the last, and encodes from the last
/// to the first.
class Fulfillments {
 public:
  /// `conditions` come without fingerprints, which are costly. `encode` adds them if a member is
  /// written as its condition.
  Fulfillments(const ConditionTree& tree, FulfillmentForm form, std::vector<Condition> conditions,
               Ends ends)
      : tree_(tree),
        form_(form),
        conditions_(std::move(conditions)),
        ends_(std::move(ends)),
        plans_(tree.nodes.size()) {}

  Result<Buffer> encode() {
    find_fulfillable();
    if (!plans_[0].is_fulfillable) {
      return Error{ErrorCode::fulfillment_incomplete, first_gap().offset};
    }
    choose();
    if (std::ranges::any_of(plans_, [](Plan plan) { return plan.role == Role::condition; })) {
      Result<std::vector<Condition>> hashed = conditions_of(tree_, ends_);
      if (!hashed.ok()) return hashed.error();
      conditions_ = std::move(hashed.value());
    }
    for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
      if (plans_[index].role != Role::fulfillment) continue;
      if (const ErrorCode code = encode_one(index); code != ErrorCode::ok) {
        return Error{code, tree_.nodes[index].offset};
      }
    }
    return std::move(output_);
  }

 private:
  enum class Role : std::uint8_t { absent, condition, fulfillment };

  struct Plan {
    /// True if the node has everything that its fulfillment needs.
    bool is_fulfillable = false;
    Role role = Role::absent;
    /// The fulfillment in `arena_`.
    Slice encoded;
  };

  void find_fulfillable() {
    for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
      const ConditionNode& node = tree_.nodes[index];
      if (node.is_condition) continue;
      switch (node.type) {
        case ConditionType::prefix:
          plans_[index].is_fulfillable = plans_[index + 1].is_fulfillable;
          break;
        case ConditionType::threshold:
          // Tokel's forms may have fewer fulfilled members than the threshold, because the script
          // of an output has no signatures.
          plans_[index].is_fulfillable = form_ != FulfillmentForm::plain ||
                                         fulfillable_members(index).size() >= node.threshold;
          break;
        default:
          plans_[index].is_fulfillable =
              row_of(node.type).second != SecondPart::signature || node.signature;
      }
    }
  }

  [[nodiscard]] std::vector<std::size_t> fulfillable_members(std::size_t index) const {
    std::vector<std::size_t> members;
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) {
      if (plans_[at].is_fulfillable) members.push_back(at);
    }
    return members;
  }

  /// Returns the first leaf whose signature or content is missing, if the root is not fulfillable.
  /// Members that are fulfillable are skipped whole: what they lack, they do not need.
  [[nodiscard]] const ConditionNode& first_gap() const {
    std::size_t index = 0;
    while (tree_.nodes[index].members > 0) {
      ++index;
      while (plans_[index].is_fulfillable) index = ends_[index];
    }
    return tree_.nodes[index];
  }

  void choose() {
    plans_[0].role = Role::fulfillment;
    for (std::size_t index = 0; index < tree_.nodes.size(); ++index) {
      if (plans_[index].role != Role::fulfillment) continue;
      const ConditionNode& node = tree_.nodes[index];
      if (node.type == ConditionType::prefix) plans_[index + 1].role = Role::fulfillment;
      if (node.type == ConditionType::threshold) choose_members(index);
    }
  }

  void choose_members(std::size_t index) {
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) {
      plans_[at].role = Role::condition;
    }
    std::vector<std::size_t> chosen = fulfillable_members(index);
    if (form_ == FulfillmentForm::plain) {
      // The cheapest members are chosen, as the C library does; of two that cost the same, the one
      // that comes first in the tree.
      const auto cost_and_place = [this](std::size_t at) {
        return std::pair{conditions_[at].cost, at};
      };
      std::ranges::sort(chosen, {}, cost_and_place);
      chosen.resize(tree_.nodes[index].threshold);
    }
    if (form_ == FulfillmentForm::mixed_hidden && index == 0) hide_first_threshold(chosen);
    for (const std::size_t at : chosen) plans_[at].role = Role::fulfillment;
  }

  /// Leaves the first threshold out of the members to fulfill, so it is written as its condition.
  void hide_first_threshold(std::vector<std::size_t>& members) const {
    const auto hidden = std::ranges::find_if(members, [this](std::size_t at) {
      return tree_.nodes[at].type == ConditionType::threshold;
    });
    if (hidden != members.end()) members.erase(hidden);
  }

  ErrorCode encode_one(std::size_t index) {
    const ConditionNode& node = tree_.nodes[index];
    if (node.type == ConditionType::threshold) return encode_threshold(index);
    const Bytes value = bytes_of(tree_.data, node.value.value_or(Slice{}));
    std::size_t size = der_string_bytes(value.size());
    Bytes second;
    if (node.type == ConditionType::prefix) {
      second = bytes_of(arena_, plans_[index + 1].encoded);
      size += der_integer_bytes(node.number) + der_string_bytes(second.size());
    } else if (const auto& slice = node.signature ? node.signature : node.parameter; slice) {
      second = bytes_of(tree_.data, *slice);
      size += der_string_bytes(second.size());
    }
    output_.clear();
    output_.reserve(der_string_bytes(size));
    DerWriter writer{output_};
    writer.header(der_constructed(static_cast<unsigned>(node.type)), size);
    writer.string(der_primitive(0), value);
    if (node.type == ConditionType::prefix) {
      writer.integer(der_primitive(1), node.number);
      writer.string(der_constructed(2), second);
    } else if (node.signature || node.parameter) {
      writer.string(der_primitive(1), second);
    }
    keep(index);
    return ErrorCode::ok;
  }

  ErrorCode encode_threshold(std::size_t index) {
    const ConditionNode& node = tree_.nodes[index];
    fulfilled_.clear();
    unfulfilled_.clear();
    if (form_ != FulfillmentForm::plain) {
      // The marker of Tokel's forms, a preimage of one byte that holds the threshold.
      fulfilled_.add([&](Buffer& output) {
        DerWriter writer{output};
        writer.header(der_constructed(0), der_string_bytes(1));
        writer.header(der_primitive(0), 1);
        writer.byte(static_cast<std::uint8_t>(node.threshold));
      });
    }
    for (std::size_t at = index + 1; at < ends_[index]; at = ends_[at]) {
      if (plans_[at].role == Role::fulfillment) {
        fulfilled_.add([&](Buffer& output) {
          const Bytes member = bytes_of(arena_, plans_[at].encoded);
          output.insert(output.end(), member.begin(), member.end());
        });
      } else {
        unfulfilled_.add([&](Buffer& output) { write_condition(conditions_[at], output); });
      }
    }
    fulfilled_.sort();
    unfulfilled_.sort();
    // A reader takes the first element for the marker. A member that is sorted before it, such as
    // an empty preimage or one with a smaller byte, would be read in its place.
    if (form_ != FulfillmentForm::plain && !fulfilled_.starts_with_first_added()) {
      return ErrorCode::condition_mixed_marker;
    }
    const std::size_t size =
        der_string_bytes(fulfilled_.size_bytes()) + der_string_bytes(unfulfilled_.size_bytes());
    output_.clear();
    output_.reserve(der_string_bytes(size));
    DerWriter writer{output_};
    writer.header(der_constructed(2), size);
    writer.header(der_constructed(0), fulfilled_.size_bytes());
    fulfilled_.append_to(output_);
    writer.header(der_constructed(1), unfulfilled_.size_bytes());
    unfulfilled_.append_to(output_);
    keep(index);
    return ErrorCode::ok;
  }

  void keep(std::size_t index) {
    if (index == 0) return;  // no node contains the root; `encode` returns `output_`
    plans_[index].encoded = {static_cast<std::uint32_t>(arena_.size()),
                             static_cast<std::uint32_t>(output_.size())};
    arena_.insert(arena_.end(), output_.begin(), output_.end());
  }

  const ConditionTree& tree_;
  FulfillmentForm form_;
  std::vector<Condition> conditions_;
  Ends ends_;
  std::vector<Plan> plans_;
  /// Everything encoded so far; members come before the nodes that contain them.
  Buffer arena_;
  /// The last encoding.
  Buffer output_;
  SetOf fulfilled_;
  SetOf unfulfilled_;
};

}  // namespace

Result<Buffer> encode_fulfillment(const ConditionTree& tree, FulfillmentForm form) {
  if (tree.data.size() > input_bytes_max) return Error{ErrorCode::input_over_limit, 0};
  Result<Ends> ends = subtree_ends(tree);
  if (!ends.ok()) return ends.error();
  Result<std::vector<Condition>> conditions =
      conditions_of(tree, ends.value(), Fingerprints::left_out);
  if (!conditions.ok()) return conditions.error();
  return Fulfillments{tree, form, std::move(conditions.value()), std::move(ends.value())}.encode();
}

}  // namespace antara
