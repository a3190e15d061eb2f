// Compares selections of up to twelve coins, for any terms, with all subsets of the coins that are
// worth more than their fee. A selection is sound, and no such subset wastes less. Both use the
// same prices; native/test/select_coins_test.cpp computes prices on its own.

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "numbers.h"
#include "select/select_coins.h"

namespace {

using namespace antara;
using namespace antara::fuzz;

// All 2^12 subsets are tried.
constexpr std::size_t coins_max = 12;

PaymentTerms terms_from(Numbers& numbers) {
  PaymentTerms terms;
  const std::uint64_t flags = numbers.take(1);
  // Full width once in a while; mostly amounts and rates as they occur.
  const bool full_width = flags % 16 == 0;
  terms.target_sats = numbers.take_signed(full_width ? 8 : 4);
  terms.fee_rate = {numbers.take_signed(full_width ? 8 : 2) * (full_width ? 1 : 1'000'000)};
  terms.long_term_rate = {numbers.take_signed(full_width ? 8 : 2) * (full_width ? 1 : 1'000'000)};
  terms.base_bytes = numbers.take(full_width ? 4 : 1);
  terms.change_bytes = static_cast<std::uint32_t>(numbers.take(full_width ? 4 : 1));
  terms.change_spend_sats = numbers.take_signed(full_width ? 8 : 2);
  terms.change_min_sats = numbers.take_signed(full_width ? 8 : 2);
  if ((flags & 32) != 0) terms.fixed_fee_sats = numbers.take_signed(2);
  if ((flags & 64) != 0) terms.inputs_max = numbers.take(1) % 8;
  if ((flags & 128) != 0) terms.bytes_max = numbers.take(2);
  return terms;
}

/// The least waste of any subset, in thousandths of a satoshi; false if none will do.
bool least_waste(const std::vector<std::int64_t>& values, const std::vector<std::uint32_t>& sizes,
                 const PaymentTerms& terms, const Pricing& pricing, Units& least) {
  bool found = false;
  for (std::uint32_t set = 1; set < (1U << values.size()); ++set) {
    Units effective = 0;
    Units waste = 0;
    std::uint64_t bytes = terms.base_bytes;
    bool all_worth_spending = true;
    for (std::size_t at = 0; at < values.size(); ++at) {
      if ((set >> at & 1) == 0) continue;
      const Units value = effective_value(pricing, values[at], sizes[at]);
      all_worth_spending = all_worth_spending && value > 0;
      effective += value;
      waste += pricing.extra(sizes[at]);
      bytes += sizes[at];
    }
    const Units target = pricing.fee(terms.base_bytes) +
                         pricing.units(terms.target_sats + terms.fixed_fee_sats.value_or(0));
    if (!all_worth_spending || effective < target) continue;
    const Units change_from =
        pricing.fee(terms.change_bytes) + pricing.units(terms.change_min_sats);
    if (effective - target >= change_from) {
      bytes += terms.change_bytes;
      waste += pricing.price_now(terms.change_bytes) + pricing.units(terms.change_spend_sats);
    } else {
      waste += effective - target;
    }
    if (static_cast<std::size_t>(std::popcount(set)) > terms.inputs_max) continue;
    if (bytes > terms.bytes_max) continue;
    if (!found || waste < least) least = waste;
    found = true;
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers{{data, size}};
  const PaymentTerms terms = terms_from(numbers);
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> sizes;
  while (!numbers.empty() && values.size() < coins_max) {
    const std::uint64_t kind = numbers.take(1);
    values.push_back(numbers.take_signed(kind % 16 == 0 ? 8 : 1 + kind % 4));
    sizes.push_back(static_cast<std::uint32_t>(kind % 16 == 1 ? numbers.take(4) : 34 + kind));
  }
  CoinRuns coins;
  if (const Error error = coins.assign(values, {.each = sizes}); error.failed()) {
    require(error.offset < values.size());
    return 0;
  }
  if (check_terms(terms).failed()) return 0;

  const CoinSelection selection = select_coins(coins, terms, {});
  const Pricing pricing{{.paid = terms.fixed_fee_sats ? FeeRate{} : terms.fee_rate,
                         .now = terms.fee_rate,
                         .long_term = terms.long_term_rate},
                        coins.total()};
  // The sum of huge amounts would overflow, so the parts are compared first.
  const bool reachable = terms.target_sats <= amount_max &&
                         terms.fixed_fee_sats.value_or(0) <= amount_max - terms.target_sats &&
                         terms.target_sats + terms.fixed_fee_sats.value_or(0) <= coins.total();
  Units least = 0;
  const bool found = reachable && least_waste(values, sizes, terms, pricing, least);
  require(found == (selection.failure == ErrorCode::ok));
  if (!found) return 0;

  std::int64_t sum = 0;
  std::uint64_t bytes = terms.base_bytes;
  for (const std::uint32_t id : selection.picked) {
    require(id < values.size());
    sum += values[id];
    bytes += sizes[id];
  }
  const Alternative& chosen = selection.chosen;
  if (chosen.change_sats > 0) bytes += terms.change_bytes;
  require(std::adjacent_find(selection.picked.begin(), selection.picked.end(),
                             std::greater_equal<>{}) == selection.picked.end());
  require(sum == terms.target_sats + chosen.fee_sats + chosen.change_sats);
  require(bytes == chosen.bytes && bytes <= terms.bytes_max);
  require(chosen.change_sats == 0 || chosen.change_sats >= terms.change_min_sats);
  const std::int64_t fee = terms.fixed_fee_sats.value_or(fee_sats(terms.fee_rate, bytes));
  require(chosen.change_sats > 0 ? chosen.fee_sats == fee : chosen.fee_sats >= fee);
  require(chosen.inputs == selection.picked.size());
  require(chosen.waste_sats == pricing.sats(least));
  return 0;
}
