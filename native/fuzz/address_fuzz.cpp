// Any payload becomes an address that spells it, read digit by digit.

#include <string>

#include "numbers.h"
#include "script/address.h"
#include "spelled_address.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace antara;
  std::array<std::uint8_t, address_payload_bytes> payload{};
  std::copy_n(data, std::min(size, payload.size()), payload.begin());
  std::string text;
  append_address(payload, text);
  fuzz::require(text.size() <= address_characters_max && fuzz::spells(text, payload));
  return 0;
}
