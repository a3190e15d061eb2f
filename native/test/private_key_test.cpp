// Signatures and public keys from private keys. Vectors: test/vectors/signing/rfc6979.json; public
// keys are those of SEC 2, section 2.4.1 (key 1) and of its mirror image (the order minus 1).

#include "sign/private_key.h"

#include <algorithm>

#include "base/wipe.h"
#include "check.h"
#include "hex_text.h"
#include "json.h"

namespace {

using namespace antara;
using namespace antara::test;

using Bytes32 = std::array<std::uint8_t, 32>;

constexpr std::string_view order =
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
constexpr std::string_view order_minus_1 =
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";
constexpr std::string_view generator_x =
    "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
constexpr std::string_view generator_y =
    "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
constexpr std::string_view mirrored_y =
    "b7c52588d95c3b9aa25b0403f1eef75702e84bb7597aabe663b82f6f04ef2777";

Bytes32 bytes32(std::string_view text) {
  const Buffer bytes = unhex(text);
  Bytes32 result{};
  std::copy(bytes.begin(), bytes.end(), result.end() - static_cast<std::ptrdiff_t>(bytes.size()));
  return result;
}

constexpr Bytes32 seed{7};

void signs_published_hashes() {
  const Json vectors = read_vectors("signing/rfc6979.json");
  for (const Json& row : vectors["hashes"].list) {
    const Bytes32 key = bytes32(row["d"].text);
    for (const int fill : {0, 1, 0xff}) {
      Bytes32 any_seed;
      any_seed.fill(static_cast<std::uint8_t>(fill));
      SignatureBytes signature;
      CHECK(!sign_hash({key, any_seed}, bytes32(row["m"].text), signature).failed());
      CHECK(hex(signature) == row["signature"].text);
    }
  }
  CHECK(vectors["hashes"].list.size() == 9);
}

void derives_known_keys() {
  UncompressedKey key;
  CHECK(!derive_public_key({bytes32("01"), seed}, key).failed());
  CHECK(hex(key) == "04" + std::string(generator_x) + std::string(generator_y));
  CHECK(!derive_public_key({bytes32(order_minus_1), seed}, key).failed());
  CHECK(hex(key) == "04" + std::string(generator_x) + std::string(mirrored_y));
}

void refuses_numbers_that_are_no_keys() {
  const Error refused{ErrorCode::malformed_private_key, 0};
  for (const std::string_view number : {std::string_view("00"), order}) {
    const Bytes32 none = bytes32(number);
    UncompressedKey key;
    SignatureBytes signature;
    CHECK(derive_public_key({none, seed}, key) == refused);
    CHECK(sign_hash({none, seed}, Hash256{}, signature) == refused);
  }
  Bytes32 largest;
  largest.fill(0xff);
  SignatureBytes signature;
  CHECK(sign_hash({largest, seed}, Hash256{}, signature) == refused);
}

void wipes_all_bytes() {
  std::array<std::uint8_t, 67> memory;
  memory.fill(0xa5);
  wipe(memory.data() + 1, memory.size() - 2);
  CHECK(memory.front() == 0xa5 && memory.back() == 0xa5);
  CHECK(std::count(memory.begin(), memory.end(), std::uint8_t{0}) == 65);
}

}  // namespace

int main() {
  signs_published_hashes();
  derives_known_keys();
  refuses_numbers_that_are_no_keys();
  wipes_all_bytes();
  return report();
}
