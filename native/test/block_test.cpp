#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "block/equihash.h"
#include "block/header.h"
#include "block/transactions.h"
#include "check.h"
#include "hash/sha256.h"
#include "hex_text.h"
#include "json.h"

namespace {

using namespace antara;
using namespace antara::test;

/// The parameters of chains for tests, -ac_nk=48,5.
constexpr EquihashParameters ac_nk{48, 5, EquihashLeaves::ac_nk};

/// A header of a real block, as the vectors have it.
struct RealHeader {
  EquihashParameters parameters;
  Buffer bytes;
  std::string hash;
};

std::string reversed_hex(Hash256 hash) {
  std::string text(64, '\0');
  reversed_hex_from_bytes(hash, text.data());
  return text;
}

BlockHeader header_of(Bytes block) {
  ByteReader reader{block};
  const BlockHeader header = read_header(reader);
  CHECK(!reader.failed());
  return header;
}

/// Blocks of five public chains, published as test data by spesmilo/electrumx.
std::vector<RealHeader> public_headers() {
  std::ifstream file(ANTARA_TEST_VECTORS "/headers/public-blocks.json");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  std::vector<RealHeader> headers;
  for (const Json& block : JsonReader(source).value().list) {
    Buffer bytes = unhex(block["block"].text);
    bytes.resize(header_of(bytes).length);
    headers.push_back({{}, std::move(bytes), block["hash"].text});
  }
  return headers;
}

/// The headers of a chain that a real komodod made, from block 0, which is Equihash 200, 9.
std::vector<RealHeader> komodod_headers() {
  std::ifstream file(ANTARA_TEST_VECTORS "/headers/komodod-headers.txt");
  std::vector<RealHeader> headers;
  std::string line;
  while (std::getline(file, line)) {
    Buffer bytes = unhex(line);
    const bool is_first = headers.empty();
    const std::string hash = reversed_hex(sha256d(bytes));
    headers.push_back({is_first ? EquihashParameters{} : ac_nk, std::move(bytes), hash});
  }
  return headers;
}

EquihashVerdict verdict_on(const RealHeader& real, Bytes bytes) {
  const BlockHeader header = header_of(bytes);
  return verify_equihash(real.parameters, bytes.first(equihash_input_bytes),
                         bytes_of(bytes, header.solution))
      .value_or(EquihashVerdict::wrong_length);
}

void check_real_headers() {
  for (const RealHeader& real : public_headers()) {
    CHECK(reversed_hex(sha256d(real.bytes)) == real.hash);
    CHECK(verdict_on(real, real.bytes) == EquihashVerdict::valid);
  }
  const std::vector<RealHeader> chain = komodod_headers();
  CHECK(chain.size() == 196);
  CHECK(chain[0].hash == "027e3758c3a65b12aa1046462b486d0a63bfa1beae327897f56c5cfb7daaae71");
  std::string previous(64, '0');
  for (const RealHeader& real : chain) {
    CHECK(verdict_on(real, real.bytes) == EquihashVerdict::valid);
    const BlockHeader header = header_of(real.bytes);
    Hash256 named{};
    std::copy_n(real.bytes.begin() + header.previous_offset, 32, named.begin());
    CHECK(reversed_hex(named) == previous);
    CHECK(header.length == real.bytes.size());
    previous = real.hash;
  }
}

/// Every bit of a header and of its solution, changed by itself, breaks the proof of work.
void check_every_single_change(const RealHeader& real) {
  Buffer changed = real.bytes;
  const std::size_t solution = header_of(real.bytes).solution.offset;
  for (std::size_t bit = 0; bit < 8 * real.bytes.size(); ++bit) {
    const std::size_t byte = bit / 8;
    // The length of the solution is not a part of the puzzle.
    if (byte >= equihash_input_bytes && byte < solution) continue;
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    changed[byte] ^= mask;
    CHECK(verdict_on(real, changed) != EquihashVerdict::valid);
    changed[byte] ^= mask;
  }
}

/// Puts 21-bit or 9-bit indices where a solution has them.
void write_index(Buffer& bytes, std::size_t start, std::size_t index_bits, std::size_t at,
                 std::uint32_t index) {
  for (std::size_t bit = 0; bit < index_bits; ++bit) {
    const std::size_t place = at * index_bits + bit;
    const auto mask = static_cast<std::uint8_t>(0x80U >> place % 8);
    std::uint8_t& byte = bytes[start + place / 8];
    const bool is_set = (index >> (index_bits - 1 - bit) & 1) != 0;
    byte = static_cast<std::uint8_t>(is_set ? byte | mask : byte & ~mask);
  }
}

std::uint32_t read_index(const Buffer& bytes, std::size_t start, std::size_t index_bits,
                         std::size_t at) {
  std::uint32_t index = 0;
  for (std::size_t place = at * index_bits; place < (at + 1) * index_bits; ++place) {
    index = index << 1 | (bytes[start + place / 8] >> (7 - place % 8) & 1U);
  }
  return index;
}

/// Rearrangements of a valid solution, which collide as it does, break the other rules.
void check_rearranged(const RealHeader& real) {
  const auto [n, k, leaves] = real.parameters;
  const std::size_t index_bits = n / (k + 1) + 1;
  const std::size_t count = std::size_t{1} << k;
  const std::size_t start = header_of(real.bytes).solution.offset;
  std::vector<std::uint32_t> indices(count);
  for (std::size_t at = 0; at < count; ++at) {
    indices[at] = read_index(real.bytes, start, index_bits, at);
  }
  // Each pair of neighbouring subtrees, of each size, changes places.
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t left = 0; left < count; left += 2 * width) {
      Buffer changed = real.bytes;
      for (std::size_t at = 0; at < width; ++at) {
        write_index(changed, start, index_bits, left + at, indices[left + width + at]);
        write_index(changed, start, index_bits, left + width + at, indices[left + at]);
      }
      CHECK(verdict_on(real, changed) == EquihashVerdict::wrong_order);
    }
  }
  // The left half twice collides in all bits with itself.
  Buffer doubled = real.bytes;
  for (std::size_t at = 0; at < count; ++at) {
    write_index(doubled, start, index_bits, at, indices[at % (count / 2)]);
  }
  CHECK(verdict_on(real, doubled) == EquihashVerdict::repeated_index);
  Buffer zeros = real.bytes;
  std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(start), zeros.end(), 0);
  CHECK(verdict_on(real, zeros) == EquihashVerdict::repeated_index);
}

