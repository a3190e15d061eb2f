// libsecp256k1, and beside it one function that verifies several signatures at once. This version
// of the library inverts each s by raising it to a power, which takes a quarter of a verification;
// the product of all of them is inverted here instead, and the inverses taken out of that.
// The library is one translation unit: its parts can be had in no other way.

#include "secp256k1_batch.h"

#include "secp256k1.c"

typedef struct {
  secp256k1_scalar r;
  secp256k1_scalar s;
  secp256k1_scalar hash;
  secp256k1_ge key;
} LoadedCheck;

/// False for a signature that is refused before any arithmetic; its s is then of no use.
static int load_check(const secp256k1_context* context, const antara_signature_check* check,
                      LoadedCheck* loaded) {
  secp256k1_ecdsa_signature_load(context, &loaded->r, &loaded->s, &check->signature);
  secp256k1_scalar_set_b32(&loaded->hash, check->hash, NULL);
  return !secp256k1_scalar_is_zero(&loaded->r) && !secp256k1_scalar_is_zero(&loaded->s) &&
         !secp256k1_scalar_is_high(&loaded->s) &&
         secp256k1_pubkey_load(context, &loaded->key, &check->key);
}

/// Whether the x coordinate of `point` leaves r when divided by the group's order. The coordinate
/// is below the field's size, which is a little more than the order: r and, for the smallest r,
/// r + order are the candidates. source: SEC 1, section 4.1.4, steps 6 to 8
static int has_remainder(const secp256k1_gej* point, const secp256k1_scalar* r) {
  unsigned char bytes[32];
  secp256k1_fe x;
  secp256k1_scalar_get_b32(bytes, r);
  if (!secp256k1_fe_set_b32(&x, bytes)) return 0;
  if (secp256k1_gej_eq_x_var(&x, point)) return 1;
  if (secp256k1_fe_cmp_var(&x, &secp256k1_ecdsa_const_p_minus_order) >= 0) return 0;
  secp256k1_fe_add(&x, &secp256k1_ecdsa_const_order_as_fe);
  return secp256k1_gej_eq_x_var(&x, point);
}

/// source: SEC 1, section 4.1.4, steps 4 and 5
static int check_loaded(const secp256k1_context* context, const LoadedCheck* loaded,
                        const secp256k1_scalar* s_inverse) {
  secp256k1_scalar of_generator;
  secp256k1_scalar of_key;
  secp256k1_gej key;
  secp256k1_gej point;
  secp256k1_scalar_mul(&of_generator, s_inverse, &loaded->hash);
  secp256k1_scalar_mul(&of_key, s_inverse, &loaded->r);
  secp256k1_gej_set_ge(&key, &loaded->key);
  secp256k1_ecmult(&context->ecmult_ctx, &point, &key, &of_key, &of_generator);
  return !secp256k1_gej_is_infinity(&point) && has_remainder(&point, &loaded->r);
}

void antara_check_signatures(const secp256k1_context* context, antara_signature_check* checks,
                             size_t count) {
  LoadedCheck loaded[ANTARA_SIGNATURE_CHECKS_MAX];
  secp256k1_scalar products[ANTARA_SIGNATURE_CHECKS_MAX + 1];  // of every s before
  secp256k1_scalar inverse;                                    // of products[left]
  size_t left;
  secp256k1_scalar_set_int(&products[0], 1);
  for (size_t index = 0; index < count; ++index) {
    checks[index].is_valid = load_check(context, &checks[index], &loaded[index]);
    // One that is refused must not spoil the product.
    if (!checks[index].is_valid) secp256k1_scalar_set_int(&loaded[index].s, 1);
    secp256k1_scalar_mul(&products[index + 1], &products[index], &loaded[index].s);
  }
  secp256k1_scalar_inverse_var(&inverse, &products[count]);
  for (left = count; left > 0; --left) {
    secp256k1_scalar s_inverse;
    secp256k1_scalar_mul(&s_inverse, &inverse, &products[left - 1]);
    secp256k1_scalar_mul(&inverse, &inverse, &loaded[left - 1].s);
    if (checks[left - 1].is_valid) {
      checks[left - 1].is_valid = check_loaded(context, &loaded[left - 1], &s_inverse);
    }
  }
}
