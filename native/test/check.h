#pragma once

#include <cstdio>

namespace antara::test {

inline int checks_failed = 0;
inline int checks_run = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
  ++checks_run;
  if (holds) return;
  ++checks_failed;
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

/// The exit status of a test program. A program that checked nothing fails.
inline int report() {
  std::printf("%d checks, %d failed\n", checks_run, checks_failed);
  return checks_failed == 0 && checks_run > 0 ? 0 : 1;
}

}  // namespace antara::test

/// Counts a failure and goes on, so that one run shows all that is wrong.
#define CHECK(condition) ::antara::test::check((condition), #condition, __FILE__, __LINE__)
