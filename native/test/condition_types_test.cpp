// Which numbers are types of conditions. source: komodo
// src/cryptoconditions/src/asn/CryptoConditions.asn; tokel the same, with secp256k1hash

#include "cc/condition_types.h"

#include <set>

#include "check.h"

namespace {

using namespace antara;

// A caller's word has 32 bits, and a processor shifts by the lowest five of them.
void only_known_numbers_are_types() {
  const std::set<unsigned> known{0, 1, 2, 3, 4, 5, 6, 15};
  for (unsigned number = 0; number <= 300; ++number) {
    const std::optional<ConditionType> type = condition_type(number);
    CHECK(type.has_value() == known.contains(number));
    if (type) CHECK(static_cast<unsigned>(*type) == number);
  }
  CHECK(!condition_type(0x80000000));
  CHECK(!condition_type(0xffffffff));
}

}  // namespace

int main() {
  only_known_numbers_are_types();
  return antara::test::report();
}
