#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace antara {

/// The first rule that a solution of Equihash breaks, if any.
enum class EquihashVerdict : std::uint32_t {
  valid = 0,
  wrong_length = 1,     ///< not as many bytes as n and k need
  repeated_index = 2,   ///< an index occurs twice
  wrong_order = 3,      ///< a right subtree begins with a smaller index than its left one
  wrong_collision = 4,  ///< the hashes of a subtree do not collide in as many bits as they must
};

/// How the leaves of the puzzle are hashed.
enum class EquihashLeaves : std::uint32_t {
  zcash = 0,  ///< Zcash protocol specification, section 7.7.1, Equihash
  ac_nk = 1,  ///< komodo src/crypto/equihash.cpp, GenerateHash, for chains with the option -ac_nk
};

struct EquihashParameters {
  std::uint32_t n = 200;
  std::uint32_t k = 9;
  EquihashLeaves leaves = EquihashLeaves::zcash;
};

/// Checks the proof of work of a block. The time depends on the parameters alone.
///
/// `input` is the header before the solution. Without a value, n and k are not 200, 9 or 48, 5,
/// the ones of the Komodo family.
///
/// source  Zcash protocol specification, section 7.7.1, Equihash
[[nodiscard]] std::optional<EquihashVerdict> verify_equihash(EquihashParameters parameters,
                                                             Bytes input, Bytes solution) noexcept;

}  // namespace antara
