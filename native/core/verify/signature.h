#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "verify/curve.h"

namespace antara {

/// Checks that r and s are usable: neither zero nor beyond the group order, with s in the lower
/// half.
/// errors  signature_out_of_range, signature_high_s; offset 0 for r, 32 for s
/// source  BIP 62 rule 5 and BIP 146 (low S); SEC 1 section 4.1.4 (the range)
[[nodiscard]] Error check_compact_signature(const CompactSignature& signature) noexcept;

/// Copies a signature of a crypto-condition, and checks it.
///
/// shape   r:32, s:32, big-endian
/// errors  compact_signature_length, signature_out_of_range, signature_high_s
/// source  komodo src/cryptoconditions/src/secp256k1.c, secp256k1Verify
[[nodiscard]] Error read_compact_signature(Bytes encoded, CompactSignature& signature) noexcept;

/// Reads a strict DER signature without its hash type byte, and checks it.
///
/// shape   30 len 02 rlen r 02 slen s; 8 to 72 bytes
/// errors  signature_missing, signature_length, signature_tag, signature_integer_empty,
/// signature_integer_negative,
///         signature_integer_padded, signature_out_of_range, signature_high_s
/// source  BIP 66; komodo src/script/interpreter.cpp, IsValidSignatureEncoding and
/// IsLowDERSignature
[[nodiscard]] Error read_der_signature(Bytes encoded, CompactSignature& signature) noexcept;

}  // namespace antara
