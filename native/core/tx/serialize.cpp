#include "tx/serialize.h"

#include "base/limits.h"
#include "bytes/byte_writer.h"

namespace antara {
namespace {

bool has_parts_of_other_versions(const TxLayout& layout) noexcept {
  if (!layout.overwintered && (layout.version_group_id != 0 || layout.expiry_height != 0)) {
    return true;
  }
  if (!layout.is_sapling() && (layout.has_shielded_parts() || layout.value_balance_sats != 0)) {
    return true;
  }
  return !layout.may_have_join_splits() && !layout.join_splits.empty();
}

void write_array(ByteWriter& writer, Bytes source, Slice array, std::size_t element_bytes) {
  writer.compact_size(array.length / element_bytes);
  writer.bytes(bytes_of(source, array));
}

void write_join_splits(ByteWriter& writer, const TxLayout& layout, Bytes source) {
  writer.compact_size(layout.join_splits.size());
  for (const JoinSplit& item : layout.join_splits) {
    writer.i64(item.vpub_old_sats);
    writer.i64(item.vpub_new_sats);
    writer.bytes(bytes_of(source, item.rest));
  }
  if (layout.join_splits.empty()) return;
  writer.bytes(bytes_of(source, layout.join_split_pub_key));
  writer.bytes(bytes_of(source, layout.join_split_sig));
}

}  // namespace

Error serialize_transaction(const TxLayout& layout, Bytes source,
                            std::vector<std::uint8_t>& output) {
  if (!layout.has_known_format()) return {ErrorCode::unknown_transaction_format, 0};
  if (has_parts_of_other_versions(layout)) return {ErrorCode::field_not_in_version, 0};

  ByteWriter writer{output};
  writer.u32(layout.version | (layout.overwintered ? overwintered_flag : 0));
  if (layout.overwintered) writer.u32(layout.version_group_id);
  writer.compact_size(layout.inputs.size());
  for (const TxInput& input : layout.inputs) {
    writer.bytes(source.subspan(input.prev_txid_offset, 32));
    writer.u32(input.prev_index);
    writer.var_bytes(bytes_of(source, input.script_sig));
    writer.u32(input.sequence);
  }
  writer.compact_size(layout.outputs.size());
  for (const TxOutput& output_item : layout.outputs) {
    writer.i64(output_item.value_sats);
    writer.var_bytes(bytes_of(source, output_item.script_pubkey));
  }
  writer.u32(layout.lock_time);
  if (layout.overwintered) writer.u32(layout.expiry_height);
  if (layout.is_sapling()) {
    writer.i64(layout.value_balance_sats);
    write_array(writer, source, layout.shielded_spends, shielded_spend_bytes);
    write_array(writer, source, layout.shielded_outputs, shielded_output_bytes);
  }
  if (layout.may_have_join_splits()) write_join_splits(writer, layout, source);
  if (layout.has_shielded_parts()) writer.bytes(bytes_of(source, layout.binding_sig));
  if (output.size() > input_bytes_max) {
    return {ErrorCode::input_over_limit, static_cast<std::uint32_t>(input_bytes_max)};
  }
  return {};
}

}  // namespace antara
