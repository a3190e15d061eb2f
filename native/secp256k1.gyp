# libsecp256k1 for node-gyp builds: what cmake/secp256k1.cmake does where CMake is installed.
# binding.gyp depends on 'native/secp256k1.gyp:antara_secp256k1'.
{
  'targets': [
    {
      'target_name': 'antara_secp256k1',
      'type': 'static_library',
      'sources': [
        '../third_party/secp256k1/src/secp256k1.c',
        '../third_party/secp256k1/src/precomputed_ecmult.c',
        '../third_party/secp256k1/src/precomputed_ecmult_gen.c',
      ],
      'defines': [
        'ENABLE_MODULE_RECOVERY=1',
        'ECMULT_WINDOW_SIZE=12',
        'COMB_BLOCKS=2',
        'COMB_TEETH=5',
        'SECP256K1_API=extern',
      ],
      # Somebody else's sources: their warnings are not ours to fix.
      'cflags': ['-w', '-fvisibility=hidden'],
      'xcode_settings': {
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
        'WARNING_CFLAGS': ['-w'],
      },
      'msvs_settings': { 'VCCLCompilerTool': { 'WarningLevel': 0 } },
      'direct_dependent_settings': {
        'include_dirs': ['../third_party/secp256k1/include'],
        'defines': ['SECP256K1_API=extern'],
      },
    },
  ],
}
