#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value DecodeTransaction(const Napi::CallbackInfo& info);
Napi::Value DecodeTransactions(const Napi::CallbackInfo& info);
Napi::Value EncodeTransaction(const Napi::CallbackInfo& info);
Napi::Value LeadingTransactionBytes(const Napi::CallbackInfo& info);
Napi::Value TransactionId(const Napi::CallbackInfo& info);
Napi::Value TransactionIds(const Napi::CallbackInfo& info);

}  // namespace antara::addon
