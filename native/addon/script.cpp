#include "script.h"

#include <optional>
#include <string>

#include "arguments.h"
#include "bytes/hex.h"
#include "hash/ripemd160.h"
#include "instance.h"
#include "script/asm.h"
#include "script/script_reader.h"
#include "script/templates.h"
#include "verify/script_code.h"

namespace antara::addon {
namespace {

/// Set in the word of a script that is to be shown as a scriptSig: asm only.
constexpr std::uint32_t script_sig_flag = 0x80000000;

/// Words for each script: type, required signatures, destinations, characters of asm.
constexpr std::size_t script_words = 4;

/// What stands before the steps of a split script, and the words of each.
constexpr std::size_t step_list_words = 2;
constexpr std::size_t step_words = 3;

std::uint32_t offset_in(Bytes whole, Bytes part) noexcept {
  return static_cast<std::uint32_t>(part.data() - whole.data());
}

std::optional<ConditionSupport> condition_support(std::uint32_t number) noexcept {
  if (number > static_cast<std::uint32_t>(ConditionSupport::tokel)) return std::nullopt;
  return static_cast<ConditionSupport>(number);
}

}  // namespace

/// (hex of all scripts, how many, condition support, whether hash types are shown; in the result
/// words the characters of each script, with `script_sig_flag` for a scriptSig)
/// -> for each script its asm and the hex of its destinations. Words: outcome, then
/// `script_words` for each.
Napi::Value DescribeScripts(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const auto counted = count_argument(info, 1);
  if (!counted) return info.Env().Undefined();
  const std::size_t count = *counted;
  const auto support_number = count_argument(info, 2);
  if (!support_number) return info.Env().Undefined();
  const auto support = condition_support(*support_number);
  const auto suffix = info[3].ToBoolean() ? SighashSuffix::shown : SighashSuffix::hidden;
  if (!support) return misuse(info, "unknown condition support");
  if (!has_words(instance, outcome_words + script_words * count)) return info.Env().Undefined();

  const std::vector<std::uint32_t> lengths(
      instance.words.begin() + outcome_words,
      instance.words.begin() + static_cast<std::ptrdiff_t>(outcome_words + count));
  std::string text;
  ScriptTemplate found;
  std::size_t offset = 0;
  std::uint32_t* word = instance.words.data() + outcome_words;
  for (const std::uint32_t length : lengths) {
    const std::size_t bytes = (length & ~script_sig_flag) / 2;
    if (bytes > source.raw.size() - offset) return misuse(info, "script lengths exceed the text");
    const Bytes script = source.raw.subspan(offset, bytes);
    offset += bytes;

    const std::size_t asm_start = text.size();
    const bool is_script_sig = (length & script_sig_flag) != 0;
    append_asm(script, is_script_sig ? suffix : SighashSuffix::hidden, text);
    word[3] = static_cast<std::uint32_t>(text.size() - asm_start);
    found = {};
    if (!is_script_sig) classify_script(script, *support, found);
    word[0] = static_cast<std::uint32_t>(found.type);
    word[1] = found.required_signatures;
    word[2] = static_cast<std::uint32_t>(found.destinations.size());
    for (const Hash160& destination : found.destinations) {
      const std::size_t start = text.size();
      text.resize(start + 2 * destination.size());
      hex_from_bytes(destination, text.data() + start);
    }
    word += script_words;
  }
  return text_value(info.Env(), text);
}

/// (hex or bytes) -> hex of RIPEMD-160 of SHA-256.
Napi::Value HashOfAddress(const Napi::CallbackInfo& info) {
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const Hash160 hash = hash160(source.raw);
  std::string text(2 * hash.size(), '\0');
  hex_from_bytes(hash, text.data());
  return text_value(info.Env(), text);
}

/// (hex) -> empty text. Words: how many steps the script has, a word of nothing, then for each its
/// opcode and the offset and length of the data it pushes. A push over the end is `truncated`.
Napi::Value SplitScript(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  std::vector<ScriptOp> steps;
  ScriptReader reader{source.raw};
  for (ScriptOp step; reader.next(step);) steps.push_back(step);
  if (reader.malformed()) {
    return fail(info, {ErrorCode::truncated, static_cast<std::uint32_t>(reader.position())});
  }
  const std::size_t needed = outcome_words + step_list_words + step_words * steps.size();
  if (!has_words(instance, needed)) return info.Env().Undefined();
  std::uint32_t* word = instance.words.data() + outcome_words;
  word[0] = static_cast<std::uint32_t>(steps.size());
  word += step_list_words;
  for (const ScriptOp& step : steps) {
    word[0] = step.opcode;
    word[1] = step.data.empty() ? 0 : offset_in(source.raw, step.data);
    word[2] = static_cast<std::uint32_t>(step.data.size());
    word += step_words;
  }
  return text_value(info.Env(), {});
}

/// (hex, condition support) -> empty text. Words: whether the script pays a condition, offset and
/// length of what it pushes for that, and how long the script is up to OP_CHECKCRYPTOCONDITION.
Napi::Value MatchConditionScript(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const auto support_number = count_argument(info, 1);
  if (!support_number) return info.Env().Undefined();
  const auto support = condition_support(*support_number);
  if (!support) return misuse(info, "unknown condition support");
  ConditionScript found;
  const bool is_match = match_condition_script(source.raw, *support, found);
  if (!has_words(instance, outcome_words + 4)) return info.Env().Undefined();
  std::uint32_t* word = instance.words.data() + outcome_words;
  word[0] = is_match ? 1 : 0;
  word[1] = is_match ? offset_in(source.raw, found.pushed) : 0;
  word[2] = static_cast<std::uint32_t>(found.pushed.size());
  word[3] = static_cast<std::uint32_t>(found.payment.size());
  return text_value(info.Env(), {});
}

/// (hex of a scriptSig) -> empty text. Words: whether it is one push as a condition's, offset and
/// length of the fulfillment, and the hash type after it.
Napi::Value ReadFulfillmentPush(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const Result<FulfillmentPush> push = read_fulfillment_push(source.raw);
  if (!has_words(instance, outcome_words + 4)) return info.Env().Undefined();
  instance.words[2] = source.has_upper_case ? 1 : 0;
  std::uint32_t* word = instance.words.data() + outcome_words;
  word[0] = push.ok() ? 1 : 0;
  if (!push.ok()) return text_value(info.Env(), {});
  const Bytes fulfillment = push.value().fulfillment;
  word[1] = fulfillment.empty() ? 0 : offset_in(source.raw, fulfillment);
  word[2] = static_cast<std::uint32_t>(fulfillment.size());
  word[3] = push.value().hash_type;
  return text_value(info.Env(), {});
}

}  // namespace antara::addon
