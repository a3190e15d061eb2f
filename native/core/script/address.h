#pragma once

#include <string>

#include "base/bytes.h"

namespace antara {

/// The payload of an address: a version byte and a hash160.
inline constexpr std::size_t address_payload_bytes = 21;
/// The length for 25 bytes of 0xff: the payload, and four bytes of its hash.
inline constexpr std::size_t address_characters_max = 35;

/// Appends an address: Base58Check of a payload.
///
/// shape     `payload` is version:1, hash160:20; at most `address_characters_max` characters
/// source    komodo src/base58.cpp, EncodeBase58 and EncodeBase58Check
void append_address(std::span<const std::uint8_t, address_payload_bytes> payload,
                    std::string& text);

}  // namespace antara
