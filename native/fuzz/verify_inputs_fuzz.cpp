// Verification of hostile transactions that spend hostile scripts. Only the unchanged seeds hold
// signatures that verify: who finds another has broken the curve, not the verifier.
//
// input  condition support 1 byte, value 8 bytes, length of the script 2 bytes, it, a transaction
//        whose inputs all spend that script

#include <cstdlib>
#include <vector>

#include "bytes/byte_reader.h"
#include "tx/parse.h"
#include "verify/input_verifier.h"
#include "verify/script_code.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

/// More inputs than this say nothing new and take long.
constexpr std::size_t inputs_max = 8;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader{{data, size}};
  const auto conditions = static_cast<ConditionSupport>(reader.u8() % 3);
  const std::int64_t value_sats = reader.i64();
  const Bytes script = reader.bytes(reader.u16());
  const Bytes raw = reader.bytes(reader.remaining());
  TxLayout layout;
  if (reader.failed() || parse_transaction(raw, layout).failed()) return 0;
  if (layout.inputs.size() > inputs_max) return 0;

  const std::vector<Prevout> prevouts(layout.inputs.size(), Prevout{value_sats, script});
  InputVerifier verifier({raw, layout, prevouts, default_branch_id(layout), conditions});
  std::vector<std::uint8_t> buffer;
  for (std::uint32_t index = 0; index < layout.inputs.size(); ++index) {
    const InputVerdict verdict = verifier.verify(index);
    require(verdict.first_key + verdict.key_count == verifier.keys().size());
    require(verdict.code == ErrorCode::ok || verdict.key_count == 0);
    require(verdict.code != ErrorCode::ok || verdict.key_count > 0);
    const Bytes script_sig = bytes_of(raw, layout.inputs[index].script_sig);
    require(verdict.fulfillment.size() <= script_sig.size());
    const Result<Bytes> script_code = script_code_of(script_sig, script, buffer);
    require(script_code.ok() || script_code.error().code == ErrorCode::redeem_script_missing);
  }
  return 0;
}
