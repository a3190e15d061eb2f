#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value SelectCoins(const Napi::CallbackInfo& info);
Napi::Value SelectIndexed(const Napi::CallbackInfo& info);
Napi::Value SelectTransfer(const Napi::CallbackInfo& info);
Napi::Value TakePicked(const Napi::CallbackInfo& info);
Napi::Value CreateCoinIndex(const Napi::CallbackInfo& info);
Napi::Value AddCoins(const Napi::CallbackInfo& info);
Napi::Value RemoveCoins(const Napi::CallbackInfo& info);
Napi::Value FreeCoinIndex(const Napi::CallbackInfo& info);

}  // namespace antara::addon
