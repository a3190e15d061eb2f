// One trampoline over the table of the seam: what JavaScript passes becomes the inputs of a call,
// its words, text and outcome become what JavaScript gets.

#include <array>

#include "handles.h"
#include "inputs.h"
#include "seam/functions.h"
#include "threads.h"

namespace antara::addon {
namespace {

using seam::AnswerKind;
using seam::Call;
using seam::InputKind;
using seam::Misuse;
using seam::Outcome;

struct Environment;

/// A function of the seam, bound to an environment. Every callback is created with one.
struct Bound {
  Environment* environment = nullptr;
  const seam::Function* function = nullptr;
};

/// What one JavaScript environment (the main thread or a worker) keeps between calls.
struct Environment {
  seam::State state;
  /// Of the scratch: JavaScript may take its memory away by transferring it.
  napi_ref scratch_buffer = nullptr;
  std::array<Bound, std::size(seam::functions)> functions;
  Bound itself{this};
};

napi_value throw_misuse(napi_env env, const char* message) {
  napi_throw_type_error(env, nullptr, message);
  return nullptr;
}

/// There is no scratch before the first is registered, nor once its memory is gone.
bool has_scratch(napi_env env, const Environment& environment) {
  napi_value buffer = nullptr;
  bool is_detached = true;
  if (environment.scratch_buffer == nullptr) return false;
  napi_get_reference_value(env, environment.scratch_buffer, &buffer);
  napi_is_detached_arraybuffer(env, buffer, &is_detached);
  return !is_detached;
}

/// The arguments of a callback; those that were not passed are undefined.
struct Arguments {
  std::array<napi_value, seam::inputs_max> values{};
  Bound bound;

  Arguments(napi_env env, napi_callback_info info) {
    std::size_t count = values.size();
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
    bound = *static_cast<Bound*>(data);
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
  Environment& environment = *arguments.bound.environment;
  const seam::Function& function = *arguments.bound.function;
  if (!has_scratch(env, environment)) return throw_misuse(env, "there is no scratch");

  Call call{environment.state};
  Outcome outcome;
  KeptIndex* kept = nullptr;
  for (std::size_t position = 0; position < function.input_count && !outcome.failed(); ++position) {
    const napi_value value = arguments.values[position];
    switch (const InputKind kind = function.inputs[position]) {
      case InputKind::index:
        kept = kept_index(env, value);
        if (kept == nullptr)
          outcome = Misuse::expected_index;
        else
          call.index = kept->index.get();
        break;
      case InputKind::job:
        call.finished_job = kept_job(env, value);
        if (call.finished_job == nullptr) outcome = Misuse::expected_job;
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

/// () -> the text of an answer that did not fit the words of then.
napi_value take_answer(napi_env env, napi_callback_info info) {
  Environment& environment = *Arguments(env, info).bound.environment;
  if (!has_scratch(env, environment)) return throw_misuse(env, "there is no scratch");
  Call call{environment.state};
  return call.finish(call.take_kept()).failed() ? nullptr : text_value(env, call);
}

/// (Uint32Array) -> undefined. Later calls read and write these words.
napi_value register_scratch(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  Environment& environment = *arguments.bound.environment;
  ArrayView view;
  const Outcome misfit =
      read_array(env, arguments.values[0], napi_uint32_array, Misuse::expected_numbers, view);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(view.data) % 8 == 0;
  if (misfit.failed() || !is_aligned || view.elements < seam::scratch_words_min) {
    return throw_misuse(env, "expected a Uint32Array, aligned to 8 bytes, that no other has");
  }
  if (environment.scratch_buffer != nullptr) {
    napi_delete_reference(env, environment.scratch_buffer);
  }
  environment.scratch_buffer = nullptr;
  napi_create_reference(env, view.buffer, 1, &environment.scratch_buffer);
  environment.state.words = {static_cast<std::uint32_t*>(view.data), view.elements};
  return nullptr;
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
  napi_value implementation = nullptr;
  napi_create_string_latin1(env, Curve::implementation(), NAPI_AUTO_LENGTH, &implementation);
  set(env, exports, "secp256k1", implementation);
  set_function(env, exports, "registerScratch", register_scratch, environment.itself);
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
