// Shows that a private key, its seed and everything computed from them leave the stack. A function
// runs twice on the same painted stack, with two keys. Bytes that differ afterwards depend on the
// key, so they must belong to the answer, which is public. A byte counts if it differs each time,
// because musl leaves the thread's number there if a new thread has to wait. libsecp256k1 alone,
// without the wiping, leaves others: `plain` shows that the search finds them.
// test/process/signing/secrets.test.ts runs this.
//
// usage   key_residue derive|sign|plain
// output  bytes that depend on the key, and bytes of the stack that were written

#include <pthread.h>
#include <secp256k1.h>

#include <algorithm>

#include "base/wipe.h"
#include "bytes/hex.h"
#include "seam_call.h"

namespace {

using namespace antara;
using namespace antara::secrets;

constexpr std::size_t stack_bytes = 1 << 20;
constexpr std::uint8_t paint = 0xa5;

/// Arguments of a run. All runs share one, because its addresses are left on the stack.
struct Shared {
  std::string_view mode;
  Bytes32 key{};
  Bytes32 seed{};
  Caller caller;
  secp256k1_context* context = nullptr;
  const std::uint8_t* frame = nullptr;
  std::array<std::uint8_t, 64> plain_answer{};
};

/// A run on a stack of its own: the bytes below its first frame afterwards, and its answer.
struct Run {
  Bytes32 key{};
  Bytes32 seed{};
  std::vector<std::uint8_t> answer;
  std::vector<std::uint8_t> below;
};

[[gnu::noinline]] void sign_plainly(Shared& shared) {
  const Bytes32 hash{1};
  secp256k1_ecdsa_signature made;
  if (secp256k1_ecdsa_sign(shared.context, &made, hash.data(), shared.key.data(), nullptr,
                           nullptr) == 0) {
    std::abort();
  }
  secp256k1_ecdsa_signature_serialize_compact(shared.context, shared.plain_answer.data(), &made);
}

void* on_own_stack(void* argument) {
  Shared& shared = *static_cast<Shared*>(argument);
  shared.frame = static_cast<const std::uint8_t*>(__builtin_frame_address(0));
  if (shared.mode == "plain") {
    sign_plainly(shared);
  } else {
    shared.caller.use(shared.mode == "sign" ? Use::sign : Use::derive, shared.key, shared.seed);
  }
  return nullptr;
}

void start(Run& run, Shared& shared, std::vector<std::uint8_t>& stack) {
  shared.key = run.key;
  shared.seed = run.seed;
  std::fill(stack.begin(), stack.end(), paint);
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack.data(), stack.size()) != 0 ||
      pthread_create(&thread, &attributes, on_own_stack, &shared) != 0 ||
      pthread_join(thread, nullptr) != 0) {
    std::abort();
  }
  run.below.assign(static_cast<const std::uint8_t*>(stack.data()), shared.frame);
  if (shared.mode == "plain") {
    run.answer.assign(shared.plain_answer.begin(), shared.plain_answer.end());
    return;
  }
  const std::string hex = shared.caller.answer();
  run.answer.resize(hex.size() / 2);
  if (bytes_from_hex(hex, run.answer).error.failed()) std::abort();
}

/// A window of the answer that is found on the stack. A part of the answer may be overwritten
/// there.
constexpr std::size_t window = 8;

/// Marks the places where both runs have the same part of their answers: big-endian, or as
/// libsecp256k1 holds numbers, little-endian.
std::vector<bool> answers_in(const Run& one, const Run& other) {
  std::vector<bool> marked(one.below.size());
  const auto is_at = [](const std::vector<std::uint8_t>& part, const Run& run, std::size_t at) {
    return std::equal(part.begin(), part.end(),
                      run.below.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto part_of = [](const Run& run, std::size_t from, bool is_reversed) {
    const auto first = run.answer.begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<std::uint8_t> part(first, first + window);
    if (is_reversed) std::reverse(part.begin(), part.end());
    return part;
  };
  for (const bool is_reversed : {false, true}) {
    for (std::size_t from = 0; from + window <= one.answer.size(); ++from) {
      const auto first = part_of(one, from, is_reversed);
      const auto second = part_of(other, from, is_reversed);
      for (std::size_t at = 0; at + window <= one.below.size(); ++at) {
        if (one.below[at] == other.below[at] || !is_at(first, one, at)) continue;
        if (is_at(second, other, at)) {
          std::fill_n(marked.begin() + static_cast<std::ptrdiff_t>(at), window, true);
        }
      }
    }
  }
  return marked;
}

/// Keeps the mark of those bytes that differ between two runs and belong to no answer.
void keep_differing(std::vector<bool>& marks, const Run& one, const Run& other) {
  if (one.below.size() != marks.size() || other.below.size() != marks.size()) std::abort();
  const std::vector<bool> answers = answers_in(one, other);
  for (std::size_t at = 0; at < marks.size(); ++at) {
    if (one.below[at] == other.below[at] || answers[at]) marks[at] = false;
  }
}

constexpr int repetitions = 3;

}  // namespace

int main(int count, char** arguments) {
  const std::string_view mode = count == 2 ? arguments[1] : "";
  if (mode != "derive" && mode != "sign" && mode != "plain") return 2;
  // Not on the stack, so that nothing but a run itself puts a key there.
  static Shared shared;
  shared.mode = mode;
  shared.context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
  std::array<Run, 3> runs;
  for (Run& run : runs) {
    run.key.fill(0x11);
    run.seed.fill(0x22);
  }
  for (std::size_t at = 0; at < 32; ++at) {
    runs[1].key[at] = static_cast<std::uint8_t>(0xe7 - 3 * at);
    runs[2].seed[at] = static_cast<std::uint8_t>(0x91 + 5 * at);
  }
  std::vector<std::uint8_t> stack(stack_bytes);
  // The first run fills caches of the C library, and is done again.
  start(runs[0], shared, stack);
  std::vector<bool> by_key(runs[0].below.size(), true);
  std::vector<bool> by_seed = by_key;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (Run& run : runs) start(run, shared, stack);
    keep_differing(by_key, runs[0], runs[1]);
    keep_differing(by_seed, runs[0], runs[2]);
  }
  const auto written = std::find_if(runs[0].below.begin(), runs[0].below.end(),
                                    [](std::uint8_t byte) { return byte != paint; });
  std::printf("%td bytes depend on the key, %td on the seed; %td were written, %zu are wiped\n",
              std::count(by_key.begin(), by_key.end(), true),
              std::count(by_seed.begin(), by_seed.end(), true), runs[0].below.end() - written,
              wiped_stack_bytes);
  secp256k1_context_destroy(shared.context);
  return 0;
}
