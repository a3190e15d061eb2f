#include "seam/functions.h"
#include "seam/signing_call.h"
#include "verify/script_code.h"

namespace antara::seam {
namespace {

/// Returns the input that the selector names, with the only given script as its scriptCode.
SignedInput selected_input(const SigningCall& signing) {
  const Prevout& prevout = signing.prevouts.front();
  return {signing.selector, prevout.script_pubkey, prevout.value_sats};
}

/// The scriptCodes of all inputs, and the memory of those that are not part of a script.
struct SignedInputs {
  std::vector<SignedInput> inputs;
  std::vector<std::vector<std::uint8_t>> built;
};

/// Finds the scriptCodes. After an error, the size of `found.inputs` is the index of its input.
Error find_script_codes(const SigningCall& signing, const TxLayout& layout, SignedInputs& found) {
  found.inputs.reserve(layout.inputs.size());
  std::vector<std::uint8_t> buffer;
  for (std::uint32_t index = 0; index < layout.inputs.size(); ++index) {
    const Prevout& prevout = signing.prevouts[index];
    const Bytes script_sig = bytes_of(signing.raw, layout.inputs[index].script_sig);
    const Result<Bytes> script_code = script_code_of(script_sig, prevout.script_pubkey, buffer);
    if (!script_code.ok()) return script_code.error();
    found.inputs.push_back({index, script_code.value(), prevout.value_sats});
    // The view stays valid, because a vector that moves keeps its memory.
    if (!buffer.empty()) found.built.push_back(std::move(buffer));
    buffer.clear();
  }
  return {};
}

}  // namespace

Outcome signature_hash(Call& call) {
  SigningCall signing;
  const Outcome refused = read_signing_call(call, Prevouts::one, signing);
  if (refused.failed()) return refused;
  SignatureHasher hasher(signing.raw, call.state().layout, signing.branch_id);
  const Result<Hash256> hash = hasher.hash(selected_input(signing), signing.hash_type);
  if (!hash.ok()) return hash.error();
  call.answer_hex(hash.value());
  return {};
}

Outcome signature_preimage(Call& call) {
  SigningCall signing;
  const Outcome refused = read_signing_call(call, Prevouts::one, signing);
  if (refused.failed()) return refused;
  SignatureHasher hasher(signing.raw, call.state().layout, signing.branch_id);
  std::vector<std::uint8_t>& preimage = call.state().produced;
  preimage.clear();
  const Error error = hasher.append_preimage(selected_input(signing), signing.hash_type, preimage);
  if (error.failed()) return error;
  call.answer_hex(preimage);
  return {};
}

Outcome signature_hashes(Call& call) {
  SigningCall signing;
  const Outcome refused = read_signing_call(call, Prevouts::of_each_input, signing);
  if (refused.failed()) return refused;
  const TxLayout& layout = call.state().layout;
  SignedInputs found;
  if (const Error error = find_script_codes(signing, layout, found); error.failed()) {
    call.set_detail(static_cast<std::uint32_t>(found.inputs.size()));
    return error;
  }
  SignatureHasher hasher(signing.raw, layout, signing.branch_id);
  std::vector<Hash256> hashes;
  const Error error = hasher.hash_each(found.inputs, signing.hash_type, hashes);
  if (error.failed()) {
    call.set_detail(static_cast<std::uint32_t>(hashes.size()));
    return error;
  }
  if (!hashes.empty()) call.answer_hex({hashes.front().data(), hashes.size() * sizeof(Hash256)});
  return {};
}

}  // namespace antara::seam
