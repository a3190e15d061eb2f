#pragma once

#include <cstddef>

// A build of native/secrets runs under valgrind with private keys marked as undefined, so valgrind
// reports every branch and every index that depends on them. There, `declassify` marks a result as
// public. In every other build it does nothing.

#ifdef ANTARA_SECRETS
#include <valgrind/memcheck.h>
#endif

namespace antara {

inline void declassify([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef ANTARA_SECRETS
  VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
#endif
}

}  // namespace antara
