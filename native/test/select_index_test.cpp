// An index of coins that is kept between selections: what it refuses, and what adding and removing
// coins does to it.

#include <functional>
#include <limits>
#include <numeric>

#include "check.h"
#include "select/pool.h"
#include "select/select_coins.h"
#include "select_pools.h"

namespace {

using namespace antara;
using namespace antara::test;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

void absurd_coins_are_refused() {
  struct Case {
    const char* name;
    Values values;
    Sizes sizes;
    Error error;
  };
  const std::vector<Case> cases{
      {"zero", {5, 0, 5}, {}, {ErrorCode::coin_value_out_of_range, 1}},
      {"negative", {-1}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"least",
       {1, std::numeric_limits<std::int64_t>::min()},
       {},
       {ErrorCode::coin_value_out_of_range, 1}},
      {"2^63 - 1", {int64_max}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"one too many", {amount_max + 1}, {}, {ErrorCode::coin_value_out_of_range, 0}},
      {"the most", {amount_max}, {}, {}},
      {"sum just fits", {amount_max - 1, 1}, {}, {}},
      {"sum is too large", {amount_max - 1, 1, 1}, {}, {ErrorCode::coin_sum_out_of_range, 2}},
      {"a size over a block", {1, 1}, {148, 4'000'001}, {ErrorCode::input_bytes_out_of_range, 1}},
      {"none", {}, {}, {}},
  };
  for (const Case& test : cases) {
    CoinRuns runs;
    CHECK(runs.assign(test.values, {.same = 148, .each = test.sizes}) == test.error);
  }
  PaymentTerms terms;
  terms.target_sats = 1;
  CHECK(!check_terms(terms).failed());
  const auto refused = [&](const std::function<void(PaymentTerms&)>& spoil, ErrorCode code) {
    PaymentTerms spoiled = terms;
    spoil(spoiled);
    CHECK(check_terms(spoiled).code == code);
  };
  refused([](auto& t) { t.target_sats = 0; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.target_sats = -1; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.fixed_fee_sats = -1; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.change_min_sats = 0; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.change_min_sats = int64_max; }, ErrorCode::payment_out_of_range);
  refused([](auto& t) { t.fee_rate.micro_sats = -1; }, ErrorCode::fee_rate_out_of_range);
  refused([](auto& t) { t.long_term_rate = {int64_max}; }, ErrorCode::fee_rate_out_of_range);
  refused([](auto& t) { t.base_bytes = 4'000'001; }, ErrorCode::input_bytes_out_of_range);
}
/// The contents of runs, to compare an index with what a fresh sort gives.
std::vector<std::pair<std::uint32_t, Values>> contents(const CoinRuns& coins) {
  std::vector<std::pair<std::uint32_t, Values>> result;
  for (const CoinRun& run : coins.runs()) {
    result.emplace_back(run.input_bytes, Values{run.values.begin(), run.values.end()});
  }
  return result;
}

void an_index_follows_its_deltas() {
  Random random = random_of("index");
  for (int round = 0; round < 60; ++round) {
    const std::size_t start = random.below(200);
    Values values = random_values(random, start);
    Sizes sizes = random_sizes(random, start);
    CoinIndex index;
    CHECK(!index.create(values, {.each = sizes}).failed());
    std::vector<std::uint32_t> alive(start);
    std::iota(alive.begin(), alive.end(), 0U);
    for (int step = 0; step < 20; ++step) {
      const std::size_t added = random.below(30);
      const Values new_values = random_values(random, added);
      const Sizes new_sizes = random_sizes(random, added);
      CHECK(index.next_id() == values.size());
      CHECK(!index.add(new_values, {.each = new_sizes}).failed());
      for (std::size_t i = 0; i < added; ++i) {
        alive.push_back(static_cast<std::uint32_t>(values.size()));
        values.push_back(new_values[i]);
        sizes.push_back(new_sizes[i]);
      }
      std::vector<std::uint32_t> removed;
      for (std::uint32_t left = random.below(20); left > 0 && !alive.empty(); --left) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(alive.size()));
        removed.push_back(alive[at]);
        alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(at));
      }
      CHECK(!index.remove(removed).failed());

      Values left_values;
      Sizes left_sizes;
      for (const std::uint32_t id : alive) {
        left_values.push_back(values[id]);
        left_sizes.push_back(sizes[id]);
      }
      CoinRuns fresh;
      CHECK(!fresh.assign(left_values, {.each = left_sizes}).failed());
      CHECK(contents(index.runs()) == contents(fresh));
      CHECK(index.total() == fresh.total());
      CHECK(index.size() == alive.size());
      for (const CoinRun& run : index.runs().runs()) {
        for (std::size_t at = 0; at < run.ids.size(); ++at) {
          CHECK(values[run.ids[at]] == run.values[at] && sizes[run.ids[at]] == run.input_bytes);
        }
      }
      if (removed.empty()) continue;
      const auto before = contents(index.runs());
      std::vector<std::uint32_t> wrong =
          alive.empty() ? removed : std::vector{alive[0], removed[0]};
      CHECK(index.remove(wrong).code == ErrorCode::unknown_coin);
      CHECK(contents(index.runs()) == before);
      if (!alive.empty()) CHECK(index.value_of(alive[0]) == values[alive[0]]);
    }
  }
  CoinIndex index;
  CHECK(!index.create(Values{1, 2}, {.same = 148}).failed());
  CHECK((index.add(Values{3, -1}, {.same = 148}) == Error{ErrorCode::coin_value_out_of_range, 1}));
  CHECK(index.remove(std::vector<std::uint32_t>{1, 1}).code == ErrorCode::unknown_coin);
  CHECK(index.size() == 2 && index.total() == 3 && index.value_of(1) == 2);
}
}  // namespace

int main() {
  absurd_coins_are_refused();
  an_index_follows_its_deltas();
  return antara::test::report();
}
