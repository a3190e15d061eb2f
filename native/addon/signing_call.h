#pragma once

#include <napi.h>

#include <span>
#include <vector>

#include "instance.h"
#include "verify/input_verifier.h"

namespace antara::addon {

// What comes in with a transaction that is signed or verified, from the first result word on.
// src/engine/words.ts names the same positions.
inline constexpr std::size_t hash_type_word = 0;
inline constexpr std::size_t branch_id_word = 1;
inline constexpr std::size_t has_branch_id_word = 2;  // else the branch follows from the version
inline constexpr std::size_t selector_word = 3;       // an input's index, or condition support
inline constexpr std::size_t prevouts_word = 4;

// Each previous output: its value, then how many digits of the scripts' hex are its script.
inline constexpr std::size_t prevout_script_word = 2;
inline constexpr std::size_t prevout_words = 4;

/// A transaction, parsed into the instance's layout, and what came with it.
struct SigningCall {
  Bytes raw;
  std::uint32_t hash_type = 0;
  std::uint32_t branch_id = 0;
  std::uint32_t selector = 0;
  std::vector<Prevout> prevouts;
  /// Why the call cannot go on has been reported: by a TypeError, or in the outcome words.
  bool has_failed = true;
};

/// Reads arguments 0, hex or bytes of a transaction, and 1, hex of `prevouts` scripts.
[[nodiscard]] SigningCall read_signing_call(const Napi::CallbackInfo& info, std::size_t prevouts);

/// The same, with as many previous outputs as argument 2 says; there must be one for each input.
/// errors: prevout_count_mismatch, with the number of inputs
[[nodiscard]] SigningCall read_whole_signing_call(const Napi::CallbackInfo& info);

}  // namespace antara::addon
