#include "threads.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "handles.h"
#include "seam/verification.h"

namespace antara::addon {
namespace {

/// libuv's pool has 4 threads unless told otherwise; other users want some as well.
constexpr std::size_t threads_max = 4;

struct Work;

/// One part of a job, on a thread of the pool.
struct Part {
  Work* work = nullptr;
  napi_async_work handle = nullptr;
};

/// A job that is being done. It goes when its last part is done; nothing of it but the promise
/// belongs to JavaScript.
struct Work {
  std::shared_ptr<seam::VerificationJob> job;
  std::vector<Part> parts;
  std::size_t parts_left = 0;  // touched on the main thread only
  napi_deferred promise = nullptr;
};

void run_part(napi_env, void* data) { static_cast<Part*>(data)->work->job->run_part(); }

/// Outcomes are ignored: calls fail when a worker ends before its promise is settled, and then
/// nobody waits for it.
void finish_part(napi_env env, napi_status, void* data) {
  const Part& part = *static_cast<Part*>(data);
  napi_delete_async_work(env, part.handle);
  if (--part.work->parts_left > 0) return;
  const std::unique_ptr<Work> work{part.work};
  const napi_value value = job_value(env, std::move(work->job));
  if (value != nullptr) napi_resolve_deferred(env, work->promise, value);
}

}  // namespace

napi_value promise_of(napi_env env, std::shared_ptr<seam::VerificationJob> job) {
  const std::size_t threads =
      std::min<std::size_t>(std::thread::hardware_concurrency(), threads_max);
  auto work = std::make_unique<Work>();
  work->parts.resize(job->parts(threads));
  work->parts_left = work->parts.size();
  work->job = std::move(job);
  napi_value promise = nullptr;
  napi_create_promise(env, &work->promise, &promise);
  napi_value name = nullptr;
  napi_create_string_latin1(env, "antara-tx", NAPI_AUTO_LENGTH, &name);
  Work* owner = work.release();  // its own owner until its last part is done
  for (Part& part : owner->parts) {
    part.work = owner;
    napi_create_async_work(env, nullptr, name, run_part, finish_part, &part, &part.handle);
  }
  // Only now: the last part to finish takes all of them along.
  for (Part& part : owner->parts) napi_queue_async_work(env, part.handle);
  return promise;
}

}  // namespace antara::addon