void check_other_parameters() {
  const RealHeader real = komodod_headers()[1];
  const Bytes input = Bytes{real.bytes}.first(equihash_input_bytes);
  const Bytes solution = bytes_of(real.bytes, header_of(real.bytes).solution);
  CHECK(verify_equihash(ac_nk, input, solution) == EquihashVerdict::valid);
  CHECK(verify_equihash(ac_nk, input, solution.first(35)) == EquihashVerdict::wrong_length);
  CHECK(verify_equihash(ac_nk, input, {}) == EquihashVerdict::wrong_length);
  CHECK(verify_equihash({48, 5}, input, solution) == EquihashVerdict::wrong_collision);
  CHECK(verify_equihash({200, 9}, input, solution) == EquihashVerdict::wrong_length);
  CHECK(!verify_equihash({144, 5}, input, solution).has_value());
  CHECK(!verify_equihash({200, 8}, input, solution).has_value());
  CHECK(!verify_equihash({0, 0}, input, solution).has_value());
}

Error error_of(Bytes bytes) {
  ByteReader reader{bytes};
  const BlockHeader header = read_header(reader);
  CHECK(reader.failed() || header.length == bytes.size());
  return reader.finish();
}

void check_malformed_headers() {
  const RealHeader real = komodod_headers()[1];
  CHECK(!error_of(real.bytes).failed());
  for (std::size_t length = 0; length < real.bytes.size(); ++length) {
    CHECK(error_of(Bytes{real.bytes}.first(length)).code == ErrorCode::truncated);
  }
  Buffer other = real.bytes;
  other.resize(equihash_input_bytes);
  other.insert(other.end(), {0xfd, 0x24, 0x00});
  CHECK(error_of(other) == (Error{ErrorCode::non_canonical_length, equihash_input_bytes}));
  other.resize(equihash_input_bytes);
  other.insert(other.end(), {0xfd, 0x41, 0x05});
  CHECK(error_of(other) == (Error{ErrorCode::length_over_limit, equihash_input_bytes}));
  other.resize(equihash_input_bytes);
  other.insert(other.end(), {0xfd, 0x40, 0x05});
  CHECK(error_of(other) == (Error{ErrorCode::truncated, equihash_input_bytes + 3}));
}

/// Blocks of five public chains: each has the txids and the root that its publisher printed.
void check_real_transactions() {
  std::ifstream file(ANTARA_TEST_VECTORS "/headers/public-blocks.json");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  for (const Json& block : JsonReader(source).value().list) {
    const Buffer bytes = unhex(block["block"].text);
    const std::vector<Json>& txids = block["txids"].list;
    CHECK(txids.size() < 0xfd);
    const Bytes body = Bytes{bytes}.subspan(header_of(bytes).length + 1);
    TxLayout layout;
    std::vector<BlockTransaction> transactions;
    const auto count = static_cast<std::uint32_t>(txids.size());
    CHECK(!read_block_transactions(body, count, layout, transactions).failed());
    CHECK(transactions.size() == txids.size());
    std::uint32_t offset = 0;
    for (std::size_t at = 0; at < transactions.size(); ++at) {
      CHECK(reversed_hex(transactions[at].txid) == txids[at].text);
      CHECK(transactions[at].bytes.offset == offset);
      offset += transactions[at].bytes.length;
    }
    CHECK(offset == body.size());
    CHECK(reversed_hex(merkle_root(transactions)) == block["merkleroot"].text);

    const auto refused = [&](Bytes some, std::uint32_t number) {
      return read_block_transactions(some, number, layout, transactions);
    };
    for (std::size_t length = 0; length < body.size(); ++length) {
      const ErrorCode code = refused(body.first(length), count).code;
      CHECK(code == ErrorCode::truncated || code == ErrorCode::empty_input ||
            code == ErrorCode::count_over_input);
    }
    CHECK(refused(body, 0xffffffff) ==
          (Error{ErrorCode::empty_input, static_cast<std::uint32_t>(body.size())}));
    CHECK(refused(body, 0) == (Error{ErrorCode::trailing_bytes, 0}));
  }
  CHECK(merkle_root({}) == Hash256{});
}

}  // namespace

int main() {
  check_real_headers();
  check_every_single_change(komodod_headers()[1]);
  check_every_single_change(public_headers()[0]);
  for (const RealHeader& real : public_headers()) check_rearranged(real);
  check_rearranged(komodod_headers()[195]);
  check_other_parameters();
  check_malformed_headers();
  check_real_transactions();
  return report();
}
