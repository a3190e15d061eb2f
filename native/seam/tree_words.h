#pragma once

#include <string>
#include <vector>

#include "cc/tree.h"
#include "seam/call.h"

namespace antara::seam {

// The form in which trees of conditions cross: how many nodes, then each node before its members.
// Every record is an even number of words, so that 64-bit values stay aligned.

/// Words of an answer whose number shows only at its end.
class GrowingWords {
 public:
  template <typename Record>
  void add(const Record& record) {
    const std::size_t start = words_.size();
    words_.resize(start + sizeof(Record) / 4);
    Call::put(std::span{words_}.subspan(start), record);
  }
  void answer(Call& call) const;

 private:
  std::vector<std::uint32_t> words_;
};

/// Reads a tree, whose data must be there already, and leaves in `words` what follows it. A node's
/// offset is its index. Refuses words that end early and slices beyond the data.
[[nodiscard]] Outcome read_tree(std::span<const std::uint32_t>& words, TreeWords& head,
                                ConditionTree& tree);

/// Adds the nodes of a decoded tree. Their slices count from `start`, where its data begin in the
/// text. Adds to `hashes` the hex of the hash that each secp256k1hash node stands for.
void add_nodes(const ConditionTree& tree, std::size_t start, GrowingWords& words,
               std::string& hashes);

}  // namespace antara::seam
