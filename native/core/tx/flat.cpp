#include "tx/flat.h"

#include <bit>

namespace antara {
namespace {

void write_i64(std::int64_t value, std::uint32_t* words) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  words[0] = static_cast<std::uint32_t>(bits);
  words[1] = static_cast<std::uint32_t>(bits >> 32);
}

std::int64_t read_i64(const std::uint32_t* words) noexcept {
  return std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(words[1]) << 32 | words[0]);
}

/// Hands out consecutive slices of a buffer and remembers the first that does not fit.
class SliceDealer {
 public:
  explicit SliceDealer(std::size_t available_bytes) noexcept : available_(available_bytes) {}

  Slice next(std::uint64_t length) noexcept {
    if (error_.failed() || length > available_ - position_) {
      if (!error_.failed()) error_ = {ErrorCode::truncated, static_cast<std::uint32_t>(position_)};
      return {};
    }
    const Slice slice{static_cast<std::uint32_t>(position_), static_cast<std::uint32_t>(length)};
    position_ += static_cast<std::size_t>(length);
    return slice;
  }

  [[nodiscard]] Error finish() const noexcept {
    if (!error_.failed() && position_ != available_) {
      return {ErrorCode::trailing_bytes, static_cast<std::uint32_t>(position_)};
    }
    return error_;
  }

 private:
  std::size_t available_;
  std::size_t position_ = 0;
  Error error_;
};

}  // namespace

std::size_t flat_words(const TxLayout& layout) noexcept {
  return flat_header_words + flat_input_words * layout.inputs.size() +
         flat_output_words * layout.outputs.size() +
         flat_join_split_words * layout.join_splits.size();
}

void write_flat(const TxLayout& layout, std::span<std::uint32_t> words) noexcept {
  std::uint32_t* word = words.data();
  word[0] = layout.version | (layout.overwintered ? overwintered_flag : 0);
  word[1] = layout.version_group_id;
  word[2] = layout.lock_time;
  word[3] = layout.expiry_height;
  write_i64(layout.value_balance_sats, word + 4);
  word[6] = static_cast<std::uint32_t>(layout.inputs.size());
  word[7] = static_cast<std::uint32_t>(layout.outputs.size());
  word[8] = static_cast<std::uint32_t>(layout.join_splits.size());
  word[9] = static_cast<std::uint32_t>(layout.shielded_spends.length / shielded_spend_bytes);
  word[10] = layout.shielded_spends.offset;
  word[11] = static_cast<std::uint32_t>(layout.shielded_outputs.length / shielded_output_bytes);
  word[12] = layout.shielded_outputs.offset;
  word[13] = layout.join_split_pub_key.offset;
  word[14] = layout.binding_sig.offset;
  word[15] = 0;
  word += flat_header_words;
  for (const TxInput& input : layout.inputs) {
    word[0] = input.prev_index;
    word[1] = input.sequence;
    word[2] = input.script_sig.offset;
    word[3] = input.script_sig.length;
    word += flat_input_words;
  }
  for (const TxOutput& output : layout.outputs) {
    write_i64(output.value_sats, word);
    word[2] = output.script_pubkey.offset;
    word[3] = output.script_pubkey.length;
    word += flat_output_words;
  }
  for (const JoinSplit& item : layout.join_splits) {
    write_i64(item.vpub_old_sats, word);
    write_i64(item.vpub_new_sats, word + 2);
    word[4] = item.rest.offset;
    word[5] = item.rest.length;
    word += flat_join_split_words;
  }
}

Error read_flat(std::span<const std::uint32_t> words, std::size_t source_bytes, TxLayout& layout) {
  if (words.size() < flat_header_words) return {ErrorCode::truncated, 0};
  const std::uint32_t* word = words.data();
  const std::uint64_t needed_words =
      flat_header_words + std::uint64_t{flat_input_words} * word[6] +
      std::uint64_t{flat_output_words} * word[7] + std::uint64_t{flat_join_split_words} * word[8];
  if (words.size() < needed_words) return {ErrorCode::truncated, 0};

  layout.overwintered = (word[0] & overwintered_flag) != 0;
  layout.version = word[0] & ~overwintered_flag;
  layout.version_group_id = word[1];
  layout.lock_time = word[2];
  layout.expiry_height = word[3];
  layout.value_balance_sats = read_i64(word + 4);
  layout.inputs.resize(word[6]);
  layout.outputs.resize(word[7]);
  layout.join_splits.resize(word[8]);
  const std::uint32_t spends = word[9];
  const std::uint32_t outputs = word[11];
  word += flat_header_words;

  SliceDealer dealer{source_bytes};
  for (TxInput& input : layout.inputs) {
    input.prev_index = word[0];
    input.sequence = word[1];
    input.prev_txid_offset = dealer.next(32).offset;
    input.script_sig = dealer.next(word[3]);
    word += flat_input_words;
  }
  for (TxOutput& output : layout.outputs) {
    output.value_sats = read_i64(word);
    output.script_pubkey = dealer.next(word[3]);
    word += flat_output_words;
  }
  layout.shielded_spends = dealer.next(std::uint64_t{spends} * shielded_spend_bytes);
  layout.shielded_outputs = dealer.next(std::uint64_t{outputs} * shielded_output_bytes);
  for (JoinSplit& item : layout.join_splits) {
    item.vpub_old_sats = read_i64(word);
    item.vpub_new_sats = read_i64(word + 2);
    item.rest = dealer.next(layout.join_split_bytes() - join_split_amounts_bytes);
    word += flat_join_split_words;
  }
  layout.join_split_pub_key = dealer.next(layout.join_splits.empty() ? 0 : 32);
  layout.join_split_sig = dealer.next(layout.join_splits.empty() ? 0 : 64);
  layout.binding_sig = dealer.next(layout.has_shielded_parts() ? 64 : 0);
  return dealer.finish();
}

}  // namespace antara
