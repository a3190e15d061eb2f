#pragma once

#include <optional>
#include <vector>

#include "script/templates.h"
#include "tx/sighash.h"
#include "verify/curve.h"

namespace antara {

/// The output that an input spends.
struct Prevout {
  std::int64_t value_sats = 0;
  Bytes script_pubkey;
};

/// The inputs to verify, and the chain's rules. The views must outlive the verifier.
struct InputsToVerify {
  Bytes raw;
  const TxLayout& layout;
  std::span<const Prevout> prevouts;  // as many as inputs
  std::uint32_t branch_id = 0;
  ConditionSupport conditions = ConditionSupport::none;
};

/// The result of verifying one input, and the keys that signed it.
struct InputVerdict {
  /// `ok`, or the first error.
  ErrorCode code = ErrorCode::ok;
  ScriptType type = ScriptType::nonstandard;
  /// Hash type of all its signatures; absent if there are no signatures, or they differ.
  std::optional<std::uint8_t> hash_type;
  /// The keys whose signatures verify: this many, from here on in `InputVerifier::keys()`.
  std::uint32_t first_key = 0;
  std::uint32_t key_count = 0;
  /// The fulfillment of a condition, without the hash type. A part of the raw transaction.
  Bytes fulfillment;
};

/// Verifies the inputs of one transaction: P2PK, P2PKH, multisig, these three behind a script
/// hash, and crypto-conditions whose evals are left to the chain.
///
/// Stricter than consensus where every node is before it relays: strict DER, low S, defined hash
/// types, shortest pushes, nothing left on the stack, no hybrid keys. A condition's input may have
/// any hash type and any push, as on the chain; callers that rely on it check `hash_type`.
/// source: komodo src/script/interpreter.cpp, VerifyScript with STANDARD_SCRIPT_VERIFY_FLAGS
class InputVerifier {
 public:
  explicit InputVerifier(const InputsToVerify& inputs) noexcept;

  /// Verifies an input; fastest in ascending order, because of SignatureHasher.
  /// errors  those of the transaction parts of this module: signature_*, script_*, public_key_*,
  ///         condition_mismatch, unsupported_*, and for a fulfillment those of decode_fulfillment
  [[nodiscard]] InputVerdict verify(std::uint32_t index);

  /// Public keys as the transaction or the previous output encodes them.
  [[nodiscard]] const std::vector<Bytes>& keys() const noexcept { return keys_; }

 private:
  struct Input {
    std::uint32_t index;
    Bytes script_sig;
    Prevout prevout;
  };
  struct SignedHash {
    CompactSignature signature;
    Hash256 hash;
  };

  [[nodiscard]] ErrorCode verify_script(const Input& input, Bytes script,
                                        std::span<const Bytes> pushes, InputVerdict& verdict);
  [[nodiscard]] ErrorCode verify_script_hash(const Input& input, Bytes hash,
                                             std::span<const Bytes> pushes, InputVerdict& verdict);
  [[nodiscard]] ErrorCode verify_multisig(const Input& input, Bytes script,
                                          const MultisigScript& multisig,
                                          std::span<const Bytes> pushes, InputVerdict& verdict);
  [[nodiscard]] ErrorCode verify_condition(const Input& input, const ConditionScript& script,
                                           InputVerdict& verdict);
  [[nodiscard]] Result<SignedHash> read_signature(const Input& input, Bytes script_code,
                                                  Bytes signature, InputVerdict& verdict);
  [[nodiscard]] ErrorCode verify_key(const SignedHash& signed_hash, Bytes key);
  [[nodiscard]] ErrorCode read_key(Bytes encoded);
  [[nodiscard]] Result<Hash256> hash_of(const Input& input, Bytes script_code,
                                        std::uint8_t hash_type);

  InputsToVerify inputs_;
  SignatureHasher hasher_;
  std::vector<Bytes> keys_;
  std::vector<std::uint8_t> script_code_;
  /// The key that was read last: inputs of one transaction often share their key.
  Bytes read_key_encoded_;
  PublicKey read_key_{};
};

}  // namespace antara
