#include "script/script_reader.h"

namespace antara {

bool ScriptReader::next(ScriptOp& op) noexcept {
  if (malformed_ || at_end()) return false;
  op.opcode = script_[position_];
  op.data = {};
  std::size_t start = position_ + 1;
  if (op.opcode <= op_pushdata4) {
    std::size_t length = op.opcode;
    if (op.opcode >= op_pushdata1) {
      const std::size_t length_bytes = std::size_t{1} << (op.opcode - op_pushdata1);
      if (script_.size() - start < length_bytes) return stop_as_malformed();
      length = 0;
      // The length is little-endian.
      for (std::size_t index = length_bytes; index > 0; --index) {
        length = length << 8 | script_[start + index - 1];
      }
      start += length_bytes;
    }
    if (script_.size() - start < length) return stop_as_malformed();
    op.data = script_.subspan(start, length);
    start += length;
  }
  position_ = start;
  return true;
}

bool ScriptReader::stop_as_malformed() noexcept {
  malformed_ = true;
  return false;
}

bool is_push_only(Bytes script) noexcept {
  ScriptReader reader{script};
  ScriptOp op;
  while (reader.next(op)) {
    if (op.opcode > op_16) return false;
  }
  return !reader.malformed();
}

}  // namespace antara
