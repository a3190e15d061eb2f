{
  # For machines without CMake: ANTARA_TX_BUILDER=gyp npm run build:native. The same sources, the
  # same file. CMakeLists.txt is the build that everything else uses.
  "targets": [
    {
      "target_name": "antara_tx",
      "dependencies": ["native/secp256k1.gyp:antara_secp256k1"],
      "sources": [
        "<!@(node -p \"require('fs').readFileSync('native/sources.txt', 'utf8').trim().split('\\n').join(' ')\")",
        "<!@(node -p \"['seam', 'addon'].flatMap((folder) => require('fs').readdirSync('native/' + folder).filter((name) => name.endsWith('.cpp')).map((name) => 'native/' + folder + '/' + name)).join(' ')\")"
      ],
      "include_dirs": [
        "native",
        "native/core",
        "native/addon"
      ],
      "defines": ["NAPI_VERSION=9"],
      "cflags_cc!": ["-std=gnu++17", "-std=gnu++20"],
      "cflags_cc": ["-std=c++20", "-O3", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden"],
      "xcode_settings": {
        "CLANG_CXX_LANGUAGE_STANDARD": "c++20",
        "GCC_ENABLE_CPP_EXCEPTIONS": "NO",
        "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
        "MACOSX_DEPLOYMENT_TARGET": "11.0"
      }
    }
  ]
}
