#include "sign/private_key.h"

#include <secp256k1.h>
#include <secp256k1_preallocated.h>

#include <cstdlib>

#include "base/declassify.h"
#include "base/wipe.h"

namespace antara {
namespace {

#ifdef ANTARA_SECRETS
/// libsecp256k1 itself declassifies a signature, and that a nonce was usable.
constexpr unsigned context_flags = SECP256K1_CONTEXT_DECLASSIFY;
#else
constexpr unsigned context_flags = SECP256K1_CONTEXT_NONE;
#endif

/// A context of libsecp256k1 for one use of a key. It lives on the stack and keeps nothing: no
/// later use, no other thread and no forked process computes with the same blinding.
class Context {
 public:
  explicit Context(std::span<const std::uint8_t, 32> seed) noexcept {
    if (secp256k1_context_preallocated_size(context_flags) > sizeof room_) std::abort();
    context_ = secp256k1_context_preallocated_create(room_, context_flags);
    if (secp256k1_context_randomize(context_, seed.data()) == 0) std::abort();
  }
  ~Context() {
    secp256k1_context_preallocated_destroy(context_);
    wipe(room_, sizeof room_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const secp256k1_context* get() const noexcept { return context_; }

 private:
  /// libsecp256k1 0.5.0 takes 208 bytes.
  alignas(std::max_align_t) std::uint8_t room_[512];
  secp256k1_context* context_;
};

// The stack of these two is wiped after they have returned, so they may not be inlined.

[[gnu::noinline]] int derive(const BlindedKey& from, UncompressedKey& key) noexcept {
  const Context context(from.seed);
  secp256k1_pubkey point;
  int is_key = secp256k1_ec_pubkey_create(context.get(), &point, from.key.data());
  declassify(&is_key, sizeof is_key);
  declassify(&point, sizeof point);
  if (is_key == 0) return 0;
  std::size_t size = key.size();
  return secp256k1_ec_pubkey_serialize(context.get(), key.data(), &size, &point,
                                       SECP256K1_EC_UNCOMPRESSED);
}

[[gnu::noinline]] int sign(const BlindedKey& with, const Hash256& hash,
                           SignatureBytes& signature) noexcept {
  const Context context(with.seed);
  secp256k1_ecdsa_signature made;
  int is_key = secp256k1_ecdsa_sign(context.get(), &made, hash.data(), with.key.data(),
                                    secp256k1_nonce_function_rfc6979, nullptr);
  declassify(&is_key, sizeof is_key);
  declassify(&made, sizeof made);
  if (is_key == 0) return 0;
  return secp256k1_ecdsa_signature_serialize_compact(context.get(), signature.data(), &made);
}

Error error_unless(int is_key) noexcept {
  return is_key != 0 ? Error{} : Error{ErrorCode::malformed_private_key, 0};
}

}  // namespace

Error derive_public_key(const BlindedKey& from, UncompressedKey& key) noexcept {
  const int is_key = derive(from, key);
  wipe_stack();
  return error_unless(is_key);
}

Error sign_hash(const BlindedKey& with, const Hash256& hash, SignatureBytes& signature) noexcept {
  const int is_key = sign(with, hash, signature);
  wipe_stack();
  return error_unless(is_key);
}

}  // namespace antara
