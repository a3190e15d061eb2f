# libsecp256k1 for node-gyp builds: what cmake/secp256k1.cmake does where CMake is installed, but for
# a library of the machine, which gyp does not look for. binding.gyp depends on
# 'native/secp256k1.gyp:antara_secp256k1'.
{
  'variables': {
    # The folder that has the sources: vendor/ in an unpacked tarball, node_modules/ in a checkout.
    'secp256k1_sources': '<!(node -p "[\'../vendor/secp256k1\', \'../node_modules/secp256k1/src/secp256k1\'].find(folder => fs.existsSync(folder + \'/src/secp256k1.c\'))")',
  },
  'targets': [
    {
      'target_name': 'antara_secp256k1',
      'type': 'static_library',
      'sources': ['<(secp256k1_sources)/src/secp256k1.c'],
      'include_dirs': ['<(secp256k1_sources)', '<(secp256k1_sources)/src'],
      'defines': [
        'USE_NUM_NONE=1',
        'USE_FIELD_INV_BUILTIN=1',
        'USE_SCALAR_INV_BUILTIN=1',
        'USE_ENDOMORPHISM=1',
        'ECMULT_WINDOW_SIZE=15',
        'ECMULT_GEN_PREC_BITS=4',
      ],
      'conditions': [
        ['OS=="win" or target_arch in ("ia32", "arm")', {
          'defines': ['USE_FIELD_10X26=1', 'USE_SCALAR_8X32=1'],
        }, {
          'defines': ['HAVE___INT128=1', 'USE_FIELD_5X52=1', 'USE_SCALAR_4X64=1'],
        }],
      ],
      # Somebody else's sources: their warnings are not ours to fix.
      'cflags': ['-w', '-fvisibility=hidden'],
      'xcode_settings': {
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
        'WARNING_CFLAGS': ['-w'],
      },
      'msvs_settings': { 'VCCLCompilerTool': { 'WarningLevel': 0 } },
      'direct_dependent_settings': {
        'include_dirs': ['<(secp256k1_sources)/include'],
        'defines': ['ANTARA_SECP256K1="bundled"'],
      },
    },
  ],
}
