#include "base/wipe.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace antara {

void wipe(void* memory, std::size_t bytes) noexcept {
  std::memset(memory, 0, bytes);
  // The compiler must assume that this reads the memory.
  asm volatile("" : : "r"(memory) : "memory");
}

// Inlined, it would overwrite a part of its caller's frame instead.
[[gnu::noinline]] void wipe_stack() noexcept {
  std::array<std::uint8_t, wiped_stack_bytes> room;
  wipe(room.data(), room.size());
}

}  // namespace antara
