#include "inputs.h"

#include "base/limits.h"

namespace antara::addon {
namespace {

using seam::ArgumentError;
using seam::InputKind;
using seam::Outcome;

constexpr std::size_t hex_characters_max = 2 * input_bytes_max;

/// Reads a string, each character cut to eight bits, with one call into Node-API unless `buffer`
/// has to grow. A string over the limit is not read in full. False if `value` is not a string.
bool read_text(napi_env env, napi_value value, std::vector<char>& buffer, seam::Input& input) {
  constexpr std::size_t buffer_bytes_min = 4096;
  if (buffer.size() < buffer_bytes_min) buffer.resize(buffer_bytes_min);
  std::size_t length = 0;
  if (napi_get_value_string_latin1(env, value, buffer.data(), buffer.size(), &length) != napi_ok) {
    return false;
  }
  input.is_text = true;
  if (length + 1 == buffer.size()) {
    // The buffer is filled up to the terminator, so the string may be longer.
    napi_get_value_string_latin1(env, value, nullptr, 0, &length);
    input.is_over_limit = length > hex_characters_max;
    if (input.is_over_limit) return true;
    if (length >= buffer.size()) {
      buffer.resize(length + 1);
      napi_get_value_string_latin1(env, value, buffer.data(), buffer.size(), &length);
    }
  }
  input.text = {buffer.data(), length};
  return true;
}

template <typename Element>
Outcome read_elements(napi_env env, napi_value value, napi_typedarray_type type,
                      ArgumentError unlike, seam::Input& input) {
  ArrayView view;
  const Outcome misfit = read_array(env, value, type, unlike, view);
  if (!misfit.failed()) {
    input.bytes = {static_cast<const std::uint8_t*>(view.data), view.elements * sizeof(Element)};
  }
  return misfit;
}

}  // namespace

Outcome read_array(napi_env env, napi_value value, napi_typedarray_type type, ArgumentError unlike,
                   ArrayView& view) {
  napi_typedarray_type found{};
  const napi_status status = napi_get_typedarray_info(env, value, &found, &view.elements,
                                                      &view.data, &view.buffer, nullptr);
  if (status != napi_ok || found != type) return unlike;
  bool is_private = false;
  napi_is_arraybuffer(env, view.buffer, &is_private);
  if (!is_private) return ArgumentError::memory_shared;
  bool is_detached = true;
  napi_is_detached_arraybuffer(env, view.buffer, &is_detached);
  if (is_detached) return ArgumentError::memory_detached;
  return {};
}

Outcome read_input(napi_env env, napi_value value, InputKind kind, std::size_t position,
                   seam::Call& call) {
  seam::Input& input = call.inputs[position];
  std::vector<char>& buffer = call.state().texts[position];
  switch (kind) {
    case InputKind::source:
      if (read_text(env, value, buffer, input)) return {};
      return read_elements<std::uint8_t>(env, value, napi_uint8_array,
                                         ArgumentError::expected_source, input);
    case InputKind::hex:
      if (read_text(env, value, buffer, input)) return {};
      return ArgumentError::expected_hex;
    case InputKind::bytes:
      return read_elements<std::uint8_t>(env, value, napi_uint8_array,
                                         ArgumentError::expected_bytes, input);
    case InputKind::values:
      return read_elements<std::int64_t>(env, value, napi_bigint64_array,
                                         ArgumentError::expected_values, input);
    case InputKind::numbers:
      return read_elements<std::uint32_t>(env, value, napi_uint32_array,
                                          ArgumentError::expected_numbers, input);
    case InputKind::index:
    case InputKind::job:
      break;  // handles.h
  }
  return ArgumentError::expected_source;
}

}  // namespace antara::addon
