#include "transaction.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "arguments.h"
#include "bytes/hex.h"
#include "hash/sha256.h"
#include "instance.h"
#include "tx/flat.h"
#include "tx/parse.h"
#include "tx/serialize.h"

namespace antara::addon {
namespace {

constexpr std::size_t txid_characters = 64;

char* reserve_text(Instance& instance, std::size_t characters) {
  if (instance.text.size() < characters) instance.text.resize(2 * characters);
  return instance.text.data();
}

char* write_input_txids(const TxLayout& layout, Bytes raw, char* text) {
  for (const TxInput& input : layout.inputs) {
    reversed_hex_from_bytes(raw.subspan(input.prev_txid_offset, 32), text);
    text += txid_characters;
  }
  return text;
}

Error parse_source(const Source& source, TxLayout& layout) {
  return source.error.failed() ? source.error : parse_transaction(source.raw, layout);
}

/// The transactions of a batch: argument 0 is the hex of all, argument 1 their number, the result
/// words hold the number of characters of each.
struct Batch {
  std::vector<Bytes> transactions;
  bool has_upper_case = false;
};

/// Reports a failure in item `index` of a batch.
Napi::Value fail_item(const Napi::CallbackInfo& info, Error error, std::size_t index) {
  instance_of(info).words[2] = static_cast<std::uint32_t>(index);
  return fail(info, error);
}

/// Reads a batch; nothing, with the outcome set, if the hex of an item is malformed.
std::optional<Batch> batch_argument(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const auto counted = count_argument(info, 1);
  if (!counted) return std::nullopt;
  const std::size_t count = *counted;
  if (count > instance.words.size() - outcome_words) {
    misuse(info, "the scratch holds fewer lengths than the batch has items");
    return std::nullopt;
  }
  const std::vector<std::uint32_t> lengths(
      instance.words.begin() + outcome_words,
      instance.words.begin() + static_cast<std::ptrdiff_t>(outcome_words + count));

  std::size_t characters = 0;
  napi_get_value_string_latin1(info.Env(), info[0], nullptr, 0, &characters);
  char* text = reserve_text(instance, characters + 1);
  napi_get_value_string_latin1(info.Env(), info[0], text, characters + 1, &characters);
  if (instance.raw.size() < characters / 2) instance.raw.resize(characters / 2);

  const std::size_t announced =
      std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  if (announced != characters) {
    misuse(info, "the lengths of a batch do not add up to its text");
    return std::nullopt;
  }
  Batch batch;
  batch.transactions.reserve(count);
  std::size_t start = 0;
  for (std::size_t index = 0; index < count; ++index) {
    const std::span<const char> digits{text + start, lengths[index]};
    const MutableBytes raw = MutableBytes{instance.raw}.subspan(start / 2, digits.size() / 2);
    const HexText hex = bytes_from_hex(digits, raw);
    if (hex.error.failed()) {
      fail_item(info, hex.error, index);
      return std::nullopt;
    }
    batch.has_upper_case |= hex.has_upper_case;
    batch.transactions.push_back(raw);
    start += digits.size();
  }
  return batch;
}

}  // namespace

/// (hex or bytes) -> display txids of all inputs, then, for bytes, the hex of everything.
/// Words: outcome, upper-case flag in word 2, then tx/flat.h.
Napi::Value DecodeTransaction(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  TxLayout& layout = instance.layout;
  if (const Error error = parse_source(source, layout); error.failed()) return fail(info, error);

  if (!has_words(instance, outcome_words + flat_words(layout))) return info.Env().Undefined();
  instance.words[2] = source.has_upper_case ? 1 : 0;
  write_flat(layout, instance.words.subspan(outcome_words));

  const std::size_t txids = txid_characters * layout.inputs.size();
  const std::size_t characters = txids + (source.was_bytes ? 2 * source.raw.size() : 0);
  char* text = reserve_text(instance, characters);
  write_input_txids(layout, source.raw, text);
  if (source.was_bytes) hex_from_bytes(source.raw, text + txids);
  return text_value(info.Env(), {text, characters});
}

/// (words as tx/flat.h with lengths only, text of all bytes as hex, txids in display order)
/// -> hex of the transaction.
Napi::Value EncodeTransaction(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  if (!info[0].IsString()) return misuse(info, "expected hex");
  const Source source = source_argument(info, 0);
  if (source.error.failed()) return fail(info, source.error);
  TxLayout& layout = instance.layout;
  if (const Error error =
          read_flat(instance.words.subspan(outcome_words), source.raw.size(), layout);
      error.failed()) {
    return fail(info, error);
  }
  for (const TxInput& input : layout.inputs) {
    const auto txid = MutableBytes{instance.raw}.subspan(input.prev_txid_offset, 32);
    std::reverse(txid.begin(), txid.end());
  }
  instance.produced.clear();
  if (const Error error = serialize_transaction(layout, source.raw, instance.produced);
      error.failed()) {
    return fail(info, error);
  }
  const std::size_t characters = 2 * instance.produced.size();
  char* text = reserve_text(instance, characters);
  hex_from_bytes(instance.produced, text);
  return text_value(info.Env(), {text, characters});
}

/// (hex or bytes) -> bytes of the transaction that it starts with.
Napi::Value LeadingTransactionBytes(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (source.error.failed()) return fail(info, source.error);
  const auto bytes = leading_transaction_bytes(source.raw, instance.layout);
  if (!bytes.ok()) return fail(info, bytes.error());
  return Napi::Number::New(info.Env(), bytes.value());
}

/// (hex of all, how many; lengths in the result words) -> display txids of all inputs of all.
/// Words: outcome, upper-case flag in word 2, then tx/flat.h once for each transaction.
Napi::Value DecodeTransactions(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const auto batch = batch_argument(info);
  if (!batch) return info.Env().Undefined();

  TxLayout& layout = instance.layout;
  std::size_t words_needed = outcome_words;
  std::string txids;
  for (std::size_t index = 0; index < batch->transactions.size(); ++index) {
    const Bytes raw = batch->transactions[index];
    if (const Error error = parse_transaction(raw, layout); error.failed()) {
      return fail_item(info, error, index);
    }
    const std::size_t words_start = words_needed;
    words_needed += flat_words(layout);
    if (words_needed > instance.words.size()) continue;  // goes on to learn how many would do
    write_flat(layout, instance.words.subspan(words_start));
    const std::size_t text_start = txids.size();
    txids.resize(text_start + txid_characters * layout.inputs.size());
    write_input_txids(layout, raw, txids.data() + text_start);
  }
  if (!has_words(instance, words_needed)) return info.Env().Undefined();
  instance.words[2] = batch->has_upper_case ? 1 : 0;
  instance.trim();
  return text_value(info.Env(), txids);
}

/// (hex of all, how many; lengths in the result words) -> display txids.
Napi::Value TransactionIds(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const auto batch = batch_argument(info);
  if (!batch) return info.Env().Undefined();
  for (std::size_t index = 0; index < batch->transactions.size(); ++index) {
    const Error error = parse_transaction(batch->transactions[index], instance.layout);
    if (error.failed()) return fail_item(info, error, index);
  }
  std::vector<Hash256> hashes(batch->transactions.size());
  sha256d_batch(batch->transactions, hashes);
  std::string text(txid_characters * hashes.size(), '\0');
  for (std::size_t index = 0; index < hashes.size(); ++index) {
    reversed_hex_from_bytes(hashes[index], text.data() + txid_characters * index);
  }
  instance.trim();
  return text_value(info.Env(), text);
}

/// (hex or bytes) -> display txid.
Napi::Value TransactionId(const Napi::CallbackInfo& info) {
  Instance& instance = instance_of(info);
  const Source source = source_argument(info, 0);
  if (source.misused) return info.Env().Undefined();
  if (const Error error = parse_source(source, instance.layout); error.failed()) {
    return fail(info, error);
  }
  char text[txid_characters];
  reversed_hex_from_bytes(sha256d(source.raw), text);
  return text_value(info.Env(), text);
}

}  // namespace antara::addon
