#pragma once

#include <secp256k1.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One signature to verify, and whether it does. For the library's sources as they come with npm;
/// a library of the machine shows nothing of its inside and is asked once for each.
typedef struct {
  secp256k1_pubkey key;
  secp256k1_ecdsa_signature signature;
  unsigned char hash[32];
  int is_valid;
} antara_signature_check;

/// Enough to make the inversion that they share small, few enough for the stack.
#define ANTARA_SIGNATURE_CHECKS_MAX 32

/// Sets `is_valid` of at most ANTARA_SIGNATURE_CHECKS_MAX checks: what secp256k1_ecdsa_verify says.
void antara_check_signatures(const secp256k1_context* context, antara_signature_check* checks,
                             size_t count);

#ifdef __cplusplus
}
#endif
