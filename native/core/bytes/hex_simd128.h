#pragma once

#include "base/bytes.h"

// Hex with the vectors of 128 bits that WebAssembly has; hex.cpp has the same for AVX2.

#if defined(__wasm_simd128__)
#define ANTARA_SIMD128 1
#else
#define ANTARA_SIMD128 0
#endif

namespace antara::hex_simd128 {

#if ANTARA_SIMD128
/// Decodes all text; returns false if a character is not a digit or the text is short.
[[nodiscard]] bool unhex(std::span<const char> text, MutableBytes output,
                         bool& has_upper_case) noexcept;

/// Writes bytes from the start as digits. Returns their number.
[[nodiscard]] std::size_t write_digits(Bytes bytes, char* output) noexcept;

/// Writes bytes from the end as digits, the last byte first. Returns their number.
[[nodiscard]] std::size_t write_reversed_digits(Bytes bytes, char* output) noexcept;
#endif

}  // namespace antara::hex_simd128
