// DER signatures against libsecp256k1's own strict reader: what we accept it reads alike, and what
// it reads we accept or refuse for a rule that it leaves to its callers.

#include <secp256k1.h>

#include <cstdlib>
#include <memory>

#include "verify/signature.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

struct DestroyContext {
  void operator()(secp256k1_context* context) const noexcept { secp256k1_context_destroy(context); }
};

/// The library reads numbers that cannot be right as zero, and leaves low S to its callers.
bool is_caller_rule(ErrorCode code) {
  return code == ErrorCode::signature_integer_negative ||
         code == ErrorCode::signature_out_of_range || code == ErrorCode::signature_high_s;
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
