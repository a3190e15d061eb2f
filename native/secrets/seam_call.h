#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "seam/functions.h"

/// Calls of the two functions of the seam that take private keys.
namespace antara::secrets {

/// RFC 6979's message "sample", hashed with SHA-256; any hash would do.
constexpr std::string_view hash_hex =
    "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf";

using Bytes32 = std::array<std::uint8_t, 32>;

/// Both functions, by the name that the test program passes.
enum class Use { derive, sign };

class Caller {
 public:
  Caller() : memory_(seam::scratch_words_min / 2) {
    state_.words = {reinterpret_cast<std::uint32_t*>(memory_.data()), seam::scratch_words_min};
    // The first answer would otherwise allocate in the middle of the call that is watched.
    state_.text.resize(1024);
  }

  [[gnu::noinline]] void use(Use how, const Bytes32& key, const Bytes32& seed) {
    seam::Call call{state_};
    const std::size_t first = how == Use::sign ? 1 : 0;
    if (how == Use::sign) {
      call.inputs[0].is_text = true;
      call.inputs[0].text = hash_hex;
    }
    call.inputs[first].bytes = key;
    call.inputs[first + 1].bytes = seed;
    const seam::Outcome outcome =
        call.finish(how == Use::sign ? seam::sign_hash(call) : seam::derive_public_key(call));
    if (outcome.failed()) std::abort();
    characters_ = call.text().size();
  }

  /// The hex of the last answer.
  [[nodiscard]] std::string answer() const { return {state_.text.data(), characters_}; }

 private:
  std::vector<std::uint64_t> memory_;
  seam::State state_;
  std::size_t characters_ = 0;
};

}  // namespace antara::secrets
