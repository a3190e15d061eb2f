#pragma once

#include <cstdint>
#include <string_view>

namespace antara {

// Opcodes that the core interprets. source: komodo src/script/script.h, enum opcodetype
inline constexpr std::uint8_t op_pushdata1 = 0x4c;
inline constexpr std::uint8_t op_pushdata2 = 0x4d;
inline constexpr std::uint8_t op_pushdata4 = 0x4e;
inline constexpr std::uint8_t op_1 = 0x51;
inline constexpr std::uint8_t op_16 = 0x60;
inline constexpr std::uint8_t op_return = 0x6a;
inline constexpr std::uint8_t op_drop = 0x75;
inline constexpr std::uint8_t op_dup = 0x76;
inline constexpr std::uint8_t op_equal = 0x87;
inline constexpr std::uint8_t op_equalverify = 0x88;
inline constexpr std::uint8_t op_hash160 = 0xa9;
inline constexpr std::uint8_t op_checksig = 0xac;
inline constexpr std::uint8_t op_checkmultisig = 0xae;
inline constexpr std::uint8_t op_checklocktimeverify = 0xb1;
inline constexpr std::uint8_t op_checkcryptocondition = 0xcc;

/// Returns the name that asm shows for an opcode above OP_PUSHDATA4.
/// source: komodo src/script/script.cpp, GetOpName
[[nodiscard]] std::string_view opcode_name(std::uint8_t opcode) noexcept;

}  // namespace antara
