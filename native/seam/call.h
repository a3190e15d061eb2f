#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "seam/words.h"
#include "select/coin_runs.h"
#include "tx/layout.h"

namespace antara::seam {

class VerificationJob;

inline constexpr std::size_t inputs_max = 5;

/// What a function takes. A trampoline turns its caller's values into these, and nothing more.
enum class InputKind : std::uint8_t { source, hex, bytes, values, numbers, index, job };

/// What a function gives besides words.
enum class AnswerKind : std::uint8_t { text, index, job };

/// One input of a call. Bytes, and elements, are a view of the caller's memory.
struct Input {
  std::span<const char> text;  // one character a byte, cut to eight bits
  Bytes bytes;
  bool is_text = false;
  bool is_over_limit = false;  // text that was too long to be copied
};

/// What became of a call: success, something wrong with the data, or a mistake of the caller.
class Outcome {
 public:
  // Implicit on purpose: functions return errors as they find them.
  Outcome() = default;
  Outcome(Error error) noexcept  // NOLINT(google-explicit-constructor)
      : code_(static_cast<std::uint32_t>(error.code)), number_(error.offset) {}
  Outcome(ArgumentError error) noexcept  // NOLINT(google-explicit-constructor)
      : code_(argument_error), number_(static_cast<std::uint32_t>(error)) {}
  static Outcome of_needed_words(std::size_t count) noexcept {
    Outcome outcome;
    outcome.code_ = needs_words;
    outcome.number_ = static_cast<std::uint32_t>(count);
    return outcome;
  }

  [[nodiscard]] bool failed() const noexcept { return code_ != 0; }
  [[nodiscard]] std::uint32_t code() const noexcept { return code_; }
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

 private:
  std::uint32_t code_ = 0;
  std::uint32_t number_ = 0;
};

/// What one caller (the main thread, a worker) keeps between calls: the words, and buffers that
/// would otherwise be allocated on every call.
struct State {
  /// Aligned to 8 bytes; at least `scratch_words_min` of them, or none.
  std::span<std::uint32_t> words;

  /// Of the call that runs; empty between calls.
  std::array<Input, inputs_max> inputs;
  /// Where a trampoline puts the characters of texts, and what they spell.
  std::array<std::vector<char>, inputs_max> texts;
  std::array<std::vector<std::uint8_t>, inputs_max> spelled;

  std::vector<char> text;  // of the answer
  std::vector<std::uint8_t> produced;
  TxLayout layout;

  /// An answer that did not fit, until it is taken or the next call. Its text is in `text`.
  struct Kept {
    std::vector<std::uint32_t> words;
    std::size_t text_characters = 0;
    std::uint32_t detail = 0;
  } kept;

  /// Gives back what a large call grew.
  void trim();
  /// Set by a call that may have grown something by much.
  bool is_grown = false;
};

/// Bytes that an input holds or spells.
struct Source {
  Bytes raw;
  bool was_text = false;
  bool has_upper_case = false;  // hex, but not spelled as we spell it
};

/// A call on its way through the seam: inputs and words in, words and text out, one outcome.
///
/// Words out lie where words in did: a function reads all of those before it asks for these.
class Call {
 public:
  /// Making five inputs anew for every call would take a tenth of the seam's own time.
  explicit Call(State& state, std::size_t input_count = inputs_max) noexcept
      : inputs(std::span{state.inputs}.first(input_count)), state_(state) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    for (Input& input : inputs) input = {};
  }

  // For trampolines.

  std::span<Input> inputs;
  CoinIndex* index = nullptr;
  const VerificationJob* finished_job = nullptr;
  /// What a function answers with that stays on this side.
  std::unique_ptr<CoinIndex> made_index;
  std::shared_ptr<VerificationJob> made_job;

  /// Writes the outcome of a call, or that its words did not fit and are kept.
  [[nodiscard]] Outcome finish(Outcome outcome) noexcept;
  /// Instead of a function: answers with what was kept of the last call, now that it fits.
  [[nodiscard]] Outcome take_kept();
  /// Characters of the answer.
  [[nodiscard]] std::span<const char> text() const noexcept {
    return std::span{state_.text}.first(text_characters_);
  }

  // For functions.

  [[nodiscard]] State& state() noexcept { return state_; }

  /// Un-hexes an input that is text, into memory that holds until the next call.
  /// errors: malformed_hex, odd_length_hex, input_over_limit with the limit
  [[nodiscard]] Result<Source> source(std::size_t input);
  /// The memory of a source that was text.
  [[nodiscard]] MutableBytes spelled(std::size_t input) noexcept { return state_.spelled[input]; }

  /// Elements of an array that came in, or the caller's mistake.
  [[nodiscard]] Outcome values(std::size_t input, std::span<const std::int64_t>& found) const;
  [[nodiscard]] Outcome numbers(std::size_t input, std::span<const std::uint32_t>& found) const;

  /// The record that the words in start with.
  template <typename Record>
  [[nodiscard]] Record head() const noexcept {
    static_assert(result_base + sizeof(Record) / 4 <= scratch_words_min);
    return at<Record>(state_.words.subspan(result_base));
  }
  /// As many records as are announced after the head; none, and a mistake, if there is no room.
  template <typename Head, typename Record>
  [[nodiscard]] Outcome list(std::size_t count, std::span<const std::uint32_t>& found) const {
    const std::span<const std::uint32_t> rest =
        state_.words.subspan(result_base + sizeof(Head) / 4);
    if (count > rest.size() / (sizeof(Record) / 4)) return ArgumentError::words_beyond_scratch;
    found = rest.first(count * (sizeof(Record) / 4));
    return {};
  }

  /// Room for words of the answer, wherever they fit.
  [[nodiscard]] std::span<std::uint32_t> answer_words(std::size_t count);
  /// Room for the text of the answer.
  [[nodiscard]] char* text_room(std::size_t characters);
  void answer_text(std::string_view text);
  /// Answers with lower-case hex.
  void answer_hex(Bytes bytes);
  /// Answers with one record.
  template <typename Record>
  void answer_record(const Record& record) {
    put(answer_words(sizeof(Record) / 4), record);
  }
  /// A number beside the outcome.
  void set_detail(std::uint32_t detail) noexcept { detail_ = detail; }

  /// The record that `words` start with. Whoever cut them vouches for their number.
  template <typename Record>
  [[nodiscard]] static Record at(std::span<const std::uint32_t> words) noexcept {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % 4 == 0);
    Record record;
    std::memcpy(static_cast<void*>(&record), words.data(), sizeof record);
    return record;
  }
  /// Writes a record and returns what follows it. In its place rather than copied there, which
  /// compilers do by way of the stack: `words` are aligned as the record is.
  template <typename Record>
  static std::span<std::uint32_t> put(std::span<std::uint32_t> words,
                                      const Record& record) noexcept {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % 4 == 0);
    ::new (static_cast<void*>(words.data())) Record(record);
    return words.subspan(sizeof record / 4);
  }

 private:
  State& state_;
  std::size_t text_characters_ = 0;
  std::uint32_t detail_ = 0;
  bool fits_ = true;
};

/// A row of the table that trampolines walk.
struct Function {
  const char* name;
  Outcome (*run)(Call&);
  std::array<InputKind, inputs_max> inputs;
  std::size_t input_count;
  AnswerKind answer;
};

}  // namespace antara::seam
