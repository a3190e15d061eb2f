#pragma once

// Fulfillments as tests write them down: elements of hex, and trees of leaves that are alike.

#include <string>
#include <string_view>
#include <vector>

#include "cc/der_writer.h"
#include "cc/fingerprint.h"
#include "check.h"
#include "hex_text.h"

namespace antara::test {

/// One element: tag, length in its shortest form, contents; all of it hex.
inline std::string element(std::string_view tag, std::string_view contents) {
  Buffer header;
  DerWriter{header}.header(unhex(tag)[0], contents.size() / 2);
  return hex(header) + std::string{contents};
}

inline const std::string key_1 =
    "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
inline const std::string signature(128, '5');

inline Buffer condition_of(const ConditionTree& tree) {
  const Result<std::vector<Condition>> conditions = conditions_of(tree);
  CHECK(conditions.ok());
  Buffer output;
  if (conditions.ok()) write_condition(conditions.value().front(), output);
  return output;
}

inline const std::string pre_a = element("a0", "800161");
inline const std::string pre_b = element("a0", "800162");
inline const std::string eval_f2 = element("af", "8001f2");
inline const std::string condition_f2 =
    "af278020966c7c47125c74575a9a1153b799faf55be33a04e3d9f98760a3eeac377103df8103100000";

inline std::string threshold(std::string_view fulfilled, std::string_view conditions = "") {
  return element("a2", element("a0", fulfilled) + element("a1", conditions));
}

inline std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t index = 0; index < count; ++index) result += text;
  return result;
}

/// A threshold over leaves of one type, every leaf with the same value.
inline ConditionTree threshold_over(std::uint32_t threshold, std::uint32_t members,
                                    ConditionType type, Bytes value) {
  ConditionTree tree;
  tree.data = value;
  tree.nodes.resize(members + 1);
  tree.nodes[0].type = ConditionType::threshold;
  tree.nodes[0].threshold = threshold;
  tree.nodes[0].members = members;
  for (std::uint32_t index = 1; index <= members; ++index) {
    tree.nodes[index].type = type;
    tree.nodes[index].offset = index;
    tree.nodes[index].value = Slice{0, static_cast<std::uint32_t>(value.size())};
  }
  return tree;
}

}  // namespace antara::test
