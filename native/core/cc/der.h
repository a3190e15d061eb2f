#pragma once

#include <array>
#include <cstring>
#include <limits>

#include "base/bytes.h"
#include "base/error.h"

namespace antara {

/// Returns an identifier octet. All in this library have the context class: 0x80 | number, and 0x20
/// more for a constructed element.
[[nodiscard]] constexpr std::uint8_t der_primitive(unsigned number) noexcept {
  return static_cast<std::uint8_t>(0x80 | number);
}
[[nodiscard]] constexpr std::uint8_t der_constructed(unsigned number) noexcept {
  return static_cast<std::uint8_t>(0xa0 | number);
}

/// The treatment of encodings that BER allows and DER does not.
enum class DerRules : std::uint8_t {
  strict,  ///< refuse them
  der,     ///< refuse them, except that bit strings may have any DER spelling
  daemon,  ///< read them as the daemon's asn1c does, and record the deviation
};

/// Forward-only reader of DER with a sticky error, like ByteReader.
///
/// Elements nest by `open` and `close`, at most `depth_max` deep, so no input can make the reader
/// grow. A length is checked against the enclosing element before anything is read.
class DerReader {
 public:
  static constexpr std::size_t depth_max = 80;

  explicit DerReader(Bytes input, DerRules rules = DerRules::strict) noexcept
      : input_(input), rules_(rules) {
    frames_[0] = {static_cast<std::uint32_t>(input.size()), false};
    if (input.size() > std::numeric_limits<std::uint32_t>::max()) {
      fail(ErrorCode::input_over_limit, 0);
    }
  }

  /// Returns the identifier octet of the next element; 0, which no element has, at an end or after
  /// a failure.
  [[nodiscard]] std::uint8_t peek() noexcept;

  /// Returns true if the innermost open element has been read to its end.
  [[nodiscard]] bool at_end() const noexcept {
    return error_.failed() || position_ == frames_[depth_].end;
  }

  /// Enters the element with this identifier. errors: der_wrong_tag, truncated,
  /// der_element_over_end, der_indefinite_length, der_length_not_minimal
  void open(std::uint8_t identifier) noexcept;

  /// Leaves the innermost open element, which must be read to its end. errors: der_leftover
  void close() noexcept;

  /// Reads the contents of a string, by position. errors: those of `open`, der_constructed_string
  [[nodiscard]] Slice string(std::uint8_t identifier) noexcept;

  /// Copies as much of a string as `output` holds. Returns the length of the whole string.
  [[nodiscard]] std::size_t copy_string(std::uint8_t identifier, MutableBytes output) noexcept;

  /// Copies as much of a bit string as `output` holds, without the octet that counts unused bits,
  /// which is stored in `unused_bits`. Returns the length of the whole string in bytes.
  [[nodiscard]] std::size_t copy_bits(std::uint8_t identifier, MutableBytes output,
                                      std::uint8_t& unused_bits) noexcept;

  /// Reads an INTEGER from 0 to 2^63 - 1. The daemon's rules read any 64 bits as unsigned.
  /// errors: those of `open`, der_integer_not_minimal, der_integer_negative, der_integer_over_limit
  [[nodiscard]] std::uint64_t integer(std::uint8_t identifier) noexcept;

  /// Keeps `code` at `at`, unless an earlier error is kept.
  void fail(ErrorCode code, std::uint32_t at) noexcept {
    if (!error_.failed()) error_ = {code, at};
  }

  /// Handles an encoding that strict rules refuse and the daemon's rules record.
  void deviate(ErrorCode code, std::uint32_t at) noexcept {
    if (rules_ != DerRules::daemon) {
      fail(code, at);
    } else if (!deviation_.failed()) {
      deviation_ = {code, at};
    }
  }

  [[nodiscard]] DerRules rules() const noexcept { return rules_; }

  /// Returns the first failure, or `trailing_bytes` if input is left.
  [[nodiscard]] Error finish() noexcept;

  [[nodiscard]] bool failed() const noexcept { return error_.failed(); }
  [[nodiscard]] Error error() const noexcept { return error_; }
  /// Returns the first deviation that only the daemon's rules accepted.
  [[nodiscard]] Error deviation() const noexcept { return deviation_; }
  [[nodiscard]] std::uint32_t offset() const noexcept { return position_; }
  [[nodiscard]] Bytes input() const noexcept { return input_; }

 private:
  // Members have no initial values, because only the frames up to `depth_` are used.
  struct Frame {
    std::uint32_t end;
    bool is_indefinite;
  };
  struct Header {
    std::uint8_t identifier = 0;
    bool is_indefinite = false;
    std::uint32_t length = 0;
  };

  [[nodiscard]] std::uint32_t left() const noexcept { return frames_[depth_].end - position_; }
  [[nodiscard]] std::uint8_t identifier() noexcept;
  [[nodiscard]] Header header() noexcept;
  void enter(const Header& header) noexcept;
  void short_of_input() noexcept {
    fail(depth_ == 0 ? ErrorCode::truncated : ErrorCode::der_element_over_end, position_);
  }
  template <typename Sink>
  void pieces(std::uint8_t identifier, std::uint8_t piece, Sink sink) noexcept;
  [[nodiscard]] bool leaves_finished_frame() noexcept;

  Bytes input_;
  std::uint32_t position_ = 0;
  DerRules rules_;
  Error error_{};
  Error deviation_{};
  std::size_t depth_ = 0;
  std::array<Frame, depth_max + 1> frames_;
};

}  // namespace antara
