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

/// The kinds of a function's inputs. A trampoline converts its caller's values to these and does
/// nothing else.
enum class InputKind : std::uint8_t { source, hex, bytes, values, numbers, index, job };

/// The kinds of a function's answer, in addition to words.
enum class AnswerKind : std::uint8_t { text, index, job };

/// One input of a call. Bytes and elements are views of the caller's memory.
struct Input {
  std::span<const char> text;  // one character a byte, cut to eight bits
  Bytes bytes;
  bool is_text = false;
  bool is_over_limit = false;  // the text was too long to be copied
};

/// The outcome of a call: success, an error in the data, or an argument error.
class Outcome {
 public:
  // Implicit on purpose, so that functions can return errors directly.
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

/// The state that one caller (the main thread, a worker) keeps between calls: the words, and
/// buffers that every call would otherwise allocate.
struct State {
  /// Aligned to 8 bytes; at least `scratch_words_min` of them, or none.
  std::span<std::uint32_t> words;

  /// Inputs of the running call; empty between calls.
  std::array<Input, inputs_max> inputs;
  /// Characters of input texts, written by a trampoline, and the bytes they decode to.
  std::array<std::vector<char>, inputs_max> texts;
  std::array<std::vector<std::uint8_t>, inputs_max> spelled;

  std::vector<char> text;  // text of the answer
  std::vector<std::uint8_t> produced;
  TxLayout layout;

  /// An answer that did not fit. It is kept until it is taken or until the next call; its text is
  /// in `text`.
  struct Kept {
    std::vector<std::uint32_t> words;
    std::size_t text_characters = 0;
    std::uint32_t detail = 0;
  } kept;

  /// Releases the memory that a large call allocated.
  void trim();
  /// Set by a call that may have allocated much memory.
  bool is_grown = false;
};

/// The bytes of an input, decoded if it was text.
struct Source {
  Bytes raw;
  bool was_text = false;
  bool has_upper_case = false;  // valid hex, but not in our lower-case spelling
};

/// One call through the seam: inputs and words in, words and text out, one outcome.
///
/// The output words share memory with the input words, so a function reads all input words before
/// it requests room for output.
class Call {
 public:
  /// Constructing five inputs anew for every call would take a tenth of the seam's own time.
  explicit Call(State& state, std::size_t input_count = inputs_max) noexcept
      : inputs(std::span{state.inputs}.first(input_count)), state_(state) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    for (Input& input : inputs) input = {};
  }

  // Members for trampolines.

  std::span<Input> inputs;
  CoinIndex* index = nullptr;
  const VerificationJob* finished_job = nullptr;
  /// Objects that a function made and that stay on this side.
  std::unique_ptr<CoinIndex> made_index;
  std::shared_ptr<VerificationJob> made_job;

  /// Writes the outcome of a call, or keeps the answer if its words do not fit.
  [[nodiscard]] Outcome finish(Outcome outcome) noexcept;
  /// Replaces a function: answers with the kept answer of the last call, now that it fits.
  [[nodiscard]] Outcome take_kept();
  /// Returns the characters of the answer.
  [[nodiscard]] std::span<const char> text() const noexcept {
    return std::span{state_.text}.first(text_characters_);
  }

  // Members for functions.

  [[nodiscard]] State& state() noexcept { return state_; }

  /// Decodes an input that is hex, into memory that stays valid until the next call.
  /// errors: malformed_hex, odd_length_hex, input_over_limit with the limit
  [[nodiscard]] Result<Source> source(std::size_t input);
  /// Returns the memory of a source that was text.
  [[nodiscard]] MutableBytes spelled(std::size_t input) noexcept { return state_.spelled[input]; }

  /// Returns the elements of an input array, or an argument error.
  [[nodiscard]] Outcome values(std::size_t input, std::span<const std::int64_t>& found) const;
  [[nodiscard]] Outcome numbers(std::size_t input, std::span<const std::uint32_t>& found) const;

  /// Returns the record with which the input words start.
  template <typename Record>
  [[nodiscard]] Record head() const noexcept {
    static_assert(result_base + sizeof(Record) / 4 <= scratch_words_min);
    return at<Record>(state_.words.subspan(result_base));
  }
  /// Returns as many records as announced after the head; an argument error if the scratch is too
  /// small.
  template <typename Head, typename Record>
  [[nodiscard]] Outcome list(std::size_t count, std::span<const std::uint32_t>& found) const {
    const std::span<const std::uint32_t> rest =
        state_.words.subspan(result_base + sizeof(Head) / 4);
    if (count > rest.size() / (sizeof(Record) / 4)) return ArgumentError::words_beyond_scratch;
    found = rest.first(count * (sizeof(Record) / 4));
    return {};
  }

  /// Returns room for words of the answer, in the scratch or elsewhere.
  [[nodiscard]] std::span<std::uint32_t> answer_words(std::size_t count);
  /// Returns room for the text of the answer.
  [[nodiscard]] char* text_room(std::size_t characters);
  void answer_text(std::string_view text);
  /// Answers with lower-case hex.
  void answer_hex(Bytes bytes);
  /// Answers with one record.
  template <typename Record>
  void answer_record(const Record& record) {
    put(answer_words(sizeof(Record) / 4), record);
  }
  /// Sets the number that accompanies the outcome.
  void set_detail(std::uint32_t detail) noexcept { detail_ = detail; }

  /// Returns the record at the start of `words`. The caller guarantees that there are enough.
  template <typename Record>
  [[nodiscard]] static Record at(std::span<const std::uint32_t> words) noexcept {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % 4 == 0);
    Record record;
    std::memcpy(static_cast<void*>(&record), words.data(), sizeof record);
    return record;
  }
  /// Writes a record and returns the words after it. It is constructed in place, because compilers
  /// copy it by way of the stack; `words` are aligned as the record is.
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

/// A row of the table that trampolines use.
struct Function {
  const char* name;
  Outcome (*run)(Call&);
  std::array<InputKind, inputs_max> inputs;
  std::size_t input_count;
  AnswerKind answer;
};

}  // namespace antara::seam
