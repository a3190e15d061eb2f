#include "seam/call.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "bytes/hex.h"

namespace antara::seam {
namespace {

static_assert(source_bytes_max == input_bytes_max);

/// Returns the elements of a caller's array.
template <typename Element>
Outcome elements(Bytes bytes, std::span<const Element>& found) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Element) != 0) {
    return ArgumentError::memory_misaligned;
  }
  found = {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
  return {};
}

/// Buffers of this size are kept.
constexpr std::size_t kept_bytes = 1 << 20;
/// A larger input may grow a buffer beyond that size: it takes two characters per byte, twice.
constexpr std::size_t large_bytes = kept_bytes / 8;

template <typename Element>
void release_if_large(std::vector<Element>& buffer) {
  if (buffer.capacity() * sizeof(Element) > kept_bytes) std::vector<Element>{}.swap(buffer);
}

}  // namespace

void State::trim() {
  if (!is_grown) return;
  is_grown = false;
  for (std::vector<char>& characters : texts) release_if_large(characters);
  for (std::vector<std::uint8_t>& bytes : spelled) release_if_large(bytes);
  release_if_large(text);
  release_if_large(produced);
}

Result<Source> Call::source(std::size_t input) {
  const Input& given = inputs[input];
  const std::size_t bytes = given.is_text ? given.text.size() / 2 : given.bytes.size();
  if (given.is_over_limit || bytes > input_bytes_max) {
    return Error{ErrorCode::input_over_limit, static_cast<std::uint32_t>(input_bytes_max)};
  }
  if (bytes > large_bytes) state_.is_grown = true;
  if (!given.is_text) return Source{.raw = given.bytes};
  std::vector<std::uint8_t>& spelled = state_.spelled[input];
  if (spelled.size() < bytes) spelled.resize(2 * bytes);
  const HexText hex = bytes_from_hex(given.text, spelled);
  if (hex.error.failed()) return hex.error;
  return Source{Bytes{spelled}.first(bytes), true, hex.has_upper_case};
}

Outcome Call::values(std::size_t input, std::span<const std::int64_t>& found) const {
  return elements(inputs[input].bytes, found);
}

Outcome Call::numbers(std::size_t input, std::span<const std::uint32_t>& found) const {
  return elements(inputs[input].bytes, found);
}

std::span<std::uint32_t> Call::answer_words(std::size_t count) {
  fits_ = count <= state_.words.size() - result_base;
  if (fits_) return state_.words.subspan(result_base, count);
  state_.kept.words.resize(count);
  return state_.kept.words;
}

char* Call::text_room(std::size_t characters) {
  if (state_.text.size() < characters) state_.text.resize(2 * characters);
  text_characters_ = characters;
  return state_.text.data();
}

void Call::answer_text(std::string_view text) {
  std::copy(text.begin(), text.end(), text_room(text.size()));
}

void Call::answer_hex(Bytes bytes) { hex_from_bytes(bytes, text_room(2 * bytes.size())); }

Outcome Call::take_kept() {
  const State::Kept kept = std::exchange(state_.kept, {});
  if (kept.words.empty()) return ArgumentError::nothing_kept;
  std::copy(kept.words.begin(), kept.words.end(), answer_words(kept.words.size()).begin());
  text_characters_ = kept.text_characters;
  detail_ = kept.detail;
  return {};
}

Outcome Call::finish(Outcome outcome) noexcept {
  if (!outcome.failed() && !fits_) {
    state_.kept.text_characters = text_characters_;
    state_.kept.detail = detail_;
    outcome = Outcome::of_needed_words(result_base + state_.kept.words.size());
  } else if (!state_.kept.words.empty()) {
    state_.kept = {};
  }
  put(state_.words, OutcomeWords{outcome.code(), outcome.number(), detail_, 0});
  return outcome;
}

}  // namespace antara::seam
