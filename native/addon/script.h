#pragma once

#include <napi.h>

namespace antara::addon {

Napi::Value DescribeScripts(const Napi::CallbackInfo& info);
Napi::Value MatchConditionScript(const Napi::CallbackInfo& info);
Napi::Value ReadFulfillmentPush(const Napi::CallbackInfo& info);
Napi::Value HashOfAddress(const Napi::CallbackInfo& info);
Napi::Value SplitScript(const Napi::CallbackInfo& info);

}  // namespace antara::addon
