#include "script/token_script.h"

#include "cc/fingerprint.h"
#include "script/opcodes.h"

namespace antara {
namespace {

/// Appends `value` to `data` and says where it is.
Slice add(Bytes value, std::vector<std::uint8_t>& data) {
  const Slice slice{static_cast<std::uint32_t>(data.size()),
                    static_cast<std::uint32_t>(value.size())};
  data.insert(data.end(), value.begin(), value.end());
  return slice;
}

ConditionNode threshold_of(std::size_t threshold, std::size_t members) {
  ConditionNode node;
  node.type = ConditionType::threshold;
  node.threshold = static_cast<std::uint32_t>(threshold);
  node.members = static_cast<std::uint32_t>(members);
  return node;
}

ConditionNode leaf_of(ConditionType type, Slice value) {
  ConditionNode node;
  node.type = type;
  node.value = value;
  return node;
}

}  // namespace

Result<std::vector<std::uint8_t>> token_script(Bytes eval_codes, std::span<const Bytes> pubkeys) {
  std::vector<std::uint8_t> data;
  ConditionTree tree;
  const std::size_t members = eval_codes.size() + 1;
  tree.nodes.push_back(threshold_of(members, members));
  for (const std::uint8_t& code : eval_codes) {
    tree.nodes.push_back(leaf_of(ConditionType::eval, add(Bytes{&code, 1}, data)));
  }
  tree.nodes.push_back(threshold_of(1, pubkeys.size()));
  for (const Bytes pubkey : pubkeys) {
    tree.nodes.push_back(leaf_of(ConditionType::secp256k1, add(pubkey, data)));
  }
  tree.data = data;

  const auto conditions = conditions_of(tree);
  if (!conditions.ok()) return conditions.error();
  std::vector<std::uint8_t> condition;
  write_condition(conditions.value().front(), condition);
  std::vector<std::uint8_t> script{static_cast<std::uint8_t>(condition.size())};
  script.insert(script.end(), condition.begin(), condition.end());
  script.push_back(op_checkcryptocondition);
  return script;
}

}  // namespace antara
