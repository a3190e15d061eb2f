#include "handles.h"

#include "seam/verification.h"

namespace antara::addon {
namespace {

// These tags differ from those of other addons. The numbers are arbitrary.
constexpr napi_type_tag index_tag{0x616e746172612d74, 0x1};
constexpr napi_type_tag job_tag{0x616e746172612d74, 0x2};

using KeptJob = std::shared_ptr<seam::VerificationJob>;

/// Returns a value that owns `kept`; null, with a pending exception, if memory is exhausted.
template <typename Kept>
napi_value owning_value(napi_env env, std::unique_ptr<Kept> kept, const napi_type_tag& tag,
                        napi_finalize release) {
  napi_value value = nullptr;
  if (napi_create_external(env, kept.get(), release, nullptr, &value) != napi_ok) return nullptr;
  kept.release();
  napi_type_tag_object(env, value, &tag);
  return value;
}

template <typename Kept>
Kept* kept_by(napi_env env, napi_value value, const napi_type_tag& tag) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  if (type != napi_external) return nullptr;
  bool is_ours = false;
  napi_check_object_type_tag(env, value, &tag, &is_ours);
  void* data = nullptr;
  if (is_ours) napi_get_value_external(env, value, &data);
  return static_cast<Kept*>(data);
}

void release_index(napi_env env, void* data, void*) {
  const std::unique_ptr<KeptIndex> kept{static_cast<KeptIndex*>(data)};
  std::int64_t total = 0;
  napi_adjust_external_memory(env, -kept->accounted_bytes, &total);
}

void release_job(napi_env, void* data, void*) {
  const std::unique_ptr<KeptJob> kept{static_cast<KeptJob*>(data)};
}

}  // namespace

napi_value index_value(napi_env env, std::unique_ptr<CoinIndex> index) {
  auto kept = std::make_unique<KeptIndex>();
  kept->index = std::move(index);
  account_for(env, *kept);
  return owning_value(env, std::move(kept), index_tag, release_index);
}

KeptIndex* kept_index(napi_env env, napi_value value) {
  return kept_by<KeptIndex>(env, value, index_tag);
}

void account_for(napi_env env, KeptIndex& kept) {
  const auto bytes = static_cast<std::int64_t>(kept.index->memory_bytes());
  std::int64_t total = 0;
  napi_adjust_external_memory(env, bytes - kept.accounted_bytes, &total);
  kept.accounted_bytes = bytes;
}

napi_value job_value(napi_env env, std::shared_ptr<seam::VerificationJob> job) {
  return owning_value(env, std::make_unique<KeptJob>(std::move(job)), job_tag, release_job);
}

const seam::VerificationJob* kept_job(napi_env env, napi_value value) {
  const KeptJob* kept = kept_by<KeptJob>(env, value, job_tag);
  return kept == nullptr ? nullptr : kept->get();
}

}  // namespace antara::addon
