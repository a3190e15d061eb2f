#include "bytes/hex.h"

#include <algorithm>

#include "base/cpu.h"
#include "bytes/hex_simd128.h"

#if ANTARA_X86
#include <immintrin.h>
#endif

namespace antara {
namespace {

constexpr std::uint8_t not_hex = 0xff;

constexpr std::array<std::uint8_t, 256> make_digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(not_hex);
  for (unsigned digit = 0; digit < 10; ++digit)
    values['0' + digit] = static_cast<std::uint8_t>(digit);
  for (unsigned digit = 0; digit < 6; ++digit) {
    values['a' + digit] = static_cast<std::uint8_t>(10 + digit);
    values['A' + digit] = static_cast<std::uint8_t>(10 + digit);
  }
  return values;
}

struct DigitPair {
  char high;
  char low;
};

constexpr std::array<DigitPair, 256> make_digit_pairs() {
  constexpr char digits[] = "0123456789abcdef";
  std::array<DigitPair, 256> pairs{};
  for (unsigned byte = 0; byte < 256; ++byte) pairs[byte] = {digits[byte >> 4], digits[byte & 15]};
  return pairs;
}

constexpr auto digit_values = make_digit_values();
constexpr auto digit_pairs = make_digit_pairs();

/// Decodes pairs of digits; the text has an even length.
HexText unhex_pairs(std::span<const char> text, MutableBytes output) noexcept {
  bool has_upper_case = false;
  for (std::size_t index = 0; index < text.size() / 2; ++index) {
    const auto high = static_cast<std::uint8_t>(text[2 * index]);
    const auto low = static_cast<std::uint8_t>(text[2 * index + 1]);
    const std::uint8_t high_value = digit_values[high];
    const std::uint8_t low_value = digit_values[low];
    if ((high_value | low_value) == not_hex) {
      return {{ErrorCode::malformed_hex, static_cast<std::uint32_t>(index)}, has_upper_case};
    }
    // Upper-case letters are the only digits in 0x41..0x46.
    has_upper_case |= (high & 0xe0) == 0x40 || (low & 0xe0) == 0x40;
    output[index] = static_cast<std::uint8_t>(high_value << 4 | low_value);
  }
  return {{}, has_upper_case};
}

void write_pair(std::uint8_t byte, char* output) noexcept {
  const DigitPair pair = digit_pairs[byte];
  output[0] = pair.high;
  output[1] = pair.low;
}

Error odd_length(std::size_t digits) noexcept {
  return {ErrorCode::odd_length_hex, static_cast<std::uint32_t>(digits / 2)};
}

#if ANTARA_X86
/// The properties of all digits seen so far, tested once at the end rather than at every step.
struct DigitsSeen {
  __m256i largest_value;
  __m256i common_bits;

  [[nodiscard]] __attribute__((target("avx2"))) bool all_are_hex() const noexcept {
    const __m256i limit = _mm256_set1_epi8(15);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(largest_value, limit), limit)) ==
           -1;
  }
  /// Only A-F, of all hex digits, lack bit 0x20.
  [[nodiscard]] __attribute__((target("avx2"))) bool has_upper_case() const noexcept {
    return _mm256_movemask_epi8(_mm256_slli_epi16(common_bits, 2)) != -1;
  }
};

/// Returns 32 digits as 16-bit lanes of one byte value each, and records in `seen` whether all are
/// digits.
__attribute__((target("avx2"))) __m256i values_avx2(const char* text, DigitsSeen& seen) noexcept {
  const __m256i digits =
      _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(text)));
  // '0'..'9' become 0xf6..0xff, then 0xf0..0xf9, then 0..9; all else ends above 15.
  const __m256i shifted = _mm256_add_epi8(digits, _mm256_set1_epi8('\xff' - '9'));
  const __m256i decimal =
      _mm256_sub_epi8(_mm256_subs_epu8(shifted, _mm256_set1_epi8(6)), _mm256_set1_epi8('\xf0'));
  // 'a'..'f' of either case become 0..5, then 10..15; all else ends above 15 here too.
  const __m256i letter =
      _mm256_sub_epi8(_mm256_or_si256(digits, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
  const __m256i values = _mm256_min_epu8(decimal, _mm256_adds_epu8(letter, _mm256_set1_epi8(10)));
  seen.largest_value = _mm256_max_epu8(seen.largest_value, values);
  seen.common_bits = _mm256_and_si256(seen.common_bits, digits);
  // Each 16-bit lane: first digit * 16 + second digit.
  return _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0110));
}

