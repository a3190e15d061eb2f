#include <string>

#include "bytes/hex.h"
#include "hash/ripemd160.h"
#include "script/address.h"
#include "script/asm.h"
#include "script/script_reader.h"
#include "script/templates.h"
#include "seam/functions.h"
#include "seam/support.h"
#include "verify/script_code.h"

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
  if (!support) return Misuse::unknown_condition_support;
  std::span<const std::uint32_t> in;
  const Outcome misfit = call.list<ScriptsWords, ScriptTextWords>(head.count, in);
  if (misfit.failed()) return misfit;
  const std::vector<std::uint32_t> digits(in.begin(), in.end());  // the answer is written over them

  Bytes rest = source.value().raw;
  std::string text;
  std::span<std::uint32_t> words = call.answer_words(sizeof(ScriptWords) / 4 * digits.size());
  for (const std::uint32_t word : digits) {
    const bool is_script_sig = (word & script_sig_flag) != 0;
    const std::size_t bytes = (word & ~script_sig_flag) / 2;
    if (bytes > rest.size()) return Misuse::words_beyond_text;
    const Bytes script = rest.first(bytes);
    rest = rest.subspan(bytes);
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
    words = Call::put(words, StepWords{step.opcode, data.offset, data.length});
  }
  return {};
}

Outcome match_condition_script(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto support = condition_support(call.head<MatchingWords>().support);
  if (!support) return Misuse::unknown_condition_support;
  ConditionScript found;
  if (!antara::match_condition_script(source.value().raw, *support, found)) {
    call.answer_record(MatchWords{});
    return {};
  }
  const Slice pushed = slice_of(source.value().raw, found.pushed);
  const auto payment_length = static_cast<std::uint32_t>(found.payment.size());
  call.answer_record(MatchWords{1, pushed.offset, pushed.length, payment_length});
  return {};
}

Outcome read_fulfillment_push(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  call.set_detail(source.value().has_upper_case ? 1 : 0);
  const Result<FulfillmentPush> push = antara::read_fulfillment_push(source.value().raw);
  if (!push.ok()) {
    call.answer_record(PushWords{});
    return {};
  }
  const Slice fulfillment = slice_of(source.value().raw, push.value().fulfillment);
  call.answer_record(PushWords{1, fulfillment.offset, fulfillment.length, push.value().hash_type});
  return {};
}

}  // namespace antara::seam
