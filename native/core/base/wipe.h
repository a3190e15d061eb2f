#pragma once

#include <cstddef>

namespace antara {

/// Overwrites memory with zeros. No compiler can leave that out, although nothing reads the zeros.
void wipe(void* memory, std::size_t bytes) noexcept;

/// Bytes of the stack that `wipe_stack` overwrites. Signing uses at most half of them;
/// native/secrets/key_residue.cpp measures it.
inline constexpr std::size_t wiped_stack_bytes = 16384;

/// Overwrites the stack below the caller's frame, where functions that have returned kept their
/// variables.
void wipe_stack() noexcept;

}  // namespace antara
