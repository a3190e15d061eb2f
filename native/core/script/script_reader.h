#pragma once

#include "base/bytes.h"
#include "script/opcodes.h"

namespace antara {

/// One operation of a script: an opcode and the data that it pushes.
struct ScriptOp {
  std::uint8_t opcode = 0;
  Bytes data;  // empty unless it is a data push

  /// Returns true for OP_0 to OP_PUSHDATA4, which push bytes of the script. OP_1NEGATE and OP_1 to
  /// OP_16, which push a number, are not among them.
  [[nodiscard]] bool is_data_push() const noexcept { return opcode <= op_pushdata4; }
  /// Returns true for a data push whose opcode is its length, 1 to 75.
  [[nodiscard]] bool is_direct_push() const noexcept { return opcode > 0 && opcode < op_pushdata1; }
  /// Returns true for OP_1 to OP_16.
  [[nodiscard]] bool is_small_number() const noexcept { return opcode >= op_1 && opcode <= op_16; }
  /// Returns 1 to 16; only for an operation with `is_small_number()`.
  [[nodiscard]] unsigned small_number() const noexcept { return opcode - op_1 + 1U; }
};

/// Reads the operations of a script one after another, as the daemon does. A push that reaches
/// beyond the end sets `malformed()` and ends the reading.
/// source: komodo src/script/script.h, CScript::GetOp2
class ScriptReader {
 public:
  explicit ScriptReader(Bytes script) noexcept : script_(script) {}

  [[nodiscard]] bool at_end() const noexcept { return position_ == script_.size(); }
  [[nodiscard]] bool malformed() const noexcept { return malformed_; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

  /// Reads the next operation into `op`. Returns false at the end, and at a malformed push and
  /// after it.
  [[nodiscard]] bool next(ScriptOp& op) noexcept;

 private:
  bool stop_as_malformed() noexcept;

  Bytes script_;
  std::size_t position_ = 0;
  bool malformed_ = false;
};

/// Returns true if `script` contains only operations up to OP_16. The daemon counts all of them as
/// pushes: data pushes, OP_1NEGATE, OP_RESERVED and OP_1 to OP_16.
/// source: komodo src/script/script.cpp, CScript::IsPushOnly
[[nodiscard]] bool is_push_only(Bytes script) noexcept;

}  // namespace antara
