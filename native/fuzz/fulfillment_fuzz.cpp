#include <algorithm>
#include <cstdlib>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "cc/policy.h"

namespace {

using namespace antara;

/// A fulfillment is written back byte for byte. In either form its condition can be read, and the
/// other form, if it can be written, has the same condition.
void check(Bytes input, FulfillmentForm form) {
  const Result<ConditionTree> tree = decode_fulfillment(input, form);
  if (!tree.ok()) return;
  const Result<std::vector<Condition>> conditions = conditions_of(tree.value());
  if (!conditions.ok()) return;
  const Condition& condition = conditions.value().front();
  std::vector<std::uint8_t> written;
  write_condition(condition, written);
  const Result<Condition> read = decode_condition(written);
  if (!read.ok() || read.value() != condition) std::abort();
  static_cast<void>(may_spend_with(tree.value()));
  for (const FulfillmentForm other : {FulfillmentForm::plain, FulfillmentForm::mixed}) {
    const Result<std::vector<std::uint8_t>> bytes = encode_fulfillment(tree.value(), other);
    if (!bytes.ok()) {
      if (other == form) std::abort();
      continue;
    }
    if (other == form &&
        !std::equal(input.begin(), input.end(), bytes.value().begin(), bytes.value().end())) {
      std::abort();
    }
    const Result<ConditionTree> again = decode_fulfillment(bytes.value(), other);
    if (!again.ok() || conditions_of(again.value()).value().front() != condition) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check({data, size}, FulfillmentForm::plain);
  check({data, size}, FulfillmentForm::mixed);
  return 0;
}
