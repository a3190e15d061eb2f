// One trampoline over the table of the seam. It converts the arguments from JavaScript to the
// inputs of a call, and the call's words, text and outcome to the result.

#include <array>
#include <memory>
#include <vector>

#include "handles.h"
#include "inputs.h"
#include "seam/functions.h"
#include "threads.h"

namespace antara::addon {
namespace {

using seam::AnswerKind;
using seam::ArgumentError;
using seam::Call;
using seam::InputKind;
using seam::Outcome;

using Scratch = std::vector<std::uint64_t>;

struct Environment;

/// A function of the seam, bound to an environment. Every callback is created with one.
struct Bound {
  Environment* environment = nullptr;
  const seam::Function* function = nullptr;
};

/// The state of one JavaScript environment (the main thread or a worker) between calls.
struct Environment {
  seam::State state;
  /// The scratch. JavaScript can transfer its ArrayBuffer, but not this memory.
  std::shared_ptr<Scratch> scratch;
  /// The scratch's ArrayBuffer if memory cannot be shared; JavaScript may transfer it at any time.
  napi_ref scratch_buffer = nullptr;
  std::array<Bound, std::size(seam::functions)> functions;
  Bound itself{this};
};

napi_value throw_argument_error(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

/// Returns false before the first scratch is made, and after its memory was transferred.
bool has_scratch(napi_env env, const Environment& environment) {
  if (environment.scratch_buffer == nullptr) return environment.scratch != nullptr;
  napi_value buffer = nullptr;
  bool is_detached = true;
  napi_get_reference_value(env, environment.scratch_buffer, &buffer);
  napi_is_detached_arraybuffer(env, buffer, &is_detached);
  return !is_detached;
}

/// The arguments of a callback; those that were not passed are undefined.
struct Arguments {
  std::array<napi_value, seam::inputs_max> values{};
  const Bound* bound = nullptr;

  Arguments(napi_env env, napi_callback_info info) {
    std::size_t count = values.size();
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
    bound = static_cast<const Bound*>(data);
  }
};

napi_value text_value(napi_env env, Call& call) {
  napi_value value = nullptr;
  const std::span<const char> text = call.text();
  napi_create_string_latin1(env, text.data(), text.size(), &value);
  call.state().trim();
  return value;
}

napi_value invoke(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Environment& environment = *arguments.bound->environment;
  const seam::Function& function = *arguments.bound->function;
  if (!has_scratch(env, environment)) return throw_argument_error(env, "there is no scratch");

  Call call{environment.state, function.input_count};
  Outcome outcome;
  KeptIndex* kept = nullptr;
  for (std::size_t position = 0; position < function.input_count && !outcome.failed(); ++position) {
    const napi_value value = arguments.values[position];
    switch (const InputKind kind = function.inputs[position]) {
      case InputKind::index:
        kept = kept_index(env, value);
        if (kept == nullptr)
          outcome = ArgumentError::expected_index;
        else
          call.index = kept->index.get();
        break;
      case InputKind::job:
        call.finished_job = kept_job(env, value);
        if (call.finished_job == nullptr) outcome = ArgumentError::expected_job;
        break;
      default:
        outcome = read_input(env, value, kind, position, call);
    }
  }
  if (!outcome.failed()) outcome = function.run(call);
  if (kept != nullptr) account_for(env, *kept);
  if (call.finish(outcome).failed()) return nullptr;
  switch (function.answer) {
    case AnswerKind::index:
      return index_value(env, std::move(call.made_index));
    case AnswerKind::job:
      return promise_of(env, std::move(call.made_job));
    case AnswerKind::text:
      return text_value(env, call);
  }
  return nullptr;
}

/// () -> the text of an answer that did not fit the scratch.
napi_value take_answer(napi_env env, napi_callback_info info) {
  Environment& environment = *Arguments(env, info).bound->environment;
  if (!has_scratch(env, environment)) return throw_argument_error(env, "there is no scratch");
  Call call{environment.state};
  return call.finish(call.take_kept()).failed() ? nullptr : text_value(env, call);
}

void release_scratch(napi_env, void*, void* hint) {
  const std::unique_ptr<std::shared_ptr<Scratch>> shared{
      static_cast<std::shared_ptr<Scratch>*>(hint)};
}

/// Returns the environment's own memory as an ArrayBuffer; null if the runtime does not allow that,
/// as in Electron.
napi_value shared_buffer(napi_env env, const std::shared_ptr<Scratch>& scratch) {
  auto shared = std::make_unique<std::shared_ptr<Scratch>>(scratch);
  napi_value buffer = nullptr;
  const napi_status status = napi_create_external_arraybuffer(
      env, scratch->data(), scratch->size() * sizeof(Scratch::value_type), release_scratch,
      shared.get(), &buffer);
  if (status != napi_ok) return nullptr;
  shared.release();
  return buffer;
}

/// (number) -> a Uint32Array of that many words, which later calls read and write.
napi_value make_scratch(napi_env env, napi_callback_info info) {
  constexpr std::uint32_t words_max = 1U << 28;
  const Arguments arguments(env, info);
  Environment& environment = *arguments.bound->environment;
  std::uint32_t count = 0;
  const bool is_number = napi_get_value_uint32(env, arguments.values[0], &count) == napi_ok;
  if (!is_number || count < seam::scratch_words_min || count > words_max) {
    return throw_argument_error(env, "expected a number of words");
  }
  auto scratch = std::make_shared<Scratch>((std::size_t{count} + 1) / 2);
  void* memory = scratch->data();
  napi_value buffer = shared_buffer(env, scratch);
  if (environment.scratch_buffer != nullptr) {
    napi_delete_reference(env, environment.scratch_buffer);
    environment.scratch_buffer = nullptr;
  }
  if (buffer == nullptr) {
    scratch.reset();
    if (napi_create_arraybuffer(env, std::size_t{count} * 4, &memory, &buffer) != napi_ok) {
      return nullptr;
    }
    napi_create_reference(env, buffer, 1, &environment.scratch_buffer);
  }
  environment.scratch = std::move(scratch);
  environment.state.words = {static_cast<std::uint32_t*>(memory), count};
  napi_value words = nullptr;
  napi_create_typedarray(env, napi_uint32_array, count, buffer, 0, &words);
  return words;
}

void set(napi_env env, napi_value exports, const char* name, napi_value value) {
  napi_set_named_property(env, exports, name, value);
}

void set_function(napi_env env, napi_value exports, const char* name, napi_callback callback,
                  Bound& bound) {
  napi_value value = nullptr;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, &bound, &value);
  set(env, exports, name, value);
}

void release_environment(napi_env, void* data, void*) {
  const std::unique_ptr<Environment> environment{static_cast<Environment*>(data)};
}

napi_value initialize(napi_env env, napi_value exports) {
  auto owned = std::make_unique<Environment>();
  Environment& environment = *owned;
  napi_set_instance_data(env, owned.release(), release_environment, nullptr);

  napi_value abi = nullptr;
  napi_create_uint32(env, seam::abi, &abi);
  set(env, exports, "abi", abi);
  napi_value takes_keys = nullptr;
  napi_get_boolean(env, true, &takes_keys);
  set(env, exports, "takesKeys", takes_keys);
  set_function(env, exports, "makeScratch", make_scratch, environment.itself);
  set_function(env, exports, "takeAnswer", take_answer, environment.itself);
  for (std::size_t row = 0; row < environment.functions.size(); ++row) {
    Bound& bound = environment.functions[row];
    bound = {&environment, &seam::functions[row]};
    set_function(env, exports, bound.function->name, invoke, bound);
  }
  return exports;
}

}  // namespace
}  // namespace antara::addon

NAPI_MODULE_INIT() { return antara::addon::initialize(env, exports); }
