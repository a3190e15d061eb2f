// Any text un-hexes alike with vector instructions and without: to the same bytes, or to the same
// error in the text. Any bytes become text that un-hexes to them.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "bytes/hex.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

char lower(char digit) {
  return digit >= 'A' && digit <= 'F' ? static_cast<char>(digit + 32) : digit;
}

std::vector<char> hex_of(Bytes bytes) {
  std::vector<char> text(2 * bytes.size());
  hex_from_bytes(bytes, text.data());
  return text;
}

void read_both_ways(std::span<const char> text) {
  // The size is exact, so that the sanitizer sees a byte too much.
  std::vector<std::uint8_t> bytes(text.size() / 2);
  std::vector<std::uint8_t> portable_bytes(text.size() / 2);
  const HexText found = bytes_from_hex(text, bytes);
  const HexText portable = bytes_from_hex_portable(text, portable_bytes);
  require(found.error == portable.error);
  if (found.error.failed()) {
    require(found.error.offset <= text.size() / 2);
    return;
  }
  require(bytes == portable_bytes);
  require(found.has_upper_case == portable.has_upper_case);
  std::vector<char> spelled(text.begin(), text.end());
  std::transform(spelled.begin(), spelled.end(), spelled.begin(), lower);
  require(found.has_upper_case == !std::equal(spelled.begin(), spelled.end(), text.begin()));
  require(hex_of(bytes) == spelled);
}

void write_and_read(Bytes bytes) {
  const std::vector<char> text = hex_of(bytes);
  std::vector<std::uint8_t> returned(bytes.size());
  require(!bytes_from_hex(text, returned).error.failed());
  require(std::equal(returned.begin(), returned.end(), bytes.begin(), bytes.end()));

  std::vector<char> reversed_text(text.size());
  reversed_hex_from_bytes(bytes, reversed_text.data());
  std::reverse(returned.begin(), returned.end());
  require(hex_of(returned) == reversed_text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> text(data, data + size);
  read_both_ways(text);
  write_and_read({data, size});
  return 0;
}
