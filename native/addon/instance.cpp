#include "instance.h"

#include <optional>

#include "arguments.h"
#include "base/limits.h"
#include "bytes/hex.h"

namespace antara::addon {
namespace {

constexpr std::size_t hex_characters_max = 2 * transaction_bytes_max;

/// Reads a string into `text`, each character cut to eight bits, with one call into Node-API
/// unless `text` has to grow. Returns its length; a string over the limit is not read in full.
/// Nothing if `value` is no string.
std::optional<std::size_t> read_characters(Napi::Env env, napi_value value,
                                           std::vector<char>& text) {
  constexpr std::size_t text_bytes_min = 4096;
  if (text.size() < text_bytes_min) text.resize(text_bytes_min);
  std::size_t length = 0;
  if (napi_get_value_string_latin1(env, value, text.data(), text.size(), &length) != napi_ok) {
    return std::nullopt;
  }
  if (length + 1 < text.size()) return length;
  // Filled up to the terminator: there may be more.
  napi_get_value_string_latin1(env, value, nullptr, 0, &length);
  if (length < text.size() || length > hex_characters_max) return length;
  text.resize(2 * length + 1);
  napi_get_value_string_latin1(env, value, text.data(), text.size(), &length);
  return length;
}

/// Un-hexes a string into `bytes`, which is never made smaller. Nothing if `value` is no string.
std::optional<Source> hex_source(Instance& instance, Napi::Env env, napi_value value,
                                 std::vector<std::uint8_t>& bytes) {
  const auto length = read_characters(env, value, instance.text);
  if (!length) return std::nullopt;
  if (*length > hex_characters_max) {
    return Source{.raw = {}, .error = {ErrorCode::input_over_limit, transaction_bytes_max}};
  }
  const std::size_t byte_count = *length / 2;
  if (bytes.size() < byte_count) bytes.resize(2 * byte_count);
  const HexText hex = bytes_from_hex({instance.text.data(), *length}, bytes);
  if (hex.error.failed()) return Source{.raw = {}, .error = hex.error};
  return Source{
      .raw = Bytes{bytes}.first(byte_count), .error = {}, .has_upper_case = hex.has_upper_case};
}

}  // namespace

bool has_scratch(Napi::Env env, const Instance& instance) {
  if (instance.words_memory.IsEmpty()) return false;
  bool is_detached = true;
  napi_is_detached_arraybuffer(env, instance.words_memory.Value(), &is_detached);
  return !is_detached;
}

const std::shared_ptr<const Curve>& curve_of(Instance& instance) {
  if (!instance.curve) instance.curve = std::make_shared<const Curve>();
  return instance.curve;
}

Napi::Value fail(const Napi::CallbackInfo& info, Error error) {
  const std::span<std::uint32_t> words = instance_of(info).words;
  words[0] = static_cast<std::uint32_t>(error.code);
  words[1] = error.offset;
  return info.Env().Undefined();
}

Napi::Value misuse(const Napi::CallbackInfo& info, const char* message) {
  Napi::TypeError::New(info.Env(), message).ThrowAsJavaScriptException();
  return info.Env().Undefined();
}

bool has_words(Instance& instance, std::size_t needed) {
  const bool fits = needed <= instance.words.size();
  instance.words[0] = fits ? 0 : needs_words;
  instance.words[1] = static_cast<std::uint32_t>(needed);
  return fits;
}

Source source_argument(const Napi::CallbackInfo& info, std::size_t index) {
  Instance& instance = instance_of(info);
  const auto text = hex_source(instance, info.Env(), info[index], instance.raw);
  if (text) return *text;

  const auto bytes = bytes_argument(info, index);
  if (!bytes) return {.raw = {}, .error = {}, .misused = true};
  if (bytes->size() > transaction_bytes_max) {
    return {.raw = {}, .error = {ErrorCode::input_over_limit, transaction_bytes_max}};
  }
  return {.raw = *bytes, .error = {}, .was_bytes = true};
}

Source scripts_argument(const Napi::CallbackInfo& info, std::size_t index) {
  Instance& instance = instance_of(info);
  const auto text = hex_source(instance, info.Env(), info[index], instance.scripts);
  if (text) return *text;
  misuse(info, "expected hex");
  return {.raw = {}, .error = {}, .misused = true};
}

Napi::Value text_value(Napi::Env env, std::span<const char> text) {
  napi_value value = nullptr;
  napi_create_string_latin1(env, text.data(), text.size(), &value);
  return {env, value};
}

Napi::Value hex_value(const Napi::CallbackInfo& info, Bytes bytes) {
  std::vector<char>& text = instance_of(info).text;
  if (text.size() < 2 * bytes.size()) text.resize(2 * bytes.size());
  hex_from_bytes(bytes, text.data());
  return text_value(info.Env(), {text.data(), 2 * bytes.size()});
}

}  // namespace antara::addon
