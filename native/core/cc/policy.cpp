#include "cc/policy.h"

#include <algorithm>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"

namespace antara {

namespace {

// komodo src/script/cc.h, CCEnabledTypes and CCSigningNodes; tokel the same
constexpr std::uint32_t komodo_enabled = condition_types_where(
    [](const ConditionTypeRow& row) { return row.enabled == EnabledBy::both; });
constexpr std::uint32_t tokel_enabled = condition_types_where(
    [](const ConditionTypeRow& row) { return row.enabled != EnabledBy::none; });
constexpr std::uint32_t keyed =
    condition_types_where([](const ConditionTypeRow& row) { return row.key != KeyKind::none; });
constexpr std::uint32_t komodo_signing = komodo_enabled & keyed;
constexpr std::uint32_t tokel_signing = tokel_enabled & keyed;

bool are_types_supported(std::uint32_t mask, ConditionDialect dialect) noexcept {
  if (dialect == ConditionDialect::tokel) return (mask & ~tokel_enabled) == 0;
  return (mask & ~komodo_enabled) == 0 && (mask & komodo_signing) != 0;
}

/// tokel src/script/cc.h, CC_MIXED_MODE_PREFIX and CC_SUBVER
bool is_mixed(Bytes input) noexcept {
  return !input.empty() && (input[0] == 'M' || input[0] == 'N');
}

/// Returns the own type and all types inside. source: komodo cc_typeMask, which removes a
/// compound's own bit from the types inside and then adds it again.
std::uint32_t type_mask_of(const ConditionTree& tree) noexcept {
  std::uint32_t mask = 0;
  for (const ConditionNode& node : tree.nodes) mask |= condition_bit(node.type) | node.subtypes;
  return mask;
}

bool is_signed(const ConditionTree& tree, std::uint32_t signing) {
  const Result<std::vector<std::uint32_t>> ends = subtree_ends(tree);
  if (!ends.ok()) return false;
  for (std::uint32_t index = 0; index < tree.nodes.size();) {
    const ConditionNode& node = tree.nodes[index];
    const bool is_bare = node.is_condition;
    if (!is_bare && (condition_bit(node.type) & signing) != 0) return true;
    // Nodes inside a prefix do not count.
    index = node.type == ConditionType::threshold && !is_bare ? index + 1 : ends.value()[index];
  }
  return false;
}

}  // namespace

bool may_accept_condition(Bytes input, ConditionDialect dialect) {
  if (dialect == ConditionDialect::tokel && is_mixed(input)) {
    const Result<ConditionTree> tree =
        decode_fulfillment(input.subspan(1), FulfillmentForm::mixed, DerRules::der);
    return tree.ok() && are_types_supported(type_mask_of(tree.value()), dialect);
  }
  DerReader reader{input, DerRules::daemon};
  const UncheckedCondition read = read_unchecked_condition(reader);
  // The daemon ignores bytes after a condition, and copies a fingerprint of any size except 0.
  if (reader.failed() || read.fingerprint_size == 0) return false;
  return are_types_supported(read.condition.type_mask(), dialect);
}

bool may_spend_with(const ConditionTree& tree, ConditionDialect dialect) {
  const bool is_tokel = dialect == ConditionDialect::tokel;
  const bool has_parameter = std::ranges::any_of(
      tree.nodes, [](const ConditionNode& node) { return node.parameter.has_value(); });
  if (has_parameter && !is_tokel) return false;
  return are_types_supported(type_mask_of(tree), dialect) &&
         is_signed(tree, is_tokel ? tokel_signing : komodo_signing);
}

}  // namespace antara
