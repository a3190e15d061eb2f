// Compares the processor's features with those that the system reports: /proc/cpuinfo names a
// feature if the processor has it and the system lets programs use it.

#include "base/cpu.h"

#include <fstream>
#include <sstream>
#include <string>

#include "check.h"

namespace {

bool is_in_cpuinfo(const std::string& feature) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word == feature) return true;
    }
    return false;
  }
  return false;
}

}  // namespace

int main() {
#if ANTARA_X86 && defined(__linux__)
  CHECK(is_in_cpuinfo("sse2"));
  CHECK(antara::cpu_has_avx2() == is_in_cpuinfo("avx2"));
  CHECK(antara::cpu_has_sha_ni() == (is_in_cpuinfo("sha_ni") && is_in_cpuinfo("sse4_1")));
#else
  CHECK(!is_in_cpuinfo("avx2") || !antara::cpu_has_avx2());
#endif
  return antara::test::report();
}
