#pragma once

#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace antara {

/// The scriptPubKey that holds tokens for any one of `pubkeys`.
///
/// shape     push(condition) OP_CHECKCRYPTOCONDITION, of a threshold over an eval condition for
///           each code and a 1-of-n threshold over the keys; all of it must be fulfilled
/// errors    condition_public_key, condition_members; offsets are node indexes
/// source    komodo src/cc/CCtokenutils.cpp, MakeTokensCCcond1 and MakeTokensCCcond1of2;
///           src/cc/CCutils.cpp, CCPubKey
[[nodiscard]] Result<std::vector<std::uint8_t>> token_script(Bytes eval_codes,
                                                             std::span<const Bytes> pubkeys);

}  // namespace antara
