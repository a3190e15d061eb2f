// Which numbers are types of conditions, and what is said of one that was not read. source: komodo
// src/cryptoconditions/src/asn/CryptoConditions.asn; tokel the same, with secp256k1hash

#include "cc/condition_types.h"

#include <set>

#include "cc/condition.h"
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

/// Where a condition could not be read, nothing is claimed of it.
void what_was_not_read_claims_nothing() {
  DerReader empty{Bytes{}};
  const Condition unread = read_condition(empty);
  CHECK(empty.failed());
  CHECK(unread.type == ConditionType::preimage && unread.fingerprint == Hash256{});
  CHECK(unread.cost == 0 && unread.subtypes == 0 && unread.type_mask() == 1);
  CHECK(unread.is_canonical);
  DerReader again{Bytes{}};
  const UncheckedCondition raw = read_unchecked_condition(again);
  CHECK(raw.condition == unread);
  CHECK(raw.fingerprint_size == 0 && raw.fingerprint_offset == 0);
}

}  // namespace

int main() {
  only_known_numbers_are_types();
  what_was_not_read_claims_nothing();
  return antara::test::report();
}
