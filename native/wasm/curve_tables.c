// The multiples of the generator with which libsecp256k1 verifies signatures. The addon has them as
// constants. Here they are computed when an instance starts: they are 8 kB of a download that no
// compression makes smaller.

#include <secp256k1.h>

enum { table_size = 1 << (ECMULT_WINDOW_SIZE - 2) };

// The library declares both as constant `secp256k1_ge_storage`, and keeps public keys in the same
// form: src/precomputed_ecmult.h, and secp256k1_pubkey_save in src/secp256k1.c.
_Alignas(8) secp256k1_pubkey secp256k1_pre_g[table_size];
_Alignas(8) secp256k1_pubkey secp256k1_pre_g_128[table_size];
_Static_assert(sizeof secp256k1_pre_g == 64 * table_size, "a point takes 64 bytes");

/// G. @see SEC 2, section 2.4.1
static const unsigned char generator[33] = {0x02, 0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac,
                                            0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07, 0x02,
                                            0x9b, 0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2,
                                            0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98};

/// 2^128 G. @see libsecp256k1 src/precomputed_ecmult.c, the first point of secp256k1_pre_g_128
static const unsigned char high_generator[33] = {
    0x02, 0x8f, 0x68, 0xb9, 0xd2, 0xf6, 0x3b, 0x5f, 0x33, 0x92, 0x39,
    0xc1, 0xad, 0x98, 0x1f, 0x16, 0x2e, 0xe8, 0x8c, 0x56, 0x78, 0x72,
    0x3e, 0xa3, 0x35, 0x1b, 0x7b, 0x44, 0x4c, 0x9e, 0xc4, 0xc0, 0xda};

static void set_sum(secp256k1_pubkey* sum, const secp256k1_pubkey* one,
                    const secp256k1_pubkey* other) {
  const secp256k1_pubkey* points[2] = {one, other};
  if (!secp256k1_ec_pubkey_combine(secp256k1_context_static, sum, points, 2)) __builtin_trap();
}

/// Fills a table with 1, 3, 5 ... times a point.
static void fill(secp256k1_pubkey* table, const unsigned char* point) {
  secp256k1_pubkey twice;
  if (!secp256k1_ec_pubkey_parse(secp256k1_context_static, &table[0], point, 33)) __builtin_trap();
  set_sum(&twice, &table[0], &table[0]);
  for (int at = 1; at < table_size; at += 1) set_sum(&table[at], &table[at - 1], &twice);
}

__attribute__((constructor)) static void fill_tables(void) {
  fill(secp256k1_pre_g, generator);
  fill(secp256k1_pre_g_128, high_generator);
}
