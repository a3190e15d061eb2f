#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "seam/functions.h"
#include "seam/tree_words.h"
#include "verify/condition_keys.h"

namespace antara::seam {
namespace {

/// Appends a tree in the form that its words name.
Outcome encode_tree(const ConditionTree& tree, std::uint32_t form,
                    std::vector<std::uint8_t>& output) {
  if (form == form_condition) {
    const Result<std::vector<Condition>> conditions = conditions_of(tree);
    if (!conditions.ok()) return conditions.error();
    write_condition(conditions.value().front(), output);
    return {};
  }
  if (form < form_plain || form > form_mixed_hidden) return ArgumentError::unknown_condition_form;
  const FulfillmentForm written = form == form_plain   ? FulfillmentForm::plain
                                  : form == form_mixed ? FulfillmentForm::mixed
                                                       : FulfillmentForm::mixed_hidden;
  const Result<std::vector<std::uint8_t>> encoded = encode_fulfillment(tree, written);
  if (!encoded.ok()) return encoded.error();
  output.insert(output.end(), encoded.value().begin(), encoded.value().end());
  return {};
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
  const auto form = rules.is_mixed != 0 ? FulfillmentForm::mixed : FulfillmentForm::plain;
  const Result<ConditionTree> decoded = antara::decode_fulfillment(raw, form);
  if (!decoded.ok()) return decoded.error();
  const ConditionTree& tree = decoded.value();
  if (rules.checks_keys != 0) {
    const Error error = check_condition_keys(tree);
    if (error.failed()) return error;
  }
  call.set_detail(source.value().has_upper_case ? 1 : 0);
  GrowingWords words;
  std::string hashes;
  words.add(TreeWords{.nodes = static_cast<std::uint32_t>(tree.nodes.size()), .form = form_plain});
  add_nodes(tree, 0, words, hashes);
  words.answer(call);
  call.answer_text(hashes);
  return {};
}

Outcome encode_trees(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const std::uint32_t count = call.head<TreesWords>().count;
  std::span<const std::uint32_t> words =
      call.state().words.subspan(result_base + sizeof(TreesWords) / 4);
  ConditionTree tree;
  tree.data = source.value().raw;
  std::vector<std::uint8_t>& produced = call.state().produced;
  produced.clear();
  GrowingWords lengths;
  for (std::uint32_t number = 0; number < count; ++number) {
    const std::size_t start = produced.size();
    TreeWords head;
    Outcome refused = read_tree(words, head, tree);
    if (!refused.failed()) refused = encode_tree(tree, head.form, produced);
    if (refused.failed()) {
      call.set_detail(number);
      return refused;
    }
    lengths.add(EncodedWords{static_cast<std::uint32_t>(2 * (produced.size() - start))});
  }
  lengths.answer(call);
  call.answer_hex(produced);
  return {};
}

}  // namespace antara::seam