/// Returns the bytes of both arguments' lanes, in order.
__attribute__((target("avx2"))) __m256i pack_avx2(__m256i first, __m256i second) noexcept {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0b11011000);
}

/// Decodes all text; returns false if a character is not a digit or the text is short.
__attribute__((target("avx2"))) bool unhex_avx2(std::span<const char> text, MutableBytes output,
                                                bool& has_upper_case) noexcept {
  const std::size_t bytes = text.size() / 2;
  if (bytes < 16) return false;
  DigitsSeen seen{_mm256_setzero_si256(), _mm256_set1_epi8(-1)};
  std::size_t done = 0;
  for (; done + 32 <= bytes; done += 32) {
    const char* from = text.data() + 2 * done;
    const __m256i first = values_avx2(from, seen);
    const __m256i second = values_avx2(from + 32, seen);
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(output.data() + done)),
                        pack_avx2(first, second));
  }
  while (done < bytes) {
    // The last step starts earlier, so that it ends at the end of the text.
    const std::size_t start = std::min(done, bytes - 16);
    const __m256i lanes = values_avx2(text.data() + 2 * start, seen);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(output.data() + start)),
                     _mm256_castsi256_si128(pack_avx2(lanes, lanes)));
    done = start + 16;
  }
  has_upper_case = seen.has_upper_case();
  return seen.all_are_hex();
}

__attribute__((target("avx2"))) __m128i load_16(const std::uint8_t* bytes) noexcept {
  return _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(bytes)));
}

/// Writes 16 bytes as 32 digits.
__attribute__((target("avx2"))) void write_digits_avx2(__m128i bytes, char* output) noexcept {
  const __m256i digits = _mm256_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a',
                                          'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5',
                                          '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  const __m256i wide = _mm256_cvtepu8_epi16(bytes);
  // Each 16-bit lane: high nibble in its low byte, low nibble in its high byte.
  const __m256i nibbles =
      _mm256_and_si256(_mm256_or_si256(_mm256_srli_epi16(wide, 4), _mm256_slli_epi16(wide, 8)),
                       _mm256_set1_epi16(0x0f0f));
  _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(output)),
                      _mm256_shuffle_epi8(digits, nibbles));
}

/// Writes bytes from the start as digits. Returns their number.
__attribute__((target("avx2"))) std::size_t hex_avx2(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
  for (; done + 16 <= bytes.size(); done += 16) {
    write_digits_avx2(load_16(bytes.data() + done), output + 2 * done);
  }
  return done;
}

/// Writes bytes from the end as digits, the last byte first. Returns their number.
__attribute__((target("avx2"))) std::size_t reversed_hex_avx2(Bytes bytes, char* output) noexcept {
  const __m128i backwards = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  std::size_t done = 0;
  for (; done + 16 <= bytes.size(); done += 16) {
    const __m128i block = load_16(bytes.data() + (bytes.size() - done - 16));
    write_digits_avx2(_mm_shuffle_epi8(block, backwards), output + 2 * done);
  }
  return done;
}
#endif

}  // namespace

HexText bytes_from_hex_portable(std::span<const char> text, MutableBytes output) noexcept {
  const HexText result = unhex_pairs(text.first(text.size() / 2 * 2), output);
  if (result.error.failed() || text.size() % 2 == 0) return result;
  return {odd_length(text.size()), result.has_upper_case};
}

HexText bytes_from_hex(std::span<const char> text, MutableBytes output) noexcept {
#if ANTARA_X86
  bool has_upper_case = false;
  if (cpu_has_avx2() && text.size() % 2 == 0 && unhex_avx2(text, output, has_upper_case)) {
    return {{}, has_upper_case};
  }
#elif ANTARA_SIMD128
  bool has_upper_case = false;
  if (text.size() % 2 == 0 && hex_simd128::unhex(text, output, has_upper_case)) {
    return {{}, has_upper_case};
  }
#endif
  return bytes_from_hex_portable(text, output);
}

void hex_from_bytes(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
#if ANTARA_X86
  if (cpu_has_avx2()) done = hex_avx2(bytes, output);
#elif ANTARA_SIMD128
  done = hex_simd128::write_digits(bytes, output);
#endif
  for (; done < bytes.size(); ++done) write_pair(bytes[done], output + 2 * done);
}

void reversed_hex_from_bytes(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
#if ANTARA_X86
  if (cpu_has_avx2()) done = reversed_hex_avx2(bytes, output);
#elif ANTARA_SIMD128
  done = hex_simd128::write_reversed_digits(bytes, output);
#endif
  for (; done < bytes.size(); ++done) {
    write_pair(bytes[bytes.size() - done - 1], output + 2 * done);
  }
}

}  // namespace antara
