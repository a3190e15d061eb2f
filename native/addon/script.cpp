#include "script.h"

#include <algorithm>
#include <optional>
#include <string>

#include "bytes/hex.h"
#include "instance.h"
#include "script/asm.h"
#include "script/templates.h"
#include "script/token_script.h"

namespace antara::addon {
namespace {

/// Set in the word of a script that is to be shown as a scriptSig: asm only.
constexpr std::uint32_t script_sig_flag = 0x80000000;

/// Words for each script: type, required signatures, destinations, characters of asm.
constexpr std::size_t script_words = 4;

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
  const std::size_t count = info[1].ToNumber().Uint32Value();
  const auto support = condition_support(info[2].ToNumber().Uint32Value());
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
  instance.words[0] = 0;
  return text_value(info.Env(), text);
}

/// (hex of one-byte eval codes, hex of 33-byte public keys) -> hex of the script.
Napi::Value TokenScript(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const std::string codes_hex = info[0].ToString();
  std::vector<std::uint8_t> codes(codes_hex.size() / 2);
  const HexText read = bytes_from_hex(codes_hex, codes);
  if (read.error.failed()) return fail(info, read.error);
  const Source keys = source_argument(info, 1);
  if (keys.misused) return info.Env().Undefined();
  if (keys.error.failed()) return fail(info, keys.error);

  constexpr std::size_t key_bytes = 33;
  std::vector<Bytes> pubkeys;
  for (std::size_t offset = 0; offset < keys.raw.size(); offset += key_bytes) {
    pubkeys.push_back(keys.raw.subspan(offset, std::min(key_bytes, keys.raw.size() - offset)));
  }
  const auto script = token_script(codes, pubkeys);
  if (!script.ok()) return fail(info, script.error());
  instance.words[0] = 0;
  std::string text(2 * script.value().size(), '\0');
  hex_from_bytes(script.value(), text.data());
  return text_value(info.Env(), text);
}

}  // namespace antara::addon
