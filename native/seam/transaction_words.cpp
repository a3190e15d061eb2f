#include "seam/transaction_words.h"

namespace antara::seam {
namespace {

constexpr std::size_t header_words = sizeof(HeaderWords) / 4;
constexpr std::size_t input_words = sizeof(InputWords) / 4;
constexpr std::size_t output_words = sizeof(OutputWords) / 4;
constexpr std::size_t join_split_words = sizeof(JoinSplitWords) / 4;

/// Cuts consecutive slices from a buffer, and keeps the first error.
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

/// Reads records one after another. The caller guarantees that there are enough.
class RecordReader {
 public:
  explicit RecordReader(std::span<const std::uint32_t> words) noexcept : words_(words) {}

  template <typename Record>
  Record next() noexcept {
    const auto record = Call::at<Record>(words_);
    words_ = words_.subspan(sizeof(Record) / 4);
    return record;
  }

 private:
  std::span<const std::uint32_t> words_;
};

}  // namespace

std::size_t layout_words(const TxLayout& layout) noexcept {
  return header_words + input_words * layout.inputs.size() + output_words * layout.outputs.size() +
         join_split_words * layout.join_splits.size();
}

void write_layout(const TxLayout& layout, std::span<std::uint32_t> words) noexcept {
  words = Call::put(
      words,
      HeaderWords{
          .version = layout.version | (layout.overwintered ? overwintered_flag : 0),
          .group_id = layout.version_group_id,
          .lock_time = layout.lock_time,
          .expiry_height = layout.expiry_height,
          .value_balance = layout.value_balance_sats,
          .inputs = static_cast<std::uint32_t>(layout.inputs.size()),
          .outputs = static_cast<std::uint32_t>(layout.outputs.size()),
          .join_splits = static_cast<std::uint32_t>(layout.join_splits.size()),
          .spends =
              static_cast<std::uint32_t>(layout.shielded_spends.length / shielded_spend_bytes),
          .spends_offset = layout.shielded_spends.offset,
          .shielded_outputs =
              static_cast<std::uint32_t>(layout.shielded_outputs.length / shielded_output_bytes),
          .shielded_outputs_offset = layout.shielded_outputs.offset,
          .join_split_key_offset = layout.join_split_pub_key.offset,
          .binding_sig_offset = layout.binding_sig.offset,
      });
  for (const TxInput& input : layout.inputs) {
    const Slice script = input.script_sig;
    words = Call::put(words,
                      InputWords{input.prev_index, input.sequence, script.offset, script.length});
  }
  for (const TxOutput& output : layout.outputs) {
    const Slice script = output.script_pubkey;
    words = Call::put(words, OutputWords{output.value_sats, script.offset, script.length});
  }
  for (const JoinSplit& item : layout.join_splits) {
    words = Call::put(words, JoinSplitWords{item.vpub_old_sats, item.vpub_new_sats,
                                            item.rest.offset, item.rest.length});
  }
}

Outcome read_layout(std::span<const std::uint32_t> words, std::size_t source_bytes,
                    TxLayout& layout) {
  if (words.size() < header_words) return ArgumentError::words_beyond_scratch;
  RecordReader records{words};
  const auto header = records.next<HeaderWords>();
  const std::uint64_t needed_words = header_words + std::uint64_t{input_words} * header.inputs +
                                     std::uint64_t{output_words} * header.outputs +
                                     std::uint64_t{join_split_words} * header.join_splits;
  if (words.size() < needed_words) return ArgumentError::words_beyond_scratch;

  layout.overwintered = (header.version & overwintered_flag) != 0;
  layout.version = header.version & ~overwintered_flag;
  layout.version_group_id = header.group_id;
  layout.lock_time = header.lock_time;
  layout.expiry_height = header.expiry_height;
  layout.value_balance_sats = header.value_balance;
  layout.inputs.resize(header.inputs);
  layout.outputs.resize(header.outputs);
  layout.join_splits.resize(header.join_splits);

  SliceDealer dealer{source_bytes};
  for (TxInput& input : layout.inputs) {
    const auto record = records.next<InputWords>();
    input.prev_index = record.prev_index;
    input.sequence = record.sequence;
    input.prev_txid_offset = dealer.next(32).offset;
    input.script_sig = dealer.next(record.script_length);
  }
  for (TxOutput& output : layout.outputs) {
    const auto record = records.next<OutputWords>();
    output.value_sats = record.value;
    output.script_pubkey = dealer.next(record.script_length);
  }
  layout.shielded_spends = dealer.next(std::uint64_t{header.spends} * shielded_spend_bytes);
  layout.shielded_outputs =
      dealer.next(std::uint64_t{header.shielded_outputs} * shielded_output_bytes);
  for (JoinSplit& item : layout.join_splits) {
    const auto record = records.next<JoinSplitWords>();
    item.vpub_old_sats = record.vpub_old;
    item.vpub_new_sats = record.vpub_new;
    item.rest = dealer.next(layout.join_split_bytes() - join_split_amounts_bytes);
  }
  layout.join_split_pub_key = dealer.next(layout.join_splits.empty() ? 0 : 32);
  layout.join_split_sig = dealer.next(layout.join_splits.empty() ? 0 : 64);
  layout.binding_sig = dealer.next(layout.has_shielded_parts() ? 64 : 0);
  return dealer.finish();
}

}  // namespace antara::seam
