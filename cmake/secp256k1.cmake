# Curve arithmetic is libsecp256k1's, not ours: the one release that third_party/secp256k1 holds,
# whatever the machine has, so that every build is of the same sources.
#
# Of the generator's multiples, 2^(window - 2) are compiled in twice. Verification, 4096 signatures,
# gcc 14 on x64: window 8 28.8 us, 10 27.5, 12 27.0, 15 25.7; tables of 8 kB, 32, 128 and 1024.
# The tables of signing are the smallest: with 22 kB instead of 2, a signature takes 18 us instead of
# 20, and blinding as long again.

set(ANTARA_SECP256K1_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/third_party/secp256k1)

# Adds the library under a name; further definitions follow it.
function(antara_add_secp256k1 name)
  add_library(${name} STATIC
    ${ANTARA_SECP256K1_SOURCES}/src/secp256k1.c
    ${ANTARA_SECP256K1_SOURCES}/src/precomputed_ecmult.c
    ${ANTARA_SECP256K1_SOURCES}/src/precomputed_ecmult_gen.c)
  target_include_directories(${name} SYSTEM PUBLIC ${ANTARA_SECP256K1_SOURCES}/include)
  target_compile_definitions(${name}
    PUBLIC SECP256K1_API=extern
    PRIVATE ENABLE_MODULE_RECOVERY=1 ECMULT_WINDOW_SIZE=12 COMB_BLOCKS=2 COMB_TEETH=5 ${ARGN})
  # Somebody else's sources: their warnings are not ours to fix, and they are fast in every build.
  target_compile_options(${name} PRIVATE -w -O3)
endfunction()

antara_add_secp256k1(antara_secp256k1)
