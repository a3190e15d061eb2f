#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value DecodeCondition(const Napi::CallbackInfo& info);
Napi::Value DecodeFulfillment(const Napi::CallbackInfo& info);
Napi::Value EncodeCondition(const Napi::CallbackInfo& info);
Napi::Value EncodeFulfillment(const Napi::CallbackInfo& info);

}  // namespace antara::addon
