#pragma once

#include <vector>

#include "seam/call.h"
#include "verify/input_verifier.h"

namespace antara::seam {

/// A transaction, parsed into the state's layout, and the terms of the call.
struct SigningCall {
  Bytes raw;
  std::uint32_t hash_type = 0;
  std::uint32_t branch_id = 0;  // the given one, or else that of the version
  std::uint32_t selector = 0;   // an input's index, or the condition support
  std::vector<Prevout> prevouts;
};

/// The number of previous outputs that a function takes.
enum class Prevouts : std::uint8_t { one, of_each_input };

/// Reads a transaction, the hex of the scripts that it spends, and the words of the call.
/// errors: those of parsing; prevout_count_mismatch, with the number of inputs
[[nodiscard]] Outcome read_signing_call(Call& call, Prevouts expected, SigningCall& signing);

}  // namespace antara::seam
