#include "sign/private_key.h"

#include <algorithm>

#include "seam/functions.h"

namespace antara::seam {
namespace {

// A key in the memory of WebAssembly could be wiped, but no runtime promises constant time there:
// docs/adr/0015-native-signer.md. The compiler leaves out what follows a refusal.
#ifdef __wasm__
constexpr bool takes_keys = false;
#else
constexpr bool takes_keys = true;
#endif

/// Checks the key at `input` and the seed after it.
Outcome check_key(const Call& call, std::size_t input) noexcept {
  if (!takes_keys) return ArgumentError::keys_stay_outside;
  const bool are_whole =
      call.inputs[input].bytes.size() == 32 && call.inputs[input + 1].bytes.size() == 32;
  return are_whole ? Outcome{} : ArgumentError::expected_32_bytes;
}

/// Views a key and its seed in the caller's memory, after `check_key`: they are not copied.
BlindedKey key_at(const Call& call, std::size_t input) noexcept {
  return {call.inputs[input].bytes.first<32>(), call.inputs[input + 1].bytes.first<32>()};
}

}  // namespace

Outcome derive_public_key(Call& call) {
  if (const Outcome refused = check_key(call, 0); refused.failed()) return refused;
  UncompressedKey key;
  const Error error = antara::derive_public_key(key_at(call, 0), key);
  if (error.failed()) return error;
  call.answer_hex(key);
  return {};
}

Outcome sign_hash(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  Hash256 hash;
  if (source.value().raw.size() != hash.size()) return ArgumentError::expected_32_bytes;
  std::copy_n(source.value().raw.begin(), hash.size(), hash.begin());
  if (const Outcome refused = check_key(call, 1); refused.failed()) return refused;
  SignatureBytes signature;
  const Error error = antara::sign_hash(key_at(call, 1), hash, signature);
  if (error.failed()) return error;
  call.answer_hex(signature);
  return {};
}

}  // namespace antara::seam
