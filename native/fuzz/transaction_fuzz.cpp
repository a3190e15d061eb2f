// Any bytes either fail with an error whose offset is in the input, or parse to a layout. The
// layout must serialize to the same bytes, directly and by way of the words of the seam.

#include <cstdlib>
#include <vector>

#include "seam/transaction_words.h"
#include "tx/parse.h"
#include "tx/serialize.h"

namespace {

using namespace antara;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The bytes of `layout` in the order that read_layout expects.
std::vector<std::uint8_t> gathered_bytes(const TxLayout& layout, Bytes raw) {
  std::vector<std::uint8_t> gathered;
  const auto add = [&](Slice slice) {
    const Bytes part = bytes_of(raw, slice);
    gathered.insert(gathered.end(), part.begin(), part.end());
  };
  for (const TxInput& input : layout.inputs) {
    add({input.prev_txid_offset, 32});
    add(input.script_sig);
  }
  for (const TxOutput& output : layout.outputs) add(output.script_pubkey);
  add(layout.shielded_spends);
  add(layout.shielded_outputs);
  for (const JoinSplit& item : layout.join_splits) add(item.rest);
  add(layout.join_split_pub_key);
  add(layout.join_split_sig);
  add(layout.binding_sig);
  return gathered;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes raw{data, size};
  TxLayout layout;
  const Error error = parse_transaction(raw, layout);
  if (error.failed()) {
    require(error.offset <= size);
    return 0;
  }

  std::vector<std::uint8_t> direct;
  require(!serialize_transaction(layout, raw, direct).failed());
  require(std::equal(direct.begin(), direct.end(), raw.begin(), raw.end()));

  std::vector<std::uint32_t> words(seam::layout_words(layout));
  seam::write_layout(layout, words);
  const std::vector<std::uint8_t> gathered = gathered_bytes(layout, raw);
  TxLayout returned;
  require(!seam::read_layout(words, gathered.size(), returned).failed());
  std::vector<std::uint8_t> through_words;
  require(!serialize_transaction(returned, gathered, through_words).failed());
  require(through_words == direct);
  return 0;
}
