#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "tx/layout.h"
#include "verify/curve.h"

namespace antara::addon {

/// What one JavaScript environment (the main thread or a worker) keeps between calls: the memory
/// that results are written to, and buffers that would otherwise be allocated on every call.
struct Instance {
  std::span<std::uint32_t> words;  // registered by src/engine, which alone owns and resizes it
  Napi::Reference<Napi::ArrayBuffer> words_memory;

  std::vector<char> text;
  std::vector<std::uint8_t> raw;
  std::vector<std::uint8_t> scripts;
  std::vector<std::uint8_t> produced;
  std::vector<std::uint32_t> picked;  // coins of the last selection, until they are taken
  TxLayout layout;
  /// Made when something is first verified; verification on other threads shares it.
  std::shared_ptr<const Curve> curve;

  /// Gives back what a large batch grew.
  void trim() {
    constexpr std::size_t kept_bytes = 1 << 20;
    if (text.capacity() > kept_bytes) std::vector<char>{}.swap(text);
    if (raw.capacity() > kept_bytes) std::vector<std::uint8_t>{}.swap(raw);
    if (scripts.capacity() > kept_bytes) std::vector<std::uint8_t>{}.swap(scripts);
  }
};

/// Whether there is a scratch. There is none before the first is registered, nor once JavaScript
/// has detached the memory of the last, by transferring it.
[[nodiscard]] bool has_scratch(Napi::Env env, const Instance& instance);

/// Every function is created with its environment's instance: no call to ask for it.
[[nodiscard]] inline Instance& instance_of(const Napi::CallbackInfo& info) {
  return *static_cast<Instance*>(info.Data());
}

/// The environment's curve, its tables filled the first time that it is asked for.
[[nodiscard]] const std::shared_ptr<const Curve>& curve_of(Instance& instance);

// Words 0 and 1 of the scratch hold the outcome of every call: an error code, and the offset it
// refers to, or for `needs_words` the number of words that would do. Results start at word 2,
// or, where 64-bit values follow, at word 4.
inline constexpr std::size_t outcome_words = 4;
inline constexpr std::uint32_t needs_words = 0xffffffff;

/// Reports `error` in the outcome words. Returns undefined, which is what failed calls return.
Napi::Value fail(const Napi::CallbackInfo& info, Error error);

/// Throws a TypeError and returns undefined.
Napi::Value misuse(const Napi::CallbackInfo& info, const char* message);

/// Whether the scratch holds `needed` words, which the outcome then says. Whoever writes results
/// asks first: what the outcome word held before is gone, and src/engine counts on that.
[[nodiscard]] bool has_words(Instance& instance, std::size_t needed);

/// Bytes from a hex string or a Uint8Array, as the transaction functions accept them.
struct Source {
  Bytes raw;
  Error error;
  bool misused = false;         // a TypeError is pending
  bool was_bytes = false;       // not text: the caller has no hex to slice
  bool has_upper_case = false;  // hex, but not spelled as we spell it
};

/// Reads argument `index`. Text must have no character above U+00FF: src/engine sees to that.
/// `raw` is valid until the next call that reads a source.
[[nodiscard]] Source source_argument(const Napi::CallbackInfo& info, std::size_t index);

/// Reads argument `index`, hex of scripts that accompany a source, into memory of its own.
[[nodiscard]] Source scripts_argument(const Napi::CallbackInfo& info, std::size_t index);

/// A string of ASCII characters.
[[nodiscard]] Napi::Value text_value(Napi::Env env, std::span<const char> text);

/// Lower-case hex, through the instance's text buffer.
[[nodiscard]] Napi::Value hex_value(const Napi::CallbackInfo& info, Bytes bytes);

}  // namespace antara::addon
