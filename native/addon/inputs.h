#pragma once

#include <node_api.h>

#include "seam/call.h"

namespace antara::addon {

/// Reads a string or a typed array. Text is copied to the state's memory; arrays are not copied,
/// and stay valid until control returns to JavaScript.
[[nodiscard]] seam::Outcome read_input(napi_env env, napi_value value, seam::InputKind kind,
                                       std::size_t position, seam::Call& call);

/// A view of a typed array whose memory no other code can change or take away.
struct ArrayView {
  void* data = nullptr;
  std::size_t elements = 0;
  napi_value buffer = nullptr;
};

/// Returns `unlike` if `value` is not an array of that type.
[[nodiscard]] seam::Outcome read_array(napi_env env, napi_value value, napi_typedarray_type type,
                                       seam::ArgumentError unlike, ArrayView& view);

}  // namespace antara::addon
