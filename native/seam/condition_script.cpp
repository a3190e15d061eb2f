#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "script/script_reader.h"
#include "seam/functions.h"
#include "seam/support.h"
#include "seam/tree_words.h"
#include "verify/script_code.h"

namespace antara::seam {
namespace {

/// A condition, and its tree if the script contains one.
struct FoundCondition {
  std::uint32_t form = form_none;
  Condition condition;
  ConditionTree tree;
};

std::uint32_t form_of(Bytes pushed, ConditionSupport support) noexcept {
  if (support != ConditionSupport::tokel || pushed.empty()) return form_condition;
  if (pushed[0] == 'M') return form_mixed_hidden;
  return pushed[0] == 'N' ? form_mixed : form_condition;
}

/// Reads a condition by the daemon's rules; returns `form_none` for malformed data.
FoundCondition read_condition_in(Bytes pushed, ConditionSupport support) {
  const std::uint32_t form = form_of(pushed, support);
  if (form == form_condition) {
    const Result<Condition> condition = antara::decode_condition(pushed, DerRules::daemon);
    return condition.ok() ? FoundCondition{form, condition.value(), {}} : FoundCondition{};
  }
  Result<ConditionTree> tree =
      antara::decode_fulfillment(pushed.subspan(1), FulfillmentForm::mixed);
  if (!tree.ok()) return {};
  const Result<std::vector<Condition>> conditions = conditions_of(tree.value());
  if (!conditions.ok()) return {};
  return {form, conditions.value().front(), std::move(tree.value())};
}

StepWords words_of(const ScriptOp& step, Bytes whole) noexcept {
  const Slice data = slice_of(whole, step.data);
  return {step.opcode, data.offset, data.length, 0};
}

/// Returns true if a step leaves bytes on the stack.
/// source: komodo src/script/script.cpp, CScript::GetBalancedData
bool is_data(const ScriptOp& step) noexcept {
  return step.opcode == 0 || step.is_small_number() || !step.data.empty();
}

/// Returns all pushes of a script that contains nothing else.
std::optional<std::vector<ScriptOp>> elements_of(Bytes script) {
  std::vector<ScriptOp> elements;
  ScriptReader reader{script};
  for (ScriptOp step; reader.next(step);) {
    if (!is_data(step)) return std::nullopt;
    elements.push_back(step);
  }
  if (reader.malformed()) return std::nullopt;
  return elements;
}

/// Appends the words of a script that is part of `text`, from which slices are counted.
void add_condition_script(const ConditionScript& script, Bytes after, ConditionSupport support,
                          Bytes text, GrowingWords& words, std::string& hashes) {
  const FoundCondition found = read_condition_in(script.pushed, support);
  if (found.form == form_none) {
    words.add(ConditionScriptWords{});
    return;
  }
  std::vector<ScriptOp> dropped;
  ScriptReader reader{after};
  for (ScriptOp step; reader.next(step);) {
    if (step.opcode != op_drop) dropped.push_back(step);
  }
  const auto elements = dropped.empty() || dropped.front().data.empty()
                            ? std::nullopt
                            : elements_of(dropped.front().data);
  words.add(ConditionScriptWords{
      .cost = found.condition.cost,
      .form = found.form,
      .type = static_cast<std::uint32_t>(found.condition.type),
      .subtypes = found.condition.subtypes,
      .canonical = found.condition.is_canonical ? 1U : 0U,
      .nodes = static_cast<std::uint32_t>(found.tree.nodes.size()),
      .dropped = static_cast<std::uint32_t>(dropped.size()),
      .elements = elements ? static_cast<std::uint32_t>(elements->size()) : absent_length,
  });
  append_hex(found.condition.fingerprint_view(), hashes);
  // The tree begins after the 'M' or the 'N'.
  const std::size_t start = slice_of(text, script.pushed).offset + 1;
  add_nodes(found.tree, start, words, hashes);
  for (const ScriptOp& step : dropped) words.add(words_of(step, text));
  if (!elements) return;
  for (const ScriptOp& step : *elements) words.add(words_of(step, text));
}

}  // namespace

Outcome read_condition_scripts(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto head = call.head<ConditionScriptsWords>();
  const auto support = condition_support(head.support);
  if (!support) return ArgumentError::unknown_condition_support;
  const Bytes text = source.value().raw;
  std::vector<GivenScript> scripts;
  const Outcome misfit = cut_scripts<ConditionScriptsWords>(call, head.count, text, scripts);
  if (misfit.failed()) return misfit;
  GrowingWords words;
  std::string hashes;
  for (const auto& [script, is_script_sig] : scripts) {
    ConditionScript found;
    if (match_condition_script(script, *support, found)) {
      const Bytes after = script.subspan(found.payment.size());
      add_condition_script(found, after, *support, text, words, hashes);
    } else {
      words.add(ConditionScriptWords{});
    }
  }
  words.answer(call);
  call.answer_text(hashes);
  return {};
}

Outcome read_fulfillments(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes text = source.value().raw;
  const std::size_t count = call.head<ScriptSigsWords>().count;
  std::vector<GivenScript> script_sigs;
  const Outcome misfit = cut_scripts<ScriptSigsWords>(call, count, text, script_sigs);
  if (misfit.failed()) return misfit;
  GrowingWords words;
  std::string hashes;
  for (const auto& [script_sig, is_script_sig] : script_sigs) {
    const Result<FulfillmentPush> push = read_fulfillment_push(script_sig);
    const Result<ConditionTree> tree =
        push.ok() ? antara::decode_fulfillment(push.value().fulfillment) : push.error();
    if (!tree.ok()) {
      words.add(ScriptSigWords{});
      continue;
    }
    const Slice fulfillment = slice_of(text, push.value().fulfillment);
    words.add(ScriptSigWords{static_cast<std::uint32_t>(tree.value().nodes.size()),
                             fulfillment.offset, fulfillment.length, push.value().hash_type});
    add_nodes(tree.value(), fulfillment.offset, words, hashes);
  }
  words.answer(call);
  call.answer_text(hashes);
  return {};
}

}  // namespace antara::seam
