#include "cc/der.h"

#include <algorithm>

namespace antara {

namespace {

constexpr std::uint8_t constructed_bit = 0x20;
constexpr std::uint8_t number_mask = 0x1f;

// X.690 8.21 and 8.6: the pieces of a constructed string carry these universal tags.
constexpr std::uint8_t octet_string_piece = 0x04;
constexpr std::uint8_t bit_string_piece = 0x03;

constexpr bool is_constructed(std::uint8_t identifier) noexcept {
  return (identifier & constructed_bit) != 0;
}

/// Appends the bytes that still fit after the first `length` bytes of `output`.
void append(Bytes bytes, MutableBytes output, std::size_t& length) noexcept {
  if (length < output.size()) {
    const MutableBytes room = output.subspan(length);
    std::copy_n(bytes.begin(), std::min(room.size(), bytes.size()), room.begin());
  }
  length += bytes.size();
}

}  // namespace

/// Reads one octet. A number that is spread over more octets is never in its shortest form here,
/// but asn1c reads it. source: X.690 8.1.2
std::uint8_t DerReader::identifier() noexcept {
  const std::uint32_t start = position_;
  if (error_.failed() || left() == 0) {
    short_of_input();
    return 0;
  }
  const std::uint8_t first = input_[position_++];
  if ((first & number_mask) != number_mask) return first;
  deviate(ErrorCode::der_wrong_tag, start);
  std::uint32_t number = 0;
  for (;;) {
    if (error_.failed()) return 0;
    if (left() == 0) {
      short_of_input();
      return 0;
    }
    const std::uint8_t next = input_[position_++];
    number = (number << 7) | (next & 0x7fU);
    if ((next & 0x80) == 0) break;
    if (number > std::numeric_limits<std::uint32_t>::max() >> 9) {
      fail(ErrorCode::der_wrong_tag, start);
    }
  }
  const auto low = static_cast<std::uint8_t>(std::min<std::uint32_t>(number, number_mask));
  return static_cast<std::uint8_t>((first & ~number_mask) | low);
}

/// source: X.690 8.1.3, 10.1; asn1c ber_fetch_length for the daemon's reading
DerReader::Header DerReader::header() noexcept {
  Header header;
  header.identifier = identifier();
  const std::uint32_t start = position_;
  if (error_.failed() || left() == 0) {
    short_of_input();
    return {};
  }
  const std::uint8_t first = input_[position_++];
  std::uint64_t length = first;
  if (first == 0x80) {
    deviate(ErrorCode::der_indefinite_length, start);
    // Where only a definite length is possible, asn1c reads this as a length of zero.
    header.is_indefinite = is_constructed(header.identifier);
    length = 0;
  } else if (first > 0x80) {
    const std::uint32_t octets = first & 0x7fU;
    if (octets > left()) {
      short_of_input();
      return {};
    }
    length = 0;
    for (std::uint32_t index = 0; index < octets; ++index) {
      // Once the length is beyond any input it stays there, however many octets follow.
      length = std::min<std::uint64_t>(length << 8 | input_[position_++], 0xffffffffffff);
    }
    const bool is_minimal = length > 0x7f && input_[start + 1] != 0;
    if (first == 0xff) {
      fail(ErrorCode::der_length_not_minimal, start);
    } else if (!is_minimal) {
      deviate(ErrorCode::der_length_not_minimal, start);
    }
  }
  if (length > left())
    fail(depth_ == 0 ? ErrorCode::truncated : ErrorCode::der_element_over_end, start);
  if (error_.failed()) return {};
  header.length = static_cast<std::uint32_t>(length);
  return header;
}

std::uint8_t DerReader::peek() noexcept {
  if (at_end()) return 0;
  const std::uint32_t start = position_;
  const std::uint8_t result = identifier();
  position_ = start;
  return error_.failed() ? std::uint8_t{0} : result;
}

void DerReader::enter(const Header& header) noexcept {
  if (error_.failed()) return;
  if (depth_ == depth_max) {
    fail(ErrorCode::condition_nesting_over_limit, position_);
    return;
  }
  const std::uint32_t end = header.is_indefinite ? frames_[depth_].end : position_ + header.length;
  frames_[++depth_] = {end, header.is_indefinite};
}

void DerReader::open(std::uint8_t wanted) noexcept {
  const std::uint32_t start = position_;
  if (!error_.failed() && left() == 0 && depth_ > 0) fail(ErrorCode::der_wrong_tag, start);
  const Header found = header();
  if (error_.failed()) return;
  if (found.identifier != wanted) {
    fail(ErrorCode::der_wrong_tag, start);
    return;
  }
  enter(found);
}

/// Leaves the innermost element if it ends here; an indefinite one ends with two zero octets.
bool DerReader::leaves_finished_frame() noexcept {
  const Frame& frame = frames_[depth_];
  if (!frame.is_indefinite) {
    if (position_ != frame.end) return false;
  } else {
    if (left() < 2 || input_[position_] != 0 || input_[position_ + 1] != 0) return false;
    position_ += 2;
  }
  --depth_;
  return true;
}

void DerReader::close() noexcept {
  if (error_.failed()) return;
  if (!leaves_finished_frame()) fail(ErrorCode::der_leftover, position_);
}

/// Passes each piece of a string's contents to `sink`; only constructed strings have several
/// pieces.
template <typename Sink>
void DerReader::pieces(std::uint8_t wanted, std::uint8_t piece, Sink sink) noexcept {
  const std::uint32_t start = position_;
  if (!error_.failed() && left() == 0 && depth_ > 0) fail(ErrorCode::der_wrong_tag, start);
  const Header outer = header();
  if (error_.failed()) return;
  if ((outer.identifier & ~constructed_bit) != wanted) {
    fail(ErrorCode::der_wrong_tag, start);
    return;
  }
  if (!is_constructed(outer.identifier)) {
    sink(Slice{position_, outer.length});
    position_ += outer.length;
    return;
  }
  deviate(ErrorCode::der_constructed_string, start);
  const std::size_t outside = depth_;
  enter(outer);
  while (!error_.failed() && depth_ > outside) {
    if (leaves_finished_frame()) continue;
    const std::uint32_t at = position_;
    const Header inner = header();
    if (error_.failed()) return;
    if ((inner.identifier & ~constructed_bit) != piece) {
      fail(ErrorCode::der_wrong_tag, at);
    } else if (is_constructed(inner.identifier)) {
      enter(inner);
    } else {
      sink(Slice{position_, inner.length});
      position_ += inner.length;
    }
  }
}

Slice DerReader::string(std::uint8_t wanted) noexcept {
  Slice whole;
  std::size_t count = 0;
  const std::uint32_t start = position_;
  pieces(wanted, octet_string_piece, [&](Slice piece) {
    whole = piece;
    ++count;
  });
  // A slice needs its contents in one piece, unlike the few fields that are copied.
  if (count != 1) fail(ErrorCode::der_constructed_string, start);
  return error_.failed() ? Slice{} : whole;
}

std::size_t DerReader::copy_string(std::uint8_t wanted, MutableBytes output) noexcept {
  std::size_t length = 0;
  pieces(wanted, octet_string_piece,
         [&](Slice piece) { append(bytes_of(input_, piece), output, length); });
  return error_.failed() ? 0 : length;
}

std::size_t DerReader::copy_bits(std::uint8_t wanted, MutableBytes output,
                                 std::uint8_t& unused_bits) noexcept {
  std::size_t length = 0;
  unused_bits = 0;
  pieces(wanted, bit_string_piece, [&](Slice piece) {
    if (piece.length == 0) return;
    // Every piece starts with its own count of unused bits; asn1c uses the last one.
    unused_bits = input_[piece.offset];
    append(bytes_of(input_, piece).subspan(1), output, length);
  });
  return error_.failed() ? 0 : length;
}

std::uint64_t DerReader::integer(std::uint8_t wanted) noexcept {
  const std::uint32_t start = position_;
  if (!error_.failed() && left() == 0 && depth_ > 0) fail(ErrorCode::der_wrong_tag, start);
  const Header found = header();
  if (!error_.failed() && found.identifier != wanted) fail(ErrorCode::der_wrong_tag, start);
  if (error_.failed()) return 0;
  const std::uint32_t at = position_;
  const Bytes octets = input_.subspan(at, found.length);
  position_ += found.length;
  const bool has_extra_zero = octets.size() > 1 && octets[0] == 0 && octets[1] < 0x80;
  if (octets.empty() || has_extra_zero) {
    deviate(ErrorCode::der_integer_not_minimal, at);
  } else if (octets[0] >= 0x80) {
    deviate(ErrorCode::der_integer_negative, at);
  }
  std::uint64_t value = 0;
  for (const std::uint8_t octet : octets) {
    if (value >> 56 != 0) fail(ErrorCode::der_integer_over_limit, at);
    value = value << 8 | octet;
  }
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    deviate(ErrorCode::der_integer_over_limit, at);
  }
  return error_.failed() ? 0 : value;
}

Error DerReader::finish() noexcept {
  if (!error_.failed() && left() != 0) deviate(ErrorCode::trailing_bytes, position_);
  return error_;
}

}  // namespace antara
