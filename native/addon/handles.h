#pragma once

#include <node_api.h>

#include "seam/call.h"

// Objects that the addon keeps. For each of them JavaScript has an opaque value that it cannot
// forge.

namespace antara::addon {

/// An index, and its size as reported to the garbage collector.
struct KeptIndex {
  std::unique_ptr<CoinIndex> index;
  std::int64_t accounted_bytes = 0;
};

/// Returns a value that keeps an index until it is collected.
[[nodiscard]] napi_value index_value(napi_env env, std::unique_ptr<CoinIndex> index);
/// Returns the index of a value; null for any other value.
[[nodiscard]] KeptIndex* kept_index(napi_env env, napi_value value);
/// Reports the current size of an index to the garbage collector.
void account_for(napi_env env, KeptIndex& kept);

/// Returns a value that keeps a finished verification.
[[nodiscard]] napi_value job_value(napi_env env, std::shared_ptr<seam::VerificationJob> job);
/// Returns the verification of a value; null for any other value.
[[nodiscard]] const seam::VerificationJob* kept_job(napi_env env, napi_value value);

}  // namespace antara::addon
