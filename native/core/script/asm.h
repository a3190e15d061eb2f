#pragma once

#include <string>

#include "base/bytes.h"

namespace antara {

/// `shown` prints the name of a signature's hash type in the place of its byte, as in
/// `3045...[ALL]`.
enum class SighashSuffix : bool { hidden, shown };

/// Appends the daemon's text form of a script to `output`. A push that cannot be read ends the text
/// with `[error]`. Scripts that nobody can spend never show the name of a hash type.
///
/// source: komodo src/core_write.cpp, ScriptToAsmStr
void append_asm(Bytes script, SighashSuffix suffix, std::string& output);

}  // namespace antara
