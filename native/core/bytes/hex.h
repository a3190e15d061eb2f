#pragma once

#include <string>

#include "base/bytes.h"
#include "base/error.h"

namespace antara {

/// The result of reading hex, besides the bytes.
struct HexText {
  Error error;
  /// True when a digit was A-F: such text is valid but not our spelling.
  bool has_upper_case = false;
};

/// Strict hex to bytes: digits of either case, an even number of them, nothing else.
///
/// shape     `output` must hold text.size() / 2 bytes; nothing more is written
/// errors    odd_length_hex at the end, malformed_hex; offsets count bytes, that is digit pairs
/// Uses AVX2 where the CPU has it, the vectors of WebAssembly there.
[[nodiscard]] HexText bytes_from_hex(std::span<const char> text, MutableBytes output) noexcept;

/// Lower-case hex of `bytes` into `output`, which must hold two characters for each.
void hex_from_bytes(Bytes bytes, char* output) noexcept;

/// Lower-case hex of `bytes` in reverse order, as hashes are displayed.
void reversed_hex_from_bytes(Bytes bytes, char* output) noexcept;

/// The portable form that `bytes_from_hex` falls back to; public so that tests compare the two.
[[nodiscard]] HexText bytes_from_hex_portable(std::span<const char> text,
                                              MutableBytes output) noexcept;

}  // namespace antara
