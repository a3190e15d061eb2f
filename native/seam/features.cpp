#include <string>

#include "base/cpu.h"
#include "seam/functions.h"

namespace antara::seam {

Outcome engine_features(Call& call) {
  std::string names;
#if defined(__wasm_simd128__)
  names += "wasm-simd128,";
#endif
  if (cpu_has_avx2()) names += "avx2,";
  if (cpu_has_sha_ni()) names += "sha-ni,";
  if (names.empty()) names += "portable,";
  call.answer_text(names + "libsecp256k1 0.5.0");
  return {};
}

}  // namespace antara::seam
