#include "bytes/hex.h"

#include "base/cpu.h"

#if ANTARA_X86
#include <immintrin.h>
#endif

namespace antara {
namespace {

constexpr std::uint8_t not_hex = 0xff;

constexpr std::array<std::uint8_t, 256> make_digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(not_hex);
  for (unsigned digit = 0; digit < 10; ++digit) values['0' + digit] = static_cast<std::uint8_t>(digit);
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

/// Un-hexes pairs from `first_byte` on; the text is known to have an even length.
HexText unhex_from(std::span<const char> text, MutableBytes output, std::size_t first_byte,
                   bool has_upper_case) noexcept {
  for (std::size_t index = first_byte; index < text.size() / 2; ++index) {
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

Error odd_length(std::size_t digits) noexcept {
  return {ErrorCode::odd_length_hex, static_cast<std::uint32_t>(digits / 2)};
}

#if ANTARA_X86
/// 32 digits to 16 bytes a step; stops before the first block that holds anything but digits.
__attribute__((target("avx2"))) std::size_t unhex_avx2(std::span<const char> text,
                                                        MutableBytes output,
                                                        bool& has_upper_case) noexcept {
  const __m256i case_bit = _mm256_set1_epi8(0x20);
  __m256i upper_seen = _mm256_setzero_si256();
  std::size_t done_bytes = 0;
  for (; done_bytes + 16 <= text.size() / 2; done_bytes += 16) {
    const __m256i digits = _mm256_loadu_si256(
        static_cast<const __m256i*>(static_cast<const void*>(text.data() + 2 * done_bytes)));
    // '0'..'9' as unsigned: (c - '0') <= 9, written as min(x, 9) == x.
    const __m256i decimal = _mm256_sub_epi8(digits, _mm256_set1_epi8('0'));
    const __m256i is_decimal =
        _mm256_cmpeq_epi8(_mm256_min_epu8(decimal, _mm256_set1_epi8(9)), decimal);
    const __m256i letter =
        _mm256_sub_epi8(_mm256_or_si256(digits, case_bit), _mm256_set1_epi8('a'));
    const __m256i is_letter =
        _mm256_cmpeq_epi8(_mm256_min_epu8(letter, _mm256_set1_epi8(5)), letter);
    if (_mm256_movemask_epi8(_mm256_or_si256(is_decimal, is_letter)) != -1) break;
    upper_seen = _mm256_or_si256(upper_seen, _mm256_andnot_si256(digits, is_letter));
    const __m256i letter_value = _mm256_add_epi8(letter, _mm256_set1_epi8(10));
    const __m256i values = _mm256_blendv_epi8(letter_value, decimal, is_decimal);
    // Each 16-bit lane: first digit * 16 + second digit.
    const __m256i words = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0110));
    const __m256i packed = _mm256_permute4x64_epi64(
        _mm256_packus_epi16(words, _mm256_setzero_si256()), 0b11011000);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(output.data() + done_bytes)),
                     _mm256_castsi256_si128(packed));
  }
  has_upper_case = _mm256_movemask_epi8(_mm256_slli_epi16(upper_seen, 2)) != 0;
  return done_bytes;
}

/// 16 bytes to 32 digits a step.
__attribute__((target("avx2"))) std::size_t hex_avx2(Bytes bytes, char* output) noexcept {
  const __m256i digits = _mm256_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a',
                                          'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5',
                                          '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f');
  std::size_t done = 0;
  for (; done + 16 <= bytes.size(); done += 16) {
    const __m256i wide = _mm256_cvtepu8_epi16(_mm_loadu_si128(
        static_cast<const __m128i*>(static_cast<const void*>(bytes.data() + done))));
    // Each 16-bit lane: high nibble in its low byte, low nibble in its high byte.
    const __m256i nibbles =
        _mm256_and_si256(_mm256_or_si256(_mm256_srli_epi16(wide, 4), _mm256_slli_epi16(wide, 8)),
                         _mm256_set1_epi16(0x0f0f));
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(output + 2 * done)),
                        _mm256_shuffle_epi8(digits, nibbles));
  }
  return done;
}
#endif

}  // namespace

HexText bytes_from_hex_portable(std::span<const char> text, MutableBytes output) noexcept {
  const HexText result = unhex_from(text.first(text.size() / 2 * 2), output, 0, false);
  if (result.error.failed() || text.size() % 2 == 0) return result;
  return {odd_length(text.size()), result.has_upper_case};
}

HexText bytes_from_hex(std::span<const char> text, MutableBytes output) noexcept {
#if ANTARA_X86
  if (cpu_has_avx2()) {
    bool has_upper_case = false;
    const std::size_t done = unhex_avx2(text, output, has_upper_case);
    const HexText result = unhex_from(text.first(text.size() / 2 * 2), output, done, has_upper_case);
    if (result.error.failed() || text.size() % 2 == 0) return result;
    return {odd_length(text.size()), result.has_upper_case};
  }
#endif
  return bytes_from_hex_portable(text, output);
}

void hex_from_bytes(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
#if ANTARA_X86
  if (cpu_has_avx2()) done = hex_avx2(bytes, output);
#endif
  for (; done < bytes.size(); ++done) {
    const DigitPair pair = digit_pairs[bytes[done]];
    output[2 * done] = pair.high;
    output[2 * done + 1] = pair.low;
  }
}

void reversed_hex_from_bytes(Bytes bytes, char* output) noexcept {
  for (std::size_t index = bytes.size(); index > 0; --index) {
    const DigitPair pair = digit_pairs[bytes[index - 1]];
    *output++ = pair.high;
    *output++ = pair.low;
  }
}

}  // namespace antara
