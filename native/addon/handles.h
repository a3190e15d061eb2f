#pragma once

#include <node_api.h>

#include "seam/call.h"

// Objects that stay on this side. JavaScript has an opaque value for each that it cannot forge.

namespace antara::addon {

/// An index, and what the garbage collector was told that it holds.
struct KeptIndex {
  std::unique_ptr<CoinIndex> index;
  std::int64_t accounted_bytes = 0;
};

/// A value that keeps an index until it is collected.
[[nodiscard]] napi_value index_value(napi_env env, std::unique_ptr<CoinIndex> index);
/// The index behind a value; nothing for any other value.
[[nodiscard]] KeptIndex* kept_index(napi_env env, napi_value value);
/// Tells the garbage collector how much memory an index holds now.
void account_for(napi_env env, KeptIndex& kept);

/// A value that keeps a verification which is done.
[[nodiscard]] napi_value job_value(napi_env env, std::shared_ptr<seam::VerificationJob> job);
/// The verification behind a value; nothing for any other value.
[[nodiscard]] const seam::VerificationJob* kept_job(napi_env env, napi_value value);

}  // namespace antara::addon
