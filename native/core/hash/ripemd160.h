#pragma once

#include "base/bytes.h"

namespace antara {

/// RIPEMD-160 of `bytes`. source: "RIPEMD-160: A Strengthened Version of RIPEMD", 1996
[[nodiscard]] Hash160 ripemd160(Bytes bytes) noexcept;

/// RIPEMD-160 of the SHA-256 of `bytes`: the hash inside addresses.
[[nodiscard]] Hash160 hash160(Bytes bytes) noexcept;

}  // namespace antara
