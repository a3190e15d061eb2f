#include "base/cpu.h"

#if ANTARA_X86
#include <cpuid.h>
#endif

namespace antara {

#if ANTARA_X86
namespace {

// These bits come from the processor itself: the compiler's __builtin_cpu_supports needs a table
// that only some compilers' runtimes have. Bits as in Intel's SDM, volume 2A, CPUID.
constexpr unsigned sse41_bit = 1U << 19;    // leaf 1, ECX
constexpr unsigned osxsave_bit = 1U << 27;  // leaf 1, ECX
constexpr unsigned avx_bit = 1U << 28;      // leaf 1, ECX
constexpr unsigned avx2_bit = 1U << 5;      // leaf 7, EBX
constexpr unsigned sha_bit = 1U << 29;      // leaf 7, EBX
/// Bits of XCR0 (SDM volume 1, 13.3): the system keeps the XMM and YMM registers of each thread.
constexpr unsigned ymm_state = 0b110;

struct Features {
  unsigned leaf1_ecx;
  unsigned leaf7_ebx;
};

Features features() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return {};
  const unsigned leaf1_ecx = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return {leaf1_ecx, 0};
  return {leaf1_ecx, ebx};
}

/// Call it only if the processor reports OSXSAVE: otherwise the instruction does not exist.
unsigned enabled_state() noexcept {
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool detect_avx2() noexcept {
  const auto [leaf1_ecx, leaf7_ebx] = features();
  if ((leaf1_ecx & osxsave_bit) == 0 || (leaf1_ecx & avx_bit) == 0) return false;
  return (leaf7_ebx & avx2_bit) != 0 && (enabled_state() & ymm_state) == ymm_state;
}

/// These instructions use XMM registers, which every x64 system saves.
bool detect_sha_ni() noexcept {
  const auto [leaf1_ecx, leaf7_ebx] = features();
  return (leaf7_ebx & sha_bit) != 0 && (leaf1_ecx & sse41_bit) != 0;
}

}  // namespace

bool cpu_has_avx2() noexcept {
  static const bool has = detect_avx2();
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
