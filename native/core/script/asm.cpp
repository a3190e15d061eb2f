#include "script/asm.h"

#include "bytes/hex.h"
#include "script/script_reader.h"

namespace antara {
namespace {

/// komodo src/script/script.h, MAX_SCRIPT_SIZE: anything longer can never be spent.
constexpr std::size_t script_bytes_max = 10000;

/// Strict DER of two positive integers and one more byte, the hash type.
/// source: komodo src/script/interpreter.cpp, IsValidSignatureEncoding
bool is_signature_shaped(Bytes data) noexcept {
  if (data.size() < 9 || data.size() > 73) return false;
  if (data[0] != 0x30 || data[1] != data.size() - 3) return false;
  const std::size_t r_bytes = data[3];
  if (5 + r_bytes >= data.size()) return false;
  const std::size_t s_bytes = data[5 + r_bytes];
  if (r_bytes + s_bytes + 7 != data.size()) return false;
  const auto is_positive_minimal = [&](std::size_t offset, std::size_t bytes) {
    if (data[offset - 2] != 0x02 || bytes == 0 || (data[offset] & 0x80) != 0) return false;
    return bytes == 1 || data[offset] != 0 || (data[offset + 1] & 0x80) != 0;
  };
  return is_positive_minimal(4, r_bytes) && is_positive_minimal(6 + r_bytes, s_bytes);
}

/// Returns the name of a hash type; empty if it has none.
/// source: komodo src/core_write.cpp, mapSigHashTypes
std::string_view sighash_name(std::uint8_t hash_type) noexcept {
  switch (hash_type) {
    case 0x01:
      return "[ALL]";
    case 0x02:
      return "[NONE]";
    case 0x03:
      return "[SINGLE]";
    case 0x81:
      return "[ALL|ANYONECANPAY]";
    case 0x82:
      return "[NONE|ANYONECANPAY]";
    case 0x83:
      return "[SINGLE|ANYONECANPAY]";
    default:
      return {};
  }
}

/// Appends up to four bytes as a script number: little-endian, with the sign in the highest bit.
void append_number(Bytes data, std::string& output) {
  std::uint32_t magnitude = 0;
  for (std::size_t index = data.size(); index > 0; --index) {
    magnitude = magnitude << 8 | data[index - 1];
  }
  const bool is_negative = !data.empty() && (data.back() & 0x80) != 0;
  if (is_negative) magnitude &= ~(0x80U << (8 * (data.size() - 1)));
  if (is_negative && magnitude != 0) output += '-';
  output += std::to_string(magnitude);
}

void append_hex(Bytes data, std::string& output) {
  const std::size_t start = output.size();
  output.resize(start + 2 * data.size());
  hex_from_bytes(data, output.data() + start);
}

void append_data(Bytes data, bool decode_sighash, std::string& output) {
  if (data.size() <= 4) return append_number(data, output);
  if (decode_sighash && is_signature_shaped(data)) {
    if (const std::string_view name = sighash_name(data.back()); !name.empty()) {
      append_hex(data.first(data.size() - 1), output);
      output += name;
      return;
    }
  }
  append_hex(data, output);
}

}  // namespace

void append_asm(Bytes script, SighashSuffix suffix, std::string& output) {
  const bool is_unspendable =
      (!script.empty() && script[0] == op_return) || script.size() > script_bytes_max;
  const bool decode_sighash = suffix == SighashSuffix::shown && !is_unspendable;
  ScriptReader reader{script};
  ScriptOp op;
  bool is_first = true;
  while (!reader.at_end()) {
    if (!is_first) output += ' ';
    is_first = false;
    if (!reader.next(op)) {
      output += "[error]";
      return;
    }
    if (op.is_data_push()) {
      append_data(op.data, decode_sighash, output);
    } else {
      output += opcode_name(op.opcode);
    }
  }
}

}  // namespace antara
