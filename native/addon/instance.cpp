#include "instance.h"

#include "arguments.h"
#include "base/limits.h"
#include "bytes/hex.h"

namespace antara::addon {
namespace {

/// Un-hexes a string into `bytes`, which is never made smaller.
Source hex_source(Instance& instance, Napi::Env env, napi_value value,
                  std::vector<std::uint8_t>& bytes) {
  std::size_t length = 0;
  napi_get_value_string_latin1(env, value, nullptr, 0, &length);
  if (length > 2 * transaction_bytes_max) {
    return {.raw = {}, .error = {ErrorCode::input_over_limit, transaction_bytes_max}};
  }
  if (instance.text.size() < length + 1) instance.text.resize(2 * length + 1);
  std::size_t copied = 0;
  napi_get_value_string_latin1(env, value, instance.text.data(), length + 1, &copied);
  if (bytes.size() < length / 2) bytes.resize(length);
  const HexText hex = bytes_from_hex({instance.text.data(), copied}, bytes);
  if (hex.error.failed()) return {.raw = {}, .error = hex.error};
  return {.raw = Bytes{bytes}.first(length / 2),
          .error = {},
          .has_upper_case = hex.has_upper_case};
}

}  // namespace

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
  if (needed <= instance.words.size()) return true;
  instance.words[0] = needs_words;
  instance.words[1] = static_cast<std::uint32_t>(needed);
  return false;
}

Source source_argument(const Napi::CallbackInfo& info, std::size_t index) {
  Instance& instance = instance_of(info);
  napi_valuetype type = napi_undefined;
  napi_typeof(info.Env(), info[index], &type);
  if (type == napi_string) return hex_source(instance, info.Env(), info[index], instance.raw);

  const auto bytes = bytes_argument(info, index);
  if (!bytes) return {.raw = {}, .error = {}, .misused = true};
  if (bytes->size() > transaction_bytes_max) {
    return {.raw = {}, .error = {ErrorCode::input_over_limit, transaction_bytes_max}};
  }
  return {.raw = *bytes, .error = {}, .was_bytes = true};
}

Source scripts_argument(const Napi::CallbackInfo& info, std::size_t index) {
  Instance& instance = instance_of(info);
  if (!info[index].IsString()) {
    misuse(info, "expected hex");
    return {.raw = {}, .error = {}, .misused = true};
  }
  return hex_source(instance, info.Env(), info[index], instance.scripts);
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
