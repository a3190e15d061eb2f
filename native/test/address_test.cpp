// Addresses that others have published, and the number that any address spells.

#include "script/address.h"

#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "fuzz/spelled_address.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

struct Case {
  std::string_view payload;
  std::string_view address;
};

const std::vector<Case> cases{
    // The address that Bitcoin's coins are burned with, and the one of the Bitcoin Wiki,
    // "Technical background of version 1 Bitcoin addresses", as it stood until 2019.
    {"000000000000000000000000000000000000000000", "1111111111111111111114oLvT2"},
    {"00010966776006953d5567439e5e39f86a0d273bee", "16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM"},
    // bitcoin src/test/data/base58_keys_valid.json
    {"0065a16059864a2fdbc7c99a4723a8395bc6f188eb", "1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62i"},
    {"0574f209f6ea907e2ea48f74fae05782ae8a665257", "3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou"},
    {"6f53c0307d6851aa0ce7825ba883c6bd9ad242b486", "mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs"},
};

void check_spelled(Bytes payload) {
  std::string text = "before ";
  append_address(payload.first<address_payload_bytes>(), text);
  CHECK(text.starts_with("before "));
  CHECK(fuzz::spells(std::string_view{text}.substr(7), payload));
}

}  // namespace

int main() {
  for (const auto& [payload, address] : cases) {
    std::string text;
    append_address(Bytes{unhex(payload)}.first<address_payload_bytes>(), text);
    CHECK(text == address);
  }
  // Every number of zeros in front, and of the largest bytes.
  for (const int fill : {0x00, 0x01, 0x39, 0x3a, 0x80, 0xff}) {
    for (std::size_t zeros = 0; zeros <= address_payload_bytes; ++zeros) {
      std::vector<std::uint8_t> payload(address_payload_bytes, static_cast<std::uint8_t>(fill));
      std::fill_n(payload.begin(), zeros, std::uint8_t{0});
      check_spelled(payload);
    }
  }
  return antara::test::report();
}
