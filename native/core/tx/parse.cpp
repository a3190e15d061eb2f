#include "tx/parse.h"

#include "base/limits.h"
#include "bytes/byte_reader.h"

namespace antara {
namespace {

/// One element of a PHGR13 proof: a compressed point, its first byte limited to two values.
struct ProofElement {
  std::uint8_t bytes;
  std::uint8_t lead;
};

constexpr ProofElement g1{33, 0x02};
constexpr ProofElement g2{65, 0x0a};

/// source: komodo src/zcash/Proof.hpp, PHGRProof and CompressedG1 / CompressedG2
constexpr ProofElement phgr_proof[] = {g1, g1, g2, g1, g1, g1, g1, g1};

/// Position of the proof in a JoinSplit: amounts 16, anchor 32, nullifiers 64, commitments 64,
/// ephemeral key 32, random seed 32, macs 64.
constexpr std::uint32_t join_split_proof_offset = 304;

void check_phgr_proof(ByteReader& reader, Bytes raw, std::uint32_t proof_offset) noexcept {
  std::uint32_t offset = proof_offset;
  for (const ProofElement element : phgr_proof) {
    if ((raw[offset] & 0xfe) != element.lead) reader.fail(ErrorCode::malformed_proof, offset);
    offset += element.bytes;
  }
}

void read_header(ByteReader& reader, TxLayout& layout) noexcept {
  const std::uint32_t header = reader.u32();
  layout.overwintered = (header & overwintered_flag) != 0;
  layout.version = header & ~overwintered_flag;
  layout.version_group_id = layout.overwintered ? reader.u32() : 0;
  if (!reader.failed() && !layout.has_known_format()) {
    reader.fail(ErrorCode::unknown_transaction_format, 0);
  }
}

void read_inputs(ByteReader& reader, TxLayout& layout) {
  layout.inputs.resize(reader.element_count(input_bytes_min));
  for (TxInput& input : layout.inputs) {
    input.prev_txid_offset = reader.slice(32).offset;
    input.prev_index = reader.u32();
    input.script_sig = reader.var_slice();
    input.sequence = reader.u32();
  }
}

void read_outputs(ByteReader& reader, TxLayout& layout) {
  layout.outputs.resize(reader.element_count(output_bytes_min));
  for (TxOutput& output : layout.outputs) {
    output.value_sats = reader.i64();
    output.script_pubkey = reader.var_slice();
  }
}

Slice read_array(ByteReader& reader, std::size_t element_bytes) noexcept {
  const std::size_t count = reader.element_count(element_bytes);
  return reader.slice(count * element_bytes);
}

void read_join_splits(ByteReader& reader, Bytes raw, TxLayout& layout) {
  const std::size_t item_bytes = layout.join_split_bytes();
  layout.join_splits.resize(reader.element_count(item_bytes));
  for (JoinSplit& item : layout.join_splits) {
    const std::uint32_t start = reader.offset();
    item.vpub_old_sats = reader.i64();
    item.vpub_new_sats = reader.i64();
    item.rest = reader.slice(item_bytes - join_split_amounts_bytes);
    if (!layout.is_sapling() && !reader.failed()) {
      check_phgr_proof(reader, raw, start + join_split_proof_offset);
    }
  }
  if (layout.join_splits.empty()) return;
  layout.join_split_pub_key = reader.slice(32);
  layout.join_split_sig = reader.slice(64);
}

/// Segregated witness announces itself by an input count of 0 and a flag of 1 (BIP 144). Here these
/// bytes mean no input and one output, which then does not fit.
bool looks_like_segwit(Bytes raw) noexcept {
  return raw.size() > 6 && (raw[3] & 0x80) == 0 && raw[4] == 0 && raw[5] == 1;
}

Error check_size(Bytes raw) noexcept {
  if (raw.empty()) return {ErrorCode::empty_input, 0};
  if (raw.size() > input_bytes_max) {
    return {ErrorCode::input_over_limit, static_cast<std::uint32_t>(input_bytes_max)};
  }
  return {};
}

void read_transaction(ByteReader& reader, Bytes raw, TxLayout& layout) {
  read_header(reader, layout);
  read_inputs(reader, layout);
  read_outputs(reader, layout);
  layout.lock_time = reader.u32();
  layout.expiry_height = layout.overwintered ? reader.u32() : 0;
  layout.value_balance_sats = 0;
  layout.shielded_spends = {};
  layout.shielded_outputs = {};
  if (layout.is_sapling()) {
    layout.value_balance_sats = reader.i64();
    layout.shielded_spends = read_array(reader, shielded_spend_bytes);
    layout.shielded_outputs = read_array(reader, shielded_output_bytes);
  }
  layout.join_splits.clear();
  layout.join_split_pub_key = {};
  layout.join_split_sig = {};
  if (layout.may_have_join_splits()) read_join_splits(reader, raw, layout);
  layout.binding_sig = layout.has_shielded_parts() ? reader.slice(64) : Slice{};
}

}  // namespace

Error parse_transaction(Bytes raw, TxLayout& layout) {
  if (const Error error = check_size(raw); error.failed()) return error;
  ByteReader reader{raw};
  read_transaction(reader, raw, layout);
  const Error error = reader.finish();
  if (error.failed() && looks_like_segwit(raw)) return {ErrorCode::segwit_unsupported, 4};
  return error;
}

Result<std::uint32_t> leading_transaction_bytes(Bytes raw, TxLayout& layout) {
  if (const Error error = check_size(raw); error.failed()) return error;
  ByteReader reader{raw};
  read_transaction(reader, raw, layout);
  if (reader.failed()) return reader.error();
  return reader.offset();
}

}  // namespace antara
