#pragma once

#include "base/bytes.h"
#include "script/opcodes.h"

namespace antara {

/// One step of a script.
struct ScriptOp {
  std::uint8_t opcode = 0;
  Bytes data;  // empty unless the step is a push

  [[nodiscard]] bool is_push() const noexcept { return opcode <= op_pushdata4; }
  /// Returns true for a push whose opcode is its length, 1 to 75.
  [[nodiscard]] bool is_direct_push() const noexcept { return opcode > 0 && opcode < op_pushdata1; }
  /// Returns true for OP_1 to OP_16.
  [[nodiscard]] bool is_small_number() const noexcept { return opcode >= op_1 && opcode <= op_16; }
  [[nodiscard]] unsigned small_number() const noexcept { return opcode - op_1 + 1U; }
};

/// Steps through a script as the daemon does.
///
/// A push that reaches beyond the end sets `malformed()`, and nothing after it is read.
/// source: komodo src/script/script.h, CScript::GetOp2
class ScriptReader {
 public:
  explicit ScriptReader(Bytes script) noexcept : script_(script) {}

  [[nodiscard]] bool at_end() const noexcept { return position_ == script_.size(); }
  [[nodiscard]] bool malformed() const noexcept { return malformed_; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

  /// Reads the next step into `op`; false at the end and after a malformed push.
  [[nodiscard]] bool next(ScriptOp& op) noexcept;

 private:
  Bytes script_;
  std::size_t position_ = 0;
  bool malformed_ = false;
};

/// Returns true if `script` contains only pushes, including OP_1NEGATE, OP_RESERVED and OP_1 to
/// OP_16.
/// source: komodo src/script/script.cpp, CScript::IsPushOnly
[[nodiscard]] bool is_push_only(Bytes script) noexcept;

}  // namespace antara
