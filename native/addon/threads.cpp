#include "threads.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "handles.h"
#include "seam/verification.h"

namespace antara::addon {
namespace {

/// libuv's pool has 4 threads by default, and other users of the pool need some of them.
constexpr std::size_t threads_max = 4;

struct Work;

/// One part of a job, on a thread of the pool.
struct Part {
  Work* work = nullptr;
  napi_async_work handle = nullptr;
};

/// A running job. Its last part deletes it; apart from the promise, it owns no JavaScript value.
struct Work {
  std::shared_ptr<seam::VerificationJob> job;
  std::vector<Part> parts;
  std::size_t parts_left = 0;  // used on the main thread only
  napi_deferred promise = nullptr;
};

void run_part(napi_env, void* data) { static_cast<Part*>(data)->work->job->run_part(); }

/// Ignores errors: calls fail if a worker ends before its promise is settled, and then no code
/// waits for it.
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
  Work* owner = work.release();  // the job owns itself until its last part is done
  for (Part& part : owner->parts) {
    part.work = owner;
    napi_create_async_work(env, nullptr, name, run_part, finish_part, &part, &part.handle);
  }
  // Parts are queued only now, because the last one to finish deletes all of them.
  for (Part& part : owner->parts) napi_queue_async_work(env, part.handle);
  return promise;
}

}  // namespace antara::addon
