#include "seam/tree_words.h"

#include <algorithm>

#include "hash/ripemd160.h"
#include "seam/support.h"

namespace antara::seam {
namespace {

constexpr std::size_t node_words = sizeof(NodeWords) / 4;

/// Returns false if the slice is not inside `data`, which means that the caller's words are wrong.
bool read_slice(Slice found, Bytes data, std::optional<Slice>& slice) {
  if (found.length == absent_length) return true;
  if (found.offset > data.size() || found.length > data.size() - found.offset) return false;
  slice = found;
  return true;
}

Outcome read_node(const NodeWords& words, Bytes data, ConditionNode& node) {
  const auto type = condition_type(words.type & ~bare_flag);
  if (!type) return ArgumentError::unknown_condition_type;
  node.type = *type;
  node.is_condition = (words.type & bare_flag) != 0;
  node.threshold = words.threshold;
  node.members = words.members;
  node.subtypes = words.subtypes;
  node.number = words.number;
  const bool has_parameter = row_of(node.type).second == SecondPart::parameter;
  auto& second = has_parameter ? node.parameter : node.signature;
  const bool fits =
      read_slice({words.value_offset, words.value_length}, data, node.value) &&
      read_slice({words.key_hash_offset, words.key_hash_length}, data, node.key_hash) &&
      read_slice({words.second_offset, words.second_length}, data, second);
  if (!fits) return ArgumentError::words_beyond_text;
  return {};
}

NodeWords words_of(const ConditionNode& node, std::uint32_t start) {
  const auto placed = [start](const std::optional<Slice>& slice) {
    return slice ? Slice{slice->offset + start, slice->length} : Slice{0, absent_length};
  };
  const Slice value = placed(node.value);
  const Slice key_hash = placed(node.key_hash);
  const Slice second = placed(node.signature ? node.signature : node.parameter);
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

}  // namespace

void GrowingWords::answer(Call& call) const {
  std::copy(words_.begin(), words_.end(), call.answer_words(words_.size()).begin());
}

Outcome read_tree(std::span<const std::uint32_t>& words, TreeWords& head, ConditionTree& tree) {
  constexpr std::size_t head_words = sizeof(TreeWords) / 4;
  if (words.size() < head_words) return ArgumentError::words_beyond_scratch;
  head = Call::at<TreeWords>(words);
  words = words.subspan(head_words);
  if (head.nodes > words.size() / node_words) return ArgumentError::words_beyond_scratch;
  if (head.nodes == 0) return ArgumentError::unknown_condition_type;
  tree.nodes.assign(head.nodes, {});
  for (std::uint32_t index = 0; index < head.nodes; ++index) {
    ConditionNode& node = tree.nodes[index];
    node.offset = index;
    const Outcome misfit = read_node(Call::at<NodeWords>(words), tree.data, node);
    if (misfit.failed()) return misfit;
    words = words.subspan(node_words);
  }
  return {};
}

void add_nodes(const ConditionTree& tree, std::size_t start, GrowingWords& words,
               std::string& hashes) {
  for (const ConditionNode& node : tree.nodes) {
    words.add(words_of(node, static_cast<std::uint32_t>(start)));
    if (row_of(node.type).fingerprint != FingerprintOf::key_hash || node.is_condition) continue;
    append_hex(hash160(bytes_of(tree.data, node.value.value_or(Slice{}))), hashes);
  }
}

}  // namespace antara::seam
