#pragma once

#include <optional>
#include <string>

#include "bytes/hex.h"
#include "script/templates.h"

// What several functions of the seam need.

namespace antara::seam {

/// What a chain makes of conditions, by its number.
[[nodiscard]] inline std::optional<ConditionSupport> condition_support(
    std::uint32_t number) noexcept {
  if (number > static_cast<std::uint32_t>(ConditionSupport::tokel)) return std::nullopt;
  return static_cast<ConditionSupport>(number);
}

/// Where `part` is in `whole`; nothing is at 0.
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

}  // namespace antara::seam
