#pragma once

// Bytes as tests write them down: in hex.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "bytes/hex.h"
#include "check.h"

namespace antara::test {

using Buffer = std::vector<std::uint8_t>;

inline Buffer unhex(std::string_view text) {
  Buffer bytes(text.size() / 2);
  CHECK(!bytes_from_hex(std::span<const char>{text.data(), text.size()}, bytes).error.failed());
  return bytes;
}

inline std::string hex(Bytes bytes) {
  std::string text(bytes.size() * 2, '\0');
  hex_from_bytes(bytes, text.data());
  return text;
}

}  // namespace antara::test
