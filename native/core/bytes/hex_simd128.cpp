#include "bytes/hex_simd128.h"

#if ANTARA_SIMD128

#include <wasm_simd128.h>

#include <algorithm>

namespace antara::hex_simd128 {
namespace {

constexpr std::size_t step_bytes = 16;

/// The properties of all digits seen so far, tested once at the end rather than at every step.
struct DigitsSeen {
  v128_t largest_value = wasm_i8x16_splat(0);
  v128_t common_bits = wasm_i8x16_splat(-1);

  [[nodiscard]] bool all_are_hex() const noexcept {
    return !wasm_v128_any_true(wasm_u8x16_gt(largest_value, wasm_i8x16_splat(15)));
  }
  /// Only A-F, of all hex digits, lack bit 0x20.
  [[nodiscard]] bool has_upper_case() const noexcept {
    return wasm_i8x16_bitmask(wasm_i16x8_shl(common_bits, 2)) != 0xffff;
  }
};

/// Returns 16 digits as 16-bit lanes of one byte value each, and records in `seen` whether all are
/// digits.
v128_t values(const char* text, DigitsSeen& seen) noexcept {
  const v128_t digits = wasm_v128_load(text);
  // '0'..'9' become 0xf6..0xff, then 0xf0..0xf9, then 0..9; all else ends above 15.
  const v128_t shifted = wasm_i8x16_add(digits, wasm_i8x16_splat('\xff' - '9'));
  const v128_t decimal =
      wasm_i8x16_sub(wasm_u8x16_sub_sat(shifted, wasm_i8x16_splat(6)), wasm_u8x16_splat(0xf0));
  // 'a'..'f' of either case become 0..5, then 10..15; all else ends above 15 here too.
  const v128_t letter =
      wasm_i8x16_sub(wasm_v128_or(digits, wasm_i8x16_splat(0x20)), wasm_i8x16_splat('a'));
  const v128_t value = wasm_u8x16_min(decimal, wasm_u8x16_add_sat(letter, wasm_i8x16_splat(10)));
  seen.largest_value = wasm_u8x16_max(seen.largest_value, value);
  seen.common_bits = wasm_v128_and(seen.common_bits, digits);
  // Each 16-bit lane: first digit * 16 + second digit.
  return wasm_v128_and(wasm_v128_or(wasm_i16x8_shl(value, 4), wasm_u16x8_shr(value, 8)),
                       wasm_i16x8_splat(0xff));
}

/// Writes 16 bytes as 32 digits.
void write_step(v128_t bytes, char* output) noexcept {
  const v128_t digits = wasm_i8x16_make('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b',
                                        'c', 'd', 'e', 'f');
  const v128_t high = wasm_i8x16_swizzle(digits, wasm_u8x16_shr(bytes, 4));
  const v128_t low = wasm_i8x16_swizzle(digits, wasm_v128_and(bytes, wasm_i8x16_splat(15)));
  wasm_v128_store(output, wasm_i8x16_shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                             22, 7, 23));
  wasm_v128_store(output + step_bytes, wasm_i8x16_shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27,
                                                          12, 28, 13, 29, 14, 30, 15, 31));
}

}  // namespace

bool unhex(std::span<const char> text, MutableBytes output, bool& has_upper_case) noexcept {
  const std::size_t bytes = text.size() / 2;
  if (bytes < step_bytes) return false;
  DigitsSeen seen;
  for (std::size_t done = 0; done < bytes; done += step_bytes) {
    // The last step starts earlier, so that it ends at the end of the text.
    const std::size_t start = std::min(done, bytes - step_bytes);
    const char* from = text.data() + 2 * start;
    const v128_t first = values(from, seen);
    const v128_t second = values(from + step_bytes, seen);
    wasm_v128_store(output.data() + start, wasm_u8x16_narrow_i16x8(first, second));
  }
  has_upper_case = seen.has_upper_case();
  return seen.all_are_hex();
}

std::size_t write_digits(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
  for (; done + step_bytes <= bytes.size(); done += step_bytes) {
    write_step(wasm_v128_load(bytes.data() + done), output + 2 * done);
  }
  return done;
}

std::size_t write_reversed_digits(Bytes bytes, char* output) noexcept {
  std::size_t done = 0;
  for (; done + step_bytes <= bytes.size(); done += step_bytes) {
    const v128_t block = wasm_v128_load(bytes.data() + (bytes.size() - done - step_bytes));
    write_step(
        wasm_i8x16_shuffle(block, block, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
        output + 2 * done);
  }
  return done;
}

}  // namespace antara::hex_simd128

#endif
