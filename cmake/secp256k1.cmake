# Curve arithmetic is libsecp256k1's, not ours. The machine's own library is preferred, being newer
# and faster. Without one, the C sources that the npm package `secp256k1` carries are compiled: from
# node_modules in a checkout, from vendor/ in an unpacked tarball (scripts/stage-vendor.mjs).
# Binaries that travel are built with ANTARA_SYSTEM_SECP256K1=OFF, so that they need no library.

option(ANTARA_SYSTEM_SECP256K1 "use the machine's libsecp256k1 if it has one" ON)

if(ANTARA_SYSTEM_SECP256K1)
  find_path(ANTARA_SECP256K1_INCLUDE secp256k1.h)
  find_library(ANTARA_SECP256K1_LIBRARY secp256k1)
endif()

if(ANTARA_SYSTEM_SECP256K1 AND ANTARA_SECP256K1_INCLUDE AND ANTARA_SECP256K1_LIBRARY)
  add_library(antara_secp256k1 INTERFACE)
  target_include_directories(antara_secp256k1 SYSTEM INTERFACE ${ANTARA_SECP256K1_INCLUDE})
  target_link_libraries(antara_secp256k1 INTERFACE ${ANTARA_SECP256K1_LIBRARY})
  target_compile_definitions(antara_secp256k1 INTERFACE ANTARA_SECP256K1="system")
else()
  find_path(ANTARA_SECP256K1_SOURCES src/secp256k1.c
    PATHS ${CMAKE_CURRENT_SOURCE_DIR}/vendor/secp256k1
          ${CMAKE_CURRENT_SOURCE_DIR}/node_modules/secp256k1/src/secp256k1
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ANTARA_SECP256K1_SOURCES)
    message(FATAL_ERROR "no libsecp256k1: neither the machine, vendor/ nor node_modules/ has one")
  endif()
  add_library(antara_secp256k1 STATIC ${ANTARA_SECP256K1_SOURCES}/src/secp256k1.c)
  target_include_directories(antara_secp256k1 SYSTEM
    PUBLIC ${ANTARA_SECP256K1_SOURCES}/include
    PRIVATE ${ANTARA_SECP256K1_SOURCES} ${ANTARA_SECP256K1_SOURCES}/src)
  target_compile_definitions(antara_secp256k1
    PUBLIC ANTARA_SECP256K1="bundled"
    PRIVATE USE_NUM_NONE=1 USE_FIELD_INV_BUILTIN=1 USE_SCALAR_INV_BUILTIN=1 USE_ENDOMORPHISM=1
            ECMULT_WINDOW_SIZE=15 ECMULT_GEN_PREC_BITS=4)
  if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    target_compile_definitions(antara_secp256k1 PRIVATE USE_FIELD_10X26=1 USE_SCALAR_8X32=1)
  else()
    target_compile_definitions(antara_secp256k1
      PRIVATE HAVE___INT128=1 USE_FIELD_5X52=1 USE_SCALAR_4X64=1)
  endif()
  # Somebody else's sources: their warnings are not ours to fix, and they are fast in every build.
  target_compile_options(antara_secp256k1 PRIVATE -w -O3)
endif()
