#pragma once

#include <node_api.h>

#include <memory>

namespace antara::seam {
class VerificationJob;
}

namespace antara::addon {

/// Runs a job on the threads of libuv's pool. Returns a promise of the value that keeps it.
[[nodiscard]] napi_value promise_of(napi_env env, std::shared_ptr<seam::VerificationJob> job);

}  // namespace antara::addon
