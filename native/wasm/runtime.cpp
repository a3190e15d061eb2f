// Functions that the C and C++ libraries would otherwise import, or that would pull in code to
// report errors. Here, a failure that cannot continue is a trap, which the caller sees.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) {
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  __builtin_trap();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {

void abort() { __builtin_trap(); }

// libc++abi calls this if its runtime is broken. The original would write to a console.
void __abort_message(const char*, ...) { __builtin_trap(); }

// The compiler's own 128-bit routines check the stack against this value.
std::uintptr_t __stack_chk_guard = 0x5eed5afe;
void __stack_chk_fail() { __builtin_trap(); }

// libsecp256k1 calls these for arguments that break its contract, and for broken hardware.
void secp256k1_default_illegal_callback_fn(const char*, void*) { __builtin_trap(); }
void secp256k1_default_error_callback_fn(const char*, void*) { __builtin_trap(); }
}

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
