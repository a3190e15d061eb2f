#include <string>

#include "bytes/hex.h"
#include "hash/ripemd160.h"
#include "script/address.h"
#include "script/asm.h"
#include "script/script_reader.h"
#include "script/templates.h"
#include "seam/functions.h"
#include "seam/support.h"

namespace antara::seam {
namespace {

ScriptWords describe(Bytes script, ConditionSupport support, std::string& text) {
  ScriptTemplate found;
  classify_script(script, support, found);
  for (const Hash160& destination : found.destinations) append_hex(destination, text);
  return {
      .type = static_cast<std::uint32_t>(found.type),
      .required_signatures = found.required_signatures,
      .destinations = static_cast<std::uint32_t>(found.destinations.size()),
  };
}

}  // namespace

Outcome describe_scripts(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto head = call.head<ScriptsWords>();
  const auto support = condition_support(head.support);
  if (!support) return ArgumentError::unknown_condition_support;
  std::vector<GivenScript> scripts;
  const Outcome misfit = cut_scripts<ScriptsWords>(call, head.count, source.value().raw, scripts);
  if (misfit.failed()) return misfit;

  std::string text;
  std::span<std::uint32_t> words = call.answer_words(sizeof(ScriptWords) / 4 * scripts.size());
  for (const auto& [script, is_script_sig] : scripts) {
    const std::size_t asm_start = text.size();
    const bool shows_hash_types = is_script_sig && head.shows_hash_types != 0;
    append_asm(script, shows_hash_types ? SighashSuffix::shown : SighashSuffix::hidden, text);
    const auto asm_length = static_cast<std::uint32_t>(text.size() - asm_start);
    ScriptWords described;
    if (!is_script_sig) described = describe(script, *support, text);
    described.asm_length = asm_length;
    words = Call::put(words, described);
  }
  call.answer_text(text);
  return {};
}

Outcome encode_addresses(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes raw = source.value().raw;
  std::string text;
  Bytes rest = raw;
  for (; rest.size() >= address_payload_bytes; rest = rest.subspan(address_payload_bytes)) {
    append_address(rest.first<address_payload_bytes>(), text);
    text += ' ';
  }
  if (!rest.empty()) return Error{ErrorCode::truncated, static_cast<std::uint32_t>(raw.size())};
  call.answer_text(text);
  return {};
}

Outcome hash160(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  call.answer_hex(antara::hash160(source.value().raw));
  return {};
}

Outcome split_script(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes script = source.value().raw;
  std::vector<ScriptOp> steps;
  ScriptReader reader{script};
  for (ScriptOp step; reader.next(step);) steps.push_back(step);
  if (reader.malformed()) {
    return Error{ErrorCode::truncated, static_cast<std::uint32_t>(reader.position())};
  }
  constexpr std::size_t head_words = sizeof(StepsWords) / 4;
  constexpr std::size_t step_words = sizeof(StepWords) / 4;
  std::span<std::uint32_t> words =
      Call::put(call.answer_words(head_words + step_words * steps.size()),
                StepsWords{static_cast<std::uint32_t>(steps.size())});
  for (const ScriptOp& step : steps) {
    const Slice data = slice_of(script, step.data);
    words = Call::put(words, StepWords{step.opcode, data.offset, data.length, 0});
  }
  return {};
}

}  // namespace antara::seam
