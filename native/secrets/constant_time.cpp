// Uses a private key and a seed that valgrind takes for undefined, so that it reports every branch
// and every index that depends on them. `branch` and `index` do such a thing, to show that valgrind
// sees it. test/process/signing/secrets.test.ts runs this.
//
// usage  valgrind --error-exitcode=99 constant_time derive|sign|branch|index

#include <valgrind/memcheck.h>

#include "seam_call.h"

namespace {

using namespace antara;
using namespace antara::secrets;

/// Volatile, so that no compiler replaces the branch or the index by arithmetic.
volatile unsigned seen = 0;

int run(std::string_view mode) {
  Bytes32 key;
  Bytes32 seed;
  for (std::size_t at = 0; at < key.size(); ++at) {
    key[at] = static_cast<std::uint8_t>(7 * at + 1);
    seed[at] = static_cast<std::uint8_t>(5 * at + 3);
  }
  VALGRIND_MAKE_MEM_UNDEFINED(key.data(), key.size());
  VALGRIND_MAKE_MEM_UNDEFINED(seed.data(), seed.size());
  if (mode == "branch") {
    if ((key[31] & 1) != 0) seen = 1;
    return 0;
  }
  if (mode == "index") {
    static volatile unsigned table[256] = {};
    seen = table[key[0]];
    return 0;
  }
  if (mode != "derive" && mode != "sign") return 2;
  Caller caller;
  caller.use(mode == "sign" ? Use::sign : Use::derive, key, seed);
  std::printf("%s\n", caller.answer().c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (RUNNING_ON_VALGRIND == 0) {
    std::fprintf(stderr, "run this under valgrind\n");
    return 2;
  }
  return run(count == 2 ? arguments[1] : "");
}
