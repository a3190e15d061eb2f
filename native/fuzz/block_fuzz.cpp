// Reads any bytes as headers that follow each other, and checks their proof of work. Headers cover
// what was read without a gap. A solution of the right length that is not valid has a fault, and no
// single change of a valid one is valid.

#include <vector>

#include "block/equihash.h"
#include "block/header.h"
#include "numbers.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes{data, size};
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
