#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value VerifyInputs(const Napi::CallbackInfo& info);
Napi::Value VerifyInputsAsync(const Napi::CallbackInfo& info);
Napi::Value CheckPublicKey(const Napi::CallbackInfo& info);
Napi::Value VerifySignature(const Napi::CallbackInfo& info);

}  // namespace antara::addon
