#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "hash/ripemd160.h"
#include "seam/functions.h"
#include "verify/condition_keys.h"

namespace antara::seam {
namespace {

constexpr std::size_t node_words = sizeof(NodeWords) / 4;

/// False if the slice is not inside `data`: the caller got its own words wrong.
bool read_slice(Slice found, Bytes data, std::optional<Slice>& slice) {
  if (found.length == absent_length) return true;
  if (found.offset > data.size() || found.length > data.size() - found.offset) return false;
  slice = found;
  return true;
}

Outcome read_node(const NodeWords& words, Bytes data, ConditionNode& node) {
  const auto type = condition_type(words.type & ~bare_flag);
  if (!type) return Misuse::unknown_condition_type;
  node.type = *type;
  node.is_condition = (words.type & bare_flag) != 0;
  node.threshold = words.threshold;
  node.members = words.members;
  node.subtypes = words.subtypes;
  node.number = words.number;
  auto& second = node.type == ConditionType::eval ? node.parameter : node.signature;
  const bool fits =
      read_slice({words.value_offset, words.value_length}, data, node.value) &&
      read_slice({words.key_hash_offset, words.key_hash_length}, data, node.key_hash) &&
      read_slice({words.second_offset, words.second_length}, data, second);
  if (!fits) return Misuse::words_beyond_text;
  return {};
}

NodeWords words_of(const ConditionNode& node) {
  constexpr Slice absent{0, absent_length};
  const Slice value = node.value.value_or(absent);
  const Slice key_hash = node.key_hash.value_or(absent);
  const Slice second = (node.signature ? node.signature : node.parameter).value_or(absent);
  return {
      .number = node.number,
      .type = static_cast<std::uint32_t>(node.type) | (node.is_condition ? bare_flag : 0),
      .threshold = node.threshold,
      .members = node.members,
      .subtypes = node.subtypes,
      .value_offset = value.offset,
      .value_length = value.length,
      .key_hash_offset = key_hash.offset,
      .key_hash_length = key_hash.length,
      .second_offset = second.offset,
      .second_length = second.length,
  };
}

/// The tree whose nodes are in the words and whose bytes are input 0. A node's offset is its index.
Outcome read_tree(Call& call, ConditionTree& tree) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  tree.data = source.value().raw;
  const std::size_t count = call.head<TreeWords>().nodes;
  std::span<const std::uint32_t> words;
  if (const Outcome misfit = call.list<TreeWords, NodeWords>(count, words); misfit.failed()) {
    return misfit;
  }
  if (count == 0) return Misuse::unknown_condition_type;
  tree.nodes.resize(count);
  for (std::size_t index = 0; index < count; ++index) {
    ConditionNode& node = tree.nodes[index];
    node.offset = static_cast<std::uint32_t>(index);
    const auto record = Call::at<NodeWords>(words.subspan(index * node_words));
    const Outcome misfit = read_node(record, tree.data, node);
    if (misfit.failed()) return misfit;
  }
  return {};
}

FulfillmentForm form_of(std::uint32_t is_mixed) {
  return is_mixed != 0 ? FulfillmentForm::mixed : FulfillmentForm::plain;
}

}  // namespace

Outcome decode_condition(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const bool as_daemon = call.head<ReadingWords>().as_daemon != 0;
  const Result<Condition> decoded =
      antara::decode_condition(source.value().raw, as_daemon ? DerRules::daemon : DerRules::strict);
  if (!decoded.ok()) return decoded.error();
  const Condition& condition = decoded.value();
  call.answer_record(ConditionWords{
      .cost = condition.cost,
      .type = static_cast<std::uint32_t>(condition.type),
      .subtypes = condition.subtypes,
      .canonical = condition.is_canonical ? 1U : 0U,
  });
  call.answer_hex(condition.fingerprint_view());
  return {};
}

Outcome decode_fulfillment(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto rules = call.head<FulfillmentWords>();
  const Bytes raw = source.value().raw;
  const Result<ConditionTree> decoded = antara::decode_fulfillment(raw, form_of(rules.is_mixed));
  if (!decoded.ok()) return decoded.error();
  if (rules.checks_keys != 0) {
    const Error error = check_condition_keys(decoded.value());
    if (error.failed()) return error;
  }
  const std::vector<ConditionNode>& nodes = decoded.value().nodes;
  call.set_detail(source.value().has_upper_case ? 1 : 0);
  std::vector<std::uint8_t>& hashes = call.state().produced;
  hashes.clear();
  std::span<std::uint32_t> words =
      Call::put(call.answer_words(sizeof(TreeWords) / 4 + node_words * nodes.size()),
                TreeWords{static_cast<std::uint32_t>(nodes.size()), rules.is_mixed});
  for (const ConditionNode& node : nodes) {
    words = Call::put(words, words_of(node));
    if (node.type != ConditionType::secp256k1hash || node.is_condition) continue;
    const Hash160 hash = antara::hash160(bytes_of(raw, node.value.value_or(Slice{})));
    hashes.insert(hashes.end(), hash.begin(), hash.end());
  }
  call.answer_hex(hashes);
  return {};
}

Outcome encode_condition(Call& call) {
  ConditionTree tree;
  if (const Outcome misfit = read_tree(call, tree); misfit.failed()) return misfit;
  const Result<std::vector<Condition>> conditions = conditions_of(tree);
  if (!conditions.ok()) return conditions.error();
  std::vector<std::uint8_t>& produced = call.state().produced;
  produced.clear();
  write_condition(conditions.value().front(), produced);
  call.answer_hex(produced);
  return {};
}

Outcome encode_fulfillment(Call& call) {
  ConditionTree tree;
  if (const Outcome misfit = read_tree(call, tree); misfit.failed()) return misfit;
  const auto form = form_of(call.head<TreeWords>().is_mixed);
  const Result<std::vector<std::uint8_t>> encoded = antara::encode_fulfillment(tree, form);
  if (!encoded.ok()) return encoded.error();
  call.answer_hex(encoded.value());
  return {};
}

}  // namespace antara::seam
