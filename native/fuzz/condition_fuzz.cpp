#include <algorithm>
#include <cstdlib>

#include "cc/policy.h"

/// A condition that strict rules read is written back byte for byte; the daemon's rules read the
/// same. One that only the daemon's rules read is written as something that strict rules read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace antara;
  const Bytes input{data, size};
  const Result<Condition> strict = decode_condition(input);
  const Result<Condition> lax = decode_condition(input, DerRules::daemon);
  if (strict.ok()) {
    std::vector<std::uint8_t> written;
    write_condition(strict.value(), written);
    if (!std::equal(written.begin(), written.end(), data, data + size)) std::abort();
    if (!lax.ok() || lax.value() != strict.value()) std::abort();
  } else if (lax.ok()) {
    if (lax.value().is_canonical) std::abort();
    std::vector<std::uint8_t> written;
    write_condition(lax.value(), written);
    const Result<Condition> again = decode_condition(written);
    const bool is_writable = again.ok() || again.error().code == ErrorCode::condition_subtypes ||
                             again.error().code == ErrorCode::der_integer_over_limit;
    if (!is_writable) std::abort();
  }
  for (const ConditionDialect dialect : {ConditionDialect::komodo, ConditionDialect::tokel}) {
    static_cast<void>(may_accept_condition(input, dialect));
  }
  return 0;
}
