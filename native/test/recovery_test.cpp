// Keys that are recovered from signatures. Vectors: libsecp256k1 0.5.0,
// src/modules/recovery/tests_impl.h, test_ecdsa_recovery_edge_cases; the generator's key is that of
// SEC 2, section 2.4.1.

#include "verify/recovery.h"

#include <algorithm>
#include <string>

#include "check.h"
#include "hex_text.h"
#include "verify/signature.h"

namespace {

using namespace antara;
using namespace antara::test;

// "This is a very secret message..."
constexpr std::string_view message =
    "5468697320697320612076657279207365637265"
    "74206d6573736167652e2e2e";
// Its nonce was used with the secret key 0, so the key of number 1 is of nobody.
constexpr std::string_view r_of_nobody =
    "67cb285f9cd194e840d629397af5569662fde44649995963179a7dd17bd23532";
constexpr std::string_view s_of_nobody =
    "4b1b7df34ce1f68e694ff6f11ac751dd7dd73e387ee4fc866e1be8ecc7dd9557";

constexpr std::string_view order =
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
constexpr std::string_view order_minus_1 =
    "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";

std::string padded(std::string_view number) {
  return std::string(64 - number.size(), '0') + std::string(number);
}

template <typename Bytes>
Bytes bytes_of_hex(std::string_view text) {
  const Buffer bytes = unhex(text);
  Bytes result{};
  CHECK(bytes.size() == result.size());
  std::copy(bytes.begin(), bytes.end(), result.begin());
  return result;
}

struct Recovered {
  bool found;
  RecoveredKey key;
};

Recovered recover(std::string_view r, std::string_view s, unsigned number) {
  Recovered recovered{};
  const auto signature = bytes_of_hex<CompactSignature>(padded(r) + padded(s));
  recovered.found =
      recover_public_key(signature, number, bytes_of_hex<Hash256>(message), recovered.key);
  return recovered;
}

bool signed_by(std::string_view r, std::string_view s, const RecoveredKey& key) {
  PublicKey read;
  CHECK(!read_public_key(key, read).failed());
  return signature_matches(read, bytes_of_hex<CompactSignature>(padded(r) + padded(s)),
                           bytes_of_hex<Hash256>(message));
}

void recovers_the_one_key_of_a_signature() {
  for (const unsigned number : {0u, 1u, 2u, 3u}) {
    const Recovered recovered = recover(r_of_nobody, s_of_nobody, number);
    CHECK(recovered.found == (number == 1));
    if (recovered.found) CHECK(signed_by(r_of_nobody, s_of_nobody, recovered.key));
  }
}

void recovers_each_of_four_keys() {
  Buffer seen;
  for (const unsigned number : {0u, 1u, 2u, 3u}) {
    const Recovered recovered = recover("04", "04", number);
    CHECK(recovered.found);
    CHECK(recovered.key[0] == 4);
    CHECK(signed_by("04", "04", recovered.key));
    CHECK(!signed_by("04", "05", recovered.key));
    CHECK(std::find(seen.begin(), seen.end(), recovered.key[1]) == seen.end());
    seen.push_back(recovered.key[1]);
  }
}

void finds_no_key_beyond_the_range_of_numbers() {
  CHECK(recover("01", "01", 0).found);
  CHECK(recover("01", order_minus_1, 0).found);
  for (const unsigned number : {0u, 1u, 2u, 3u}) {
    for (const std::string_view out_of_range : {std::string_view("00"), order}) {
      CHECK(!recover(out_of_range, "01", number).found);
      CHECK(!recover("01", out_of_range, number).found);
    }
    CHECK(!recover(std::string(64, 'f'), std::string(64, 'f'), number).found);
  }
  // x would be beyond the field.
  CHECK(!recover(order_minus_1, "01", 2).found);
}

void refuses_numbers_that_the_library_would_not_survive() {
  for (const unsigned number : {4u, 5u, 0x7fffffffu, 0xffffffffu}) {
    CHECK(!recover("04", "04", number).found);
  }
}

}  // namespace

int main() {
  recovers_the_one_key_of_a_signature();
  recovers_each_of_four_keys();
  finds_no_key_beyond_the_range_of_numbers();
  refuses_numbers_that_the_library_would_not_survive();
  return report();
}
