// Reads any bytes as headers that follow each other, and checks their proof of work. Headers cover
// what was read without a gap. A solution of the right length that is not valid has a fault, and no
// single change of a valid one is valid.
//
// Reads the bytes as up to three transactions too. They cover what was read without a
// gap, each can be read alone, and their root is that of a tree that is built from the top.

#include <vector>

#include "block/equihash.h"
#include "block/header.h"
#include "block/transactions.h"
#include "hash/sha256.h"
#include "numbers.h"
#include "tx/parse.h"

namespace {

using namespace antara;
using antara::fuzz::require;

constexpr EquihashParameters every_parameters[] = {
    {200, 9},
    {48, 5},
    {48, 5, EquihashLeaves::ac_nk},
};

void check_proof(Bytes header_bytes, Slice solution, EquihashParameters parameters) {
  const Bytes input = header_bytes.first(equihash_input_bytes);
  std::vector<std::uint8_t> changed(header_bytes.begin() + solution.offset, header_bytes.end());
  const EquihashVerdict verdict = verify_equihash(parameters, input, changed).value();
  const std::size_t expected = parameters.n == 200 ? 1344 : 36;
  require((verdict == EquihashVerdict::wrong_length) == (solution.length != expected));
  if (verdict != EquihashVerdict::valid) return;
  for (const std::size_t byte : {std::size_t{0}, changed.size() / 2, changed.size() - 1}) {
    changed[byte] ^= 1;
    require(verify_equihash(parameters, input, changed) != EquihashVerdict::valid);
    changed[byte] ^= 1;
  }
}

/// Returns the root of a row that is `width` wide, filled with its last hash to a power of two.
Hash256 root_of(const std::vector<BlockTransaction>& transactions, std::size_t from,
                std::size_t width) {
  if (width == 1) return transactions[from].txid;
  const std::size_t half = width / 2;
  const Hash256 left = root_of(transactions, from, half);
  // A node without a right side is hashed with itself.
  const bool has_right = from + half < transactions.size();
  const Hash256 right = has_right ? root_of(transactions, from + half, half) : left;
  std::vector<std::uint8_t> both(left.begin(), left.end());
  both.insert(both.end(), right.begin(), right.end());
  return sha256d(both);
}

void check_transactions(Bytes bytes, std::uint32_t count) {
  TxLayout layout;
  std::vector<BlockTransaction> transactions;
  const Error error = read_block_transactions(bytes, count, layout, transactions);
  if (error.failed()) {
    require(error.offset <= bytes.size());
    return;
  }
  require(transactions.size() == count);
  std::uint32_t end = 0;
  for (const BlockTransaction& transaction : transactions) {
    require(transaction.bytes.offset == end);
    end += transaction.bytes.length;
    const Bytes own = bytes_of(bytes, transaction.bytes);
    const Error alone = parse_transaction(own, layout);
    require(!alone.failed() && sha256d(own) == transaction.txid);
  }
  require(end == bytes.size());
  std::size_t width = 1;
  while (width < transactions.size()) width *= 2;
  const Hash256 expected = transactions.empty() ? Hash256{} : root_of(transactions, 0, width);
  require(merkle_root(transactions) == expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes{data, size};
  for (std::uint32_t count = 0; count < 4; ++count) check_transactions(bytes, count);
  ByteReader reader{bytes};
  while (reader.remaining() != 0) {
    const std::uint32_t start = reader.offset();
    const BlockHeader header = read_header(reader);
    if (reader.failed()) {
      require(reader.error().offset <= size);
      return 0;
    }
    require(header.offset == start && header.length == reader.offset() - start);
    const Slice solution{header.solution.offset - start, header.solution.length};
    for (const EquihashParameters& parameters : every_parameters) {
      check_proof(bytes.subspan(start, header.length), solution, parameters);
    }
  }
  return 0;
}
