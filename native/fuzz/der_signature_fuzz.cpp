// Compares our reader of DER signatures with two others. libsecp256k1 must read the same from all
// that we accept; we refuse others only for a rule that it leaves to its callers. The daemon
// decides encodings by BIP 66: we refuse a strict one only for its numbers, and asm names the hash
// type of strict encodings alone.

#include <secp256k1.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "script/asm.h"
#include "script/opcodes.h"
#include "verify/signature.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

struct DestroyContext {
  void operator()(secp256k1_context* context) const noexcept { secp256k1_context_destroy(context); }
};

/// BIP 66 demands of R and S: not empty, not negative, no zero more than that takes.
bool is_strict_number(Bytes number) {
  if (number.empty() || number[0] >= 0x80) return false;
  return number.size() == 1 || number[0] != 0 || number[1] >= 0x80;
}

/// A strict encoding is one that writing it again gives: 30 length, 02 length R, 02 length S.
bool is_strict(Bytes encoded) {
  if (encoded.size() < 8 || encoded.size() > 72) return false;
  const std::size_t contents = encoded.size() - 6;
  for (std::size_t r_bytes = 1; r_bytes < contents; ++r_bytes) {
    const Bytes r = encoded.subspan(4, r_bytes);
    const Bytes s = encoded.subspan(6 + r_bytes);
    std::vector<std::uint8_t> written{0x30, static_cast<std::uint8_t>(encoded.size() - 2), 0x02,
                                      static_cast<std::uint8_t>(r.size())};
    written.insert(written.end(), r.begin(), r.end());
    written.push_back(0x02);
    written.push_back(static_cast<std::uint8_t>(s.size()));
    written.insert(written.end(), s.begin(), s.end());
    if (std::ranges::equal(written, encoded)) return is_strict_number(r) && is_strict_number(s);
  }
  return false;
}

/// Returns true if decoderawtransaction would name the hash type after this signature.
bool is_named_in_asm(Bytes encoded) {
  std::vector<std::uint8_t> script{op_pushdata1, static_cast<std::uint8_t>(encoded.size() + 1)};
  script.insert(script.end(), encoded.begin(), encoded.end());
  script.push_back(0x01);
  std::string text;
  append_asm(script, SighashSuffix::shown, text);
  return text.ends_with("[ALL]");
}

/// A number that is well spelled but no part of a signature.
bool is_number_rule(ErrorCode code) {
  return code == ErrorCode::signature_out_of_range || code == ErrorCode::signature_high_s;
}

/// The library reads numbers that cannot be right as zero, and leaves low S to its callers.
bool is_caller_rule(ErrorCode code) {
  return code == ErrorCode::signature_integer_negative || is_number_rule(code);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<secp256k1_context, DestroyContext> context{
      secp256k1_context_create(SECP256K1_CONTEXT_NONE)};

  CompactSignature ours;
  const Error error = read_der_signature({data, size}, ours);
  secp256k1_ecdsa_signature parsed;
  const bool library_accepts =
      secp256k1_ecdsa_signature_parse_der(context.get(), &parsed, data, size) == 1;

  const bool strict = is_strict({data, size});
  require(strict ? !error.failed() || is_number_rule(error.code) : error.failed());
  if (size < 0xff) require(is_named_in_asm({data, size}) == strict);

  if (error.failed()) {
    require(error.offset <= size);
    require(!library_accepts || is_caller_rule(error.code));
    return 0;
  }
  require(library_accepts);
  CompactSignature theirs;
  secp256k1_ecdsa_signature_serialize_compact(context.get(), theirs.data(), &parsed);
  require(ours == theirs);
  CompactSignature again;
  require(!read_compact_signature(ours, again).failed() && again == ours);
  return 0;
}
