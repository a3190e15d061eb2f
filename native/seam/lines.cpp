#include <algorithm>
#include <cstring>
#include <optional>

#include "base/limits.h"
#include "bytes/hex.h"
#include "hash/sha256.h"
#include "seam/functions.h"
#include "tx/json.h"
#include "tx/parse.h"

namespace antara::seam {
namespace {

// Only the command line reads lines. Pages would download this code and never run it, so the
// compiler leaves it out there.
#ifdef __wasm__
constexpr bool answers_lines = false;
#else
constexpr bool answers_lines = true;
#endif

constexpr std::string_view txid_before = "{\"txid\":\"";
constexpr std::string_view txid_after = "\"}\n";
constexpr std::size_t txid_characters = txid_before.size() + 64 + txid_after.size();

constexpr bool is_space(std::uint8_t byte) noexcept {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Returns the hex of a line, without white space around it or the quotes of a JSON string. For any
/// other line, the result is not hex.
std::span<const char> hex_of_line(Bytes line) noexcept {
  while (!line.empty() && is_space(line.front())) line = line.subspan(1);
  while (!line.empty() && is_space(line.back())) line = line.first(line.size() - 1);
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') {
    line = line.subspan(1, line.size() - 2);
  }
  return {reinterpret_cast<const char*>(line.data()), line.size()};
}

/// Answers one line after another, and keeps the lines that it leaves to the caller.
class LineAnswers {
 public:
  LineAnswers(Call& call, std::uint32_t form) noexcept : call_(call), form_(form) {}

  void add(Bytes line, std::size_t start) {
    ++count_;
    if (answers_lines && answered(hex_of_line(line))) return;
    left_.push_back({.start = static_cast<std::uint32_t>(start),
                     .length = static_cast<std::uint32_t>(line.size()),
                     .position = static_cast<std::uint32_t>(written_)});
  }

  [[nodiscard]] bool are_enough() const noexcept { return written_ >= lines_text_enough; }

  void finish(std::size_t bytes) {
    // One large transaction may have a long answer, whose memory is not kept.
    if (written_ > 2 * lines_text_enough) call_.state().is_grown = true;
    static_cast<void>(call_.text_room(written_));
    const std::size_t words =
        sizeof(AnsweredLinesWords) / 4 + left_.size() * (sizeof(LeftLineWords) / 4);
    std::span<std::uint32_t> room = call_.answer_words(words);
    room = Call::put(room, AnsweredLinesWords{.bytes = static_cast<std::uint32_t>(bytes),
                                              .count = count_,
                                              .left = static_cast<std::uint32_t>(left_.size())});
    for (const LeftLineWords& line : left_) room = Call::put(room, line);
  }

 private:
  bool answered(std::span<const char> hex) {
    const std::size_t bytes = hex.size() / 2;
    if (bytes > input_bytes_max) return false;
    State& state = call_.state();
    std::vector<std::uint8_t>& spelled = state.spelled[0];
    if (spelled.size() < bytes) spelled.resize(2 * bytes);
    if (bytes_from_hex(hex, spelled).error.failed()) return false;
    const Bytes raw = Bytes{spelled}.first(bytes);
    if (parse_transaction(raw, state.layout).failed()) return false;
    if (form_ == lines_txid) {
      write_txid(sha256d(raw));
      return true;
    }
    if (state.layout.has_shielded_parts() || !state.layout.join_splits.empty()) return false;
    write_fields(raw);
    return true;
  }

  void write_txid(const Hash256& txid) {
    char* text = call_.text_room(written_ + txid_characters) + written_;
    text = std::copy(txid_before.begin(), txid_before.end(), text);
    reversed_hex_from_bytes(txid, text);
    std::copy(txid_after.begin(), txid_after.end(), text + 64);
    written_ += txid_characters;
  }

  void write_fields(Bytes raw) {
    const TxLayout& layout = call_.state().layout;
    const std::size_t most = transaction_json_characters_max(layout) + 1;
    char* text = call_.text_room(written_ + most);
    char* end = write_transaction_json(layout, raw, sha256d(raw), text + written_);
    *end++ = '\n';
    written_ = static_cast<std::size_t>(end - text);
  }

  Call& call_;
  std::uint32_t form_;
  std::uint32_t count_ = 0;
  std::size_t written_ = 0;
  std::vector<LeftLineWords> left_;
};

}  // namespace

Outcome answer_lines(Call& call) {
  const auto form = call.head<LinesWords>().form;
  if (form != lines_txid && form != lines_fields) return ArgumentError::unknown_lines;
  const Bytes bytes = call.inputs[0].bytes;
  if (bytes.size() > input_bytes_max) {
    return Error{ErrorCode::input_over_limit, static_cast<std::uint32_t>(input_bytes_max)};
  }
  LineAnswers answers{call, form};
  std::size_t start = 0;
  while (start < bytes.size() && !answers.are_enough()) {
    const Bytes rest = bytes.subspan(start);
    const void* found = std::memchr(rest.data(), '\n', rest.size());
    const std::size_t length =
        found == nullptr
            ? rest.size()
            : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - rest.data());
    answers.add(rest.first(length), start);
    start = std::min(start + length + 1, bytes.size());
  }
  answers.finish(start);
  return {};
}

}  // namespace antara::seam
