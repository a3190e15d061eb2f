#include "hash/blake2b.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

Bytes bytes_in(std::string_view text) {
  return {static_cast<const std::uint8_t*>(static_cast<const void*>(text.data())), text.size()};
}

std::vector<std::uint8_t> counting_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t index = 0; index < count; ++index) {
    bytes[index] = static_cast<std::uint8_t>(index * 131 + 7);
  }
  return bytes;
}

struct Case {
  std::string_view message;
  Personalization personalization;
  std::string_view digest;
};

// The personalization examples of Python's documentation of hashlib, and BLAKE2b-256 of nothing.
const std::vector<Case> personalized_cases{
    {"the same content", personalization("MyApp Files Hash"),
     "20d9cd024d4fb086aae819a1432dd2466de12947831b75c5a30cf2676095d3b4"},
    {"the same content", personalization("MyApp Block Hash"),
     "cf68fb5761b9c44e7878bfb2c4c9aea52264a80b75005e65619778de59f383a3"},
    {"", {}, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
};

void check_published_vectors() {
  // RFC 7693 appendix A.
  CHECK(hex(Blake2b<64>().add(bytes_in("abc")).finish()) ==
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  for (const Case& item : personalized_cases) {
    CHECK(hex(blake2b256(bytes_in(item.message), item.personalization)) == item.digest);
  }
}

// The digests of every length from 0 to 599, hashed together; the value is Python's hashlib's,
// with person=b"ZcashSigHash\xbb\x09\xb8\x76".
void check_every_length_against_hashlib() {
  Personalization sapling = personalization("ZcashSigHash");
  std::copy_n(std::array<std::uint8_t, 4>{0xbb, 0x09, 0xb8, 0x76}.begin(), 4, sapling.begin() + 12);
  Blake2b256 all;
  for (std::size_t length = 0; length < 600; ++length) {
    all.add(blake2b256(counting_bytes(length), sapling));
  }
  CHECK(hex(all.finish()) == "508e68bf6dfac13bcae2bb528cb0fc0218fb2b94954423c1420ec2a02481f1d5");
}

void check_that_pieces_make_the_whole() {
  const std::vector<std::uint8_t> message = counting_bytes(700);
  const Bytes whole = message;
  for (std::size_t length = 0; length <= message.size(); length += 7) {
    const Hash256 at_once = blake2b256(whole.first(length), {});
    for (const std::size_t step : {1U, 63U, 127U, 128U, 129U, 255U, 256U, 257U}) {
      Blake2b256 running;
      for (std::size_t done = 0; done < length; done += step) {
        running.add(whole.subspan(done, std::min(step, length - done)));
      }
      CHECK(running.finish() == at_once);
    }
  }
}

void check_that_a_copy_shares_the_beginning() {
  const std::vector<std::uint8_t> message = counting_bytes(400);
  const Bytes whole = message;
  for (const std::size_t shared : {0U, 1U, 127U, 128U, 129U, 300U}) {
    const Blake2b256 beginning = Blake2b256().add(whole.first(shared));
    Blake2b256 first = beginning;
    Blake2b256 second = beginning;
    CHECK(first.add(whole.subspan(shared)).finish() == blake2b256(whole, {}));
    CHECK(second.finish() == blake2b256(whole.first(shared), {}));
  }
}

// One after another is held to hashlib above; side by side must give the same, whatever is mixed.
void check_that_side_by_side_is_one_by_one() {
  const std::vector<std::uint8_t> message = counting_bytes(800);
  const Bytes whole = message;
  for (const std::size_t shared : {0U, 1U, 92U, 127U, 128U, 129U, 220U, 300U}) {
    const Blake2b256 beginning =
        Blake2b256(personalization("side by side")).add(whole.first(shared));
    for (std::size_t count = 0; count < 10; ++count) {
      for (const std::size_t length : {0U, 1U, 35U, 36U, 37U, 74U, 128U, 164U, 256U, 400U}) {
        // All of one length, then every third shorter.
        for (const std::size_t shortened : {0U, 1U}) {
          std::vector<Bytes> rests;
          for (std::size_t index = 0; index < count; ++index) {
            const bool is_shorter = shortened != 0 && index % 3 == 2 && length > 0;
            rests.push_back(whole.subspan(index, is_shorter ? length - 1 : length));
          }
          std::vector<Hash256> digests(count);
          beginning.finish_each(rests, digests);
          for (std::size_t index = 0; index < count; ++index) {
            Blake2b256 one = beginning;
            CHECK(digests[index] == one.add(rests[index]).finish());
          }
        }
      }
    }
  }
}

}  // namespace

int main() {
  check_published_vectors();
  check_every_length_against_hashlib();
  check_that_pieces_make_the_whole();
  check_that_a_copy_shares_the_beginning();
  check_that_side_by_side_is_one_by_one();
  return antara::test::report();
}
