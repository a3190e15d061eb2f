#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hash/ripemd160.h"
#include "hash/sha256.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

Bytes bytes_in(std::string_view text) {
  return {static_cast<const std::uint8_t*>(static_cast<const void*>(text.data())), text.size()};
}

struct Case {
  std::string message;
  std::string_view digest;
};

// FIPS 180-4 examples (NIST "Examples with Intermediate Values").
const std::vector<Case> sha256_cases{
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

// The test values of the RIPEMD-160 paper.
const std::vector<Case> ripemd160_cases{
    {"", "9c1185a5c5e9fc54612808977ee8f548b2258d31"},
    {"a", "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe"},
    {"abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"},
    {"message digest", "5d0689ef49d2fae572b881b123a85ffa21595f36"},
    {"abcdefghijklmnopqrstuvwxyz", "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "12a053384a9c0c88e405a06c27dcf49ada62eb2b"},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
     "b0e20b6e3116640286ed3a87a5713079b21f5189"},
    {std::string(1000000, 'a'), "52783243c1697bdbe16d37f97f68f08325dc1528"},
};

std::vector<std::uint8_t> counting_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t index = 0; index < count; ++index) {
    bytes[index] = static_cast<std::uint8_t>(index * 131 + 7);
  }
  return bytes;
}

}  // namespace

int main() {
  for (const Case& item : sha256_cases) {
    CHECK(hex(sha256(bytes_in(item.message))) == item.digest);
    CHECK(hex(sha256_portable(bytes_in(item.message))) == item.digest);
  }
  for (const Case& item : ripemd160_cases) {
    CHECK(hex(ripemd160(bytes_in(item.message))) == item.digest);
  }

  // Every length around the block boundaries: fast, portable and running agree.
  std::vector<std::vector<std::uint8_t>> messages;
  for (std::size_t length = 0; length < 260; ++length) messages.push_back(counting_bytes(length));
  std::vector<Bytes> views(messages.begin(), messages.end());
  for (std::size_t index = 0; index < views.size(); ++index) {
    const Hash256 once = sha256_portable(views[index]);
    CHECK(sha256(views[index]) == once);
    CHECK(sha256d(views[index]) == sha256_portable(once));
    Sha256 running;
    running.add(views[index].first(index / 3)).add(views[index].subspan(index / 3));
    CHECK(running.finish() == once);
  }
  return antara::test::report();
}
