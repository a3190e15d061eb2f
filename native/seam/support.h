#pragma once

#include <optional>
#include <string>

#include "bytes/hex.h"
#include "script/templates.h"
#include "seam/call.h"

// Helpers that several functions of the seam share.

namespace antara::seam {

/// Returns the condition support with a number.
[[nodiscard]] inline std::optional<ConditionSupport> condition_support(
    std::uint32_t number) noexcept {
  if (number > static_cast<std::uint32_t>(ConditionSupport::tokel)) return std::nullopt;
  return static_cast<ConditionSupport>(number);
}

/// Returns the place of `part` in `whole`; 0 for an empty part.
[[nodiscard]] inline Slice slice_of(Bytes whole, Bytes part) noexcept {
  if (part.empty()) return {};
  return {static_cast<std::uint32_t>(part.data() - whole.data()),
          static_cast<std::uint32_t>(part.size())};
}

/// Appends lower-case hex.
inline void append_hex(Bytes bytes, std::string& text) {
  const std::size_t start = text.size();
  text.resize(start + 2 * bytes.size());
  hex_from_bytes(bytes, text.data() + start);
}

/// One of several scripts that follow one another in a text.
struct GivenScript {
  Bytes bytes;
  bool is_script_sig = false;
};

/// Cuts as many scripts from `raw` as the words announce after their head.
template <typename Head>
[[nodiscard]] Outcome cut_scripts(const Call& call, std::size_t count, Bytes raw,
                                  std::vector<GivenScript>& scripts) {
  std::span<const std::uint32_t> words;
  const Outcome misfit = call.list<Head, ScriptTextWords>(count, words);
  if (misfit.failed()) return misfit;
  scripts.reserve(count);
  for (const std::uint32_t word : words) {
    const std::size_t bytes = (word & ~script_sig_flag) / 2;
    if (bytes > raw.size()) return ArgumentError::words_beyond_text;
    scripts.push_back({raw.first(bytes), (word & script_sig_flag) != 0});
    raw = raw.subspan(bytes);
  }
  return {};
}

}  // namespace antara::seam
