#pragma once

/// ANTARA_X86 is 1 where the x86 instructions below can be compiled.
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define ANTARA_X86 1
#else
#define ANTARA_X86 0
#endif

namespace antara {

/// Returns true if the CPU has AVX2, and the system keeps the registers that it needs.
[[nodiscard]] bool cpu_has_avx2() noexcept;

/// Returns true if the CPU has the SHA-256 instructions.
[[nodiscard]] bool cpu_has_sha_ni() noexcept;

}  // namespace antara
