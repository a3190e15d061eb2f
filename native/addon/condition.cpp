#include "condition.h"

#include <cstring>
#include <optional>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "hash/ripemd160.h"
#include "instance.h"
#include "verify/condition_keys.h"

namespace antara::addon {
namespace {

// A condition, from the first result word on. src/engine/words.ts names the same positions.
constexpr std::size_t condition_cost_word = 0;  // and the next
constexpr std::size_t condition_type_word = 2;
constexpr std::size_t condition_subtypes_word = 3;
constexpr std::size_t condition_canonical_word = 4;
constexpr std::size_t condition_words = 6;

// A tree: how many nodes, a word of nothing, then each node.
constexpr std::size_t tree_nodes_word = 2;
constexpr std::size_t node_number_word = 0;  // and the next
constexpr std::size_t node_type_word = 2;
constexpr std::size_t node_threshold_word = 3;
constexpr std::size_t node_members_word = 4;
constexpr std::size_t node_subtypes_word = 5;
constexpr std::size_t node_value_word = 6;     // offset and length in the tree's bytes
constexpr std::size_t node_key_hash_word = 8;  // the same
constexpr std::size_t node_second_word = 10;   // the same: a signature, or an eval's parameter
constexpr std::size_t node_words = 12;

/// Set in a node's type where only its condition is known.
constexpr std::uint32_t bare_flag = 0x80000000;

/// The length of what is absent.
constexpr std::uint32_t absent_length = 0xffffffff;

std::span<std::uint32_t> result_words(Instance& instance) {
  return instance.words.subspan(outcome_words);
}

std::uint64_t number_at(std::span<const std::uint32_t> words, std::size_t position) noexcept {
  std::uint64_t value;
  std::memcpy(&value, words.data() + position, sizeof value);
  return value;
}

void put_number(std::span<std::uint32_t> words, std::size_t position, std::uint64_t value) {
  std::memcpy(words.data() + position, &value, sizeof value);
}

void put_slice(std::span<std::uint32_t> words, std::size_t position,
               const std::optional<Slice>& slice) {
  words[position] = slice ? slice->offset : 0;
  words[position + 1] = slice ? slice->length : absent_length;
}

/// False if the slice is not inside `data`: the caller got its own words wrong.
bool get_slice(std::span<const std::uint32_t> words, std::size_t position, Bytes data,
               std::optional<Slice>& slice) {
  const Slice found{words[position], words[position + 1]};
  if (found.length == absent_length) return true;
  if (found.offset > data.size() || found.length > data.size() - found.offset) return false;
  slice = found;
  return true;
}

bool get_node(std::span<const std::uint32_t> words, Bytes data, ConditionNode& node) {
  const auto type = condition_type(words[node_type_word] & ~bare_flag);
  if (!type) return false;
  node.type = *type;
  node.is_condition = (words[node_type_word] & bare_flag) != 0;
  node.threshold = words[node_threshold_word];
  node.members = words[node_members_word];
  node.subtypes = words[node_subtypes_word];
  node.number = number_at(words, node_number_word);
  return get_slice(words, node_value_word, data, node.value) &&
         get_slice(words, node_key_hash_word, data, node.key_hash) &&
         get_slice(words, node_second_word, data,
                   node.type == ConditionType::eval ? node.parameter : node.signature);
}

void put_node(std::span<std::uint32_t> words, const ConditionNode& node) {
  put_number(words, node_number_word, node.number);
  words[node_type_word] =
      static_cast<std::uint32_t>(node.type) | (node.is_condition ? bare_flag : 0);
  words[node_threshold_word] = node.threshold;
  words[node_members_word] = node.members;
  words[node_subtypes_word] = node.subtypes;
  put_slice(words, node_value_word, node.value);
  put_slice(words, node_key_hash_word, node.key_hash);
  put_slice(words, node_second_word, node.signature ? node.signature : node.parameter);
}

/// The tree whose nodes are in the result words and whose bytes are argument 0, in hex. Nothing if
/// that failed, which has been reported. A node's offset is its index.
std::optional<ConditionTree> tree_argument(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return std::nullopt;
  if (source.error.failed()) {
    fail(info, source.error);
    return std::nullopt;
  }
  const std::span<const std::uint32_t> words = result_words(instance);
  const std::size_t count = words.size() < tree_nodes_word ? 0 : words[0];
  if (count == 0 || count > (words.size() - tree_nodes_word) / node_words) {
    misuse(info, "the scratch does not hold the tree");
    return std::nullopt;
  }
  ConditionTree tree;
  tree.data = source.raw;
  tree.nodes.resize(count);
  for (std::size_t index = 0; index < count; ++index) {
    ConditionNode& node = tree.nodes[index];
    node.offset = static_cast<std::uint32_t>(index);
    const auto node_span = words.subspan(tree_nodes_word + index * node_words, node_words);
    if (!get_node(node_span, source.raw, node)) {
      misuse(info, "the scratch holds no condition tree");
      return std::nullopt;
    }
  }
  return tree;
}

FulfillmentForm form_argument(const Napi::CallbackInfo& info, std::size_t index) {
  return info[index].ToBoolean() ? FulfillmentForm::mixed : FulfillmentForm::plain;
}

}  // namespace

/// (hex or bytes, whether the daemon's rules apply) -> the fingerprint's hex. Words: the condition.
Napi::Value DecodeCondition(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const DerRules rules = info[1].ToBoolean() ? DerRules::daemon : DerRules::strict;
  const Result<Condition> decoded = decode_condition(source.raw, rules);
  if (!decoded.ok()) return fail(info, decoded.error());
  if (!has_words(instance, outcome_words + condition_words)) return info.Env().Undefined();

  const Condition& condition = decoded.value();
  const std::span<std::uint32_t> words = result_words(instance);
  put_number(words, condition_cost_word, condition.cost);
  words[condition_type_word] = static_cast<std::uint32_t>(condition.type);
  words[condition_subtypes_word] = condition.subtypes;
  words[condition_canonical_word] = condition.is_canonical ? 1 : 0;
  return hex_value(info, condition.fingerprint_view());
}

/// (hex or bytes, whether it is mixed mode, whether keys must be points of the curve) -> the hex of
/// the key hashes that its secp256k1hash nodes stand for, in their order. Words: the tree, whose
/// slices are parts of the source.
Napi::Value DecodeFulfillment(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const Result<ConditionTree> decoded = decode_fulfillment(source.raw, form_argument(info, 1));
  if (!decoded.ok()) return fail(info, decoded.error());
  if (info[2].ToBoolean()) {
    const Error error = check_condition_keys(decoded.value(), *curve_of(instance));
    if (error.failed()) return fail(info, error);
  }
  const std::vector<ConditionNode>& nodes = decoded.value().nodes;
  const std::size_t needed = outcome_words + tree_nodes_word + node_words * nodes.size();
  if (!has_words(instance, needed)) return info.Env().Undefined();

  const std::span<std::uint32_t> words = result_words(instance);
  instance.words[2] = source.has_upper_case ? 1 : 0;
  words[0] = static_cast<std::uint32_t>(nodes.size());
  instance.produced.clear();
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const ConditionNode& node = nodes[index];
    put_node(words.subspan(tree_nodes_word + index * node_words, node_words), node);
    if (node.type != ConditionType::secp256k1hash || node.is_condition) continue;
    const Hash160 hash = hash160(bytes_of(source.raw, node.value.value_or(Slice{})));
    instance.produced.insert(instance.produced.end(), hash.begin(), hash.end());
  }
  return hex_value(info, instance.produced);
}

/// (hex of a tree's bytes; its nodes in the result words) -> the hex of its condition.
Napi::Value EncodeCondition(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const std::optional<ConditionTree> tree = tree_argument(info);
  if (!tree) return info.Env().Undefined();
  const Result<std::vector<Condition>> conditions = conditions_of(*tree);
  if (!conditions.ok()) return fail(info, conditions.error());
  instance.produced.clear();
  write_condition(conditions.value().front(), instance.produced);
  return hex_value(info, instance.produced);
}

/// (hex of a tree's bytes, whether it is to be mixed mode; its nodes in the result words)
/// -> the hex of its fulfillment.
Napi::Value EncodeFulfillment(const Napi::CallbackInfo& info) {
  const std::optional<ConditionTree> tree = tree_argument(info);
  if (!tree) return info.Env().Undefined();
  const Result<std::vector<std::uint8_t>> encoded =
      encode_fulfillment(*tree, form_argument(info, 1));
  if (!encoded.ok()) return fail(info, encoded.error());
  return hex_value(info, encoded.value());
}

}  // namespace antara::addon
