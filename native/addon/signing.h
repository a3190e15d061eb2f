#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value SignatureHash(const Napi::CallbackInfo& info);
Napi::Value SignatureHashes(const Napi::CallbackInfo& info);
Napi::Value SignaturePreimage(const Napi::CallbackInfo& info);

}  // namespace antara::addon
