#include <algorithm>

#include "bytes/hex.h"
#include "hash/sha256.h"
#include "seam/functions.h"
#include "seam/transaction_words.h"
#include "tx/parse.h"
#include "tx/serialize.h"

namespace antara::seam {
namespace {

constexpr std::size_t txid_characters = 64;

/// Reverses eight bytes at a time: single bytes would take a tenth of an encode.
void reverse_txid(MutableBytes txid) noexcept {
  std::array<std::uint64_t, 4> words{};
  static_assert(sizeof words == txid_characters / 2);
  std::memcpy(words.data(), txid.data(), sizeof words);
  std::ranges::reverse(words);
  for (std::uint64_t& word : words) word = __builtin_bswap64(word);
  std::memcpy(txid.data(), words.data(), sizeof words);
}

enum class OwnTxid : bool { left_out, appended };

Outcome decode(Call& call, OwnTxid own_txid) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  // A reference avoids a copy in wider steps than the preceding writes, for which the processor
  // would wait.
  const auto& [raw, was_text, has_upper_case] = source.value();
  TxLayout& layout = call.state().layout;
  if (const Error error = parse_transaction(raw, layout); error.failed()) return error;
  write_layout(layout, call.answer_words(layout_words(layout)));
  call.set_detail(has_upper_case ? 1 : 0);

  const std::size_t txids = txid_characters * layout.inputs.size();
  const std::size_t end = txids + (was_text ? 0 : 2 * raw.size());
  const bool has_own = own_txid == OwnTxid::appended;
  char* text = call.text_room(end + (has_own ? txid_characters : 0));
  if (!was_text) hex_from_bytes(raw, text + txids);
  if (has_own) reversed_hex_from_bytes(sha256d(raw), text + end);
  for (const TxInput& input : layout.inputs) {
    reversed_hex_from_bytes(raw.subspan(input.prev_txid_offset, 32), text);
    text += txid_characters;
  }
  return {};
}

}  // namespace

Outcome decode_transaction(Call& call) { return decode(call, OwnTxid::left_out); }

Outcome decode_with_txid(Call& call) { return decode(call, OwnTxid::appended); }

Outcome encode_transaction(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes raw = source.value().raw;
  State& state = call.state();
  TxLayout& layout = state.layout;
  const Outcome misfit = read_layout(state.words.subspan(result_base), raw.size(), layout);
  if (misfit.failed()) return misfit;
  for (const TxInput& input : layout.inputs) {
    reverse_txid(call.spelled(0).subspan(input.prev_txid_offset, 32));
  }
  state.produced.clear();
  const Error error = serialize_transaction(layout, raw, state.produced);
  if (error.failed()) return error;
  call.answer_hex(state.produced);
  return {};
}

Outcome leading_transaction_bytes(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const auto bytes = antara::leading_transaction_bytes(source.value().raw, call.state().layout);
  if (!bytes.ok()) return bytes.error();
  call.answer_record(LeadingWords{bytes.value()});
  return {};
}

Outcome transaction_id(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes raw = source.value().raw;
  if (const Error error = parse_transaction(raw, call.state().layout); error.failed()) return error;
  reversed_hex_from_bytes(sha256d(raw), call.text_room(txid_characters));
  return {};
}

}  // namespace antara::seam
