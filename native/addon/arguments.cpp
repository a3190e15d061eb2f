#include "arguments.h"

namespace antara::addon {
namespace {

struct View {
  void* data = nullptr;
  std::size_t elements = 0;
};

std::nullopt_t misuse(Napi::Env env, const char* message) {
  Napi::TypeError::New(env, message).ThrowAsJavaScriptException();
  return std::nullopt;
}

std::optional<View> typed_array(const Napi::CallbackInfo& info, std::size_t index,
                                napi_typedarray_type type, const char* expected) {
  const napi_env env = info.Env();
  const napi_value value = info[index];
  bool is_typed_array = false;
  napi_is_typedarray(env, value, &is_typed_array);
  if (!is_typed_array) return misuse(info.Env(), expected);

  napi_typedarray_type found{};
  View view;
  napi_value buffer = nullptr;
  napi_get_typedarray_info(env, value, &found, &view.elements, &view.data, &buffer, nullptr);
  if (found != type) return misuse(info.Env(), expected);

  bool is_private = false;
  napi_is_arraybuffer(env, buffer, &is_private);
  if (!is_private) return misuse(info.Env(), "memory shared between threads is not accepted");
  bool is_detached = false;
  napi_is_detached_arraybuffer(env, buffer, &is_detached);
  if (is_detached) return misuse(info.Env(), "the array's memory is detached");
  return view;
}

template <typename T>
std::optional<std::span<T>> aligned(const Napi::CallbackInfo& info,
                                    const std::optional<View>& view) {
  if (!view) return std::nullopt;
  if (reinterpret_cast<std::uintptr_t>(view->data) % alignof(T) != 0) {
    return misuse(info.Env(), "the array's memory is not aligned to its elements");
  }
  return std::span{static_cast<T*>(view->data), view->elements};
}

}  // namespace

std::optional<std::uint32_t> count_argument(const Napi::CallbackInfo& info, std::size_t index) {
  if (!info[index].IsNumber()) return misuse(info.Env(), "expected a number");
  return info[index].As<Napi::Number>().Uint32Value();
}

std::optional<MutableBytes> bytes_argument(const Napi::CallbackInfo& info, std::size_t index) {
  const auto view = typed_array(info, index, napi_uint8_array, "expected a Uint8Array");
  if (!view) return std::nullopt;
  return MutableBytes{static_cast<std::uint8_t*>(view->data), view->elements};
}

std::optional<std::span<std::uint32_t>> words_argument(const Napi::CallbackInfo& info,
                                                       std::size_t index) {
  const auto view = typed_array(info, index, napi_uint32_array, "expected a Uint32Array");
  if (!view) return std::nullopt;
  if (reinterpret_cast<std::uintptr_t>(view->data) % 8 != 0) {
    return misuse(info.Env(), "the array's memory is not aligned to 8 bytes");
  }
  return std::span{static_cast<std::uint32_t*>(view->data), view->elements};
}

std::optional<std::span<const std::int64_t>> amounts_argument(const Napi::CallbackInfo& info,
                                                              std::size_t index) {
  return aligned<const std::int64_t>(
      info, typed_array(info, index, napi_bigint64_array, "expected a BigInt64Array"));
}

std::optional<std::span<std::uint32_t>> numbers_argument(const Napi::CallbackInfo& info,
                                                         std::size_t index) {
  return aligned<std::uint32_t>(
      info, typed_array(info, index, napi_uint32_array, "expected a Uint32Array"));
}

}  // namespace antara::addon
