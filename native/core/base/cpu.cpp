#include "base/cpu.h"

#if ANTARA_X86
#include <cpuid.h>
#endif

namespace antara {

#if ANTARA_X86
namespace {

bool detect_sha_ni() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  // Intel SDM volume 2A, CPUID leaf 7, sub-leaf 0: EBX bit 29 is SHA.
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (ebx & (1U << 29)) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

}  // namespace

bool cpu_has_avx2() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

bool cpu_has_sha_ni() noexcept {
  static const bool has = detect_sha_ni();
  return has;
}
#else
bool cpu_has_avx2() noexcept { return false; }
bool cpu_has_sha_ni() noexcept { return false; }
#endif

}  // namespace antara
