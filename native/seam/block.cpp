#include <string>
#include <vector>

#include "block/equihash.h"
#include "block/header.h"
#include "block/transactions.h"
#include "bytes/hex.h"
#include "hash/sha256.h"
#include "seam/functions.h"
#include "seam/support.h"

namespace antara::seam {
namespace {

constexpr std::size_t txid_characters = 64;
constexpr std::size_t transactions_many = 4096;

void append_reversed_hex(Bytes bytes, std::string& text) {
  const std::size_t start = text.size();
  text.resize(start + 2 * bytes.size());
  reversed_hex_from_bytes(bytes, text.data() + start);
}

void append_text(Bytes raw, const BlockHeader& header, std::string& text) {
  append_reversed_hex(sha256d(bytes_of(raw, {header.offset, header.length})), text);
  for (const std::uint32_t offset : {header.previous_offset, header.merkle_root_offset,
                                     header.final_root_offset, header.nonce_offset}) {
    append_reversed_hex(raw.subspan(offset, 32), text);
  }
  append_hex(bytes_of(raw, header.solution), text);
}

/// Returns the parameters that the words name, without a value for unknown ones.
std::optional<EquihashParameters> parameters_of(const BlockReadingWords& reading) {
  if (reading.leaves > static_cast<std::uint32_t>(EquihashLeaves::ac_nk)) return std::nullopt;
  const EquihashParameters parameters{reading.n, reading.k,
                                      static_cast<EquihashLeaves>(reading.leaves)};
  if (!verify_equihash(parameters, {}, {})) return std::nullopt;
  return parameters;
}

}  // namespace

Outcome read_block_headers(Call& call) {
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  const Bytes raw = source.value().raw;
  if (raw.empty()) return Error{ErrorCode::empty_input, 0};
  const auto reading = call.head<BlockReadingWords>();
  const std::optional<EquihashParameters> parameters = parameters_of(reading);
  if (reading.n != 0 && !parameters) return ArgumentError::unknown_equihash;

  std::vector<BlockHeader> headers;
  ByteReader reader{raw};
  while (reader.remaining() != 0) {
    if (reading.count_max != 0 && headers.size() == reading.count_max) break;
    headers.push_back(read_header(reader));
    if (reader.failed()) return reader.error();
  }

  std::span<std::uint32_t> words = call.answer_words(sizeof(BlockHeadersWords) / 4 +
                                                     sizeof(BlockHeaderWords) / 4 * headers.size());
  words = Call::put(words,
                    BlockHeadersWords{static_cast<std::uint32_t>(headers.size()), reader.offset()});
  std::string text;
  for (const BlockHeader& header : headers) {
    append_text(raw, header, text);
    EquihashVerdict verdict = EquihashVerdict::valid;
    if (parameters) {
      verdict = *verify_equihash(*parameters, raw.subspan(header.offset, equihash_input_bytes),
                                 bytes_of(raw, header.solution));
    }
    words = Call::put(words, BlockHeaderWords{
                                 .version = header.version,
                                 .time = header.time,
                                 .bits = header.bits,
                                 .length = header.length,
                                 .solution_length = header.solution.length,
                                 .equihash = static_cast<std::uint32_t>(verdict),
                             });
  }
  call.answer_text(text);
  return {};
}

Outcome split_transactions(Call& call) {
  const auto count = call.head<CountedTransactionsWords>().count;
  std::vector<BlockTransaction> transactions;
  const Error error =
      read_block_transactions(call.inputs[0].bytes, count, call.state().layout, transactions);
  if (error.failed()) return error;
  // Memory for the answer on a large block is not kept.
  if (transactions.size() > transactions_many) call.state().is_grown = true;
  char* text = call.text_room(txid_characters * (transactions.size() + 1));
  std::span<std::uint32_t> words =
      call.answer_words(sizeof(SplitTransactionWords) / 4 * transactions.size());
  for (const BlockTransaction& transaction : transactions) {
    words = Call::put(words, SplitTransactionWords{transaction.bytes.length});
    reversed_hex_from_bytes(transaction.txid, text);
    text += txid_characters;
  }
  reversed_hex_from_bytes(merkle_root(transactions), text);
  return {};
}

}  // namespace antara::seam
