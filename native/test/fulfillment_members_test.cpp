// Which members of a tree are fulfilled, which are shown as conditions, and what has no
// fulfillment.

#include <string>
#include <string_view>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "check.h"
#include "fulfillment_text.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

void what_the_c_library_gets_wrong_is_refused() {
  const Buffer key = unhex(key_1);
  // 4096 bytes hold the conditions of 99 keys, and not of 100.
  CHECK(conditions_of(threshold_over(1, 99, ConditionType::secp256k1, key)).ok());
  CHECK((conditions_of(threshold_over(1, 100, ConditionType::secp256k1, key)).error() ==
         Error{ErrorCode::condition_fingerprint_contents, 0}));
  CHECK(conditions_of(threshold_over(1, 256, ConditionType::secp256k1, key)).error().code ==
        ErrorCode::condition_members);
  CHECK(conditions_of(threshold_over(0, 2, ConditionType::secp256k1, key)).error().code ==
        ErrorCode::condition_threshold);
  CHECK(conditions_of(threshold_over(3, 2, ConditionType::secp256k1, key)).error().code ==
        ErrorCode::condition_threshold);

  ConditionTree tree = threshold_over(1, 2, ConditionType::eval, key);
  tree.nodes[1].is_condition = true;
  tree.nodes[1].value = Slice{0, 32};
  tree.nodes[1].number = 1048576 + 0x7fffffffULL;
  CHECK(conditions_of(tree).ok());
  tree.nodes[1].number += 1;
  CHECK((conditions_of(tree).error() == Error{ErrorCode::condition_cost_spread, 0}));

  tree = threshold_over(2, 2, ConditionType::eval, key);
  for (const std::size_t index : {1U, 2U}) {
    tree.nodes[index].is_condition = true;
    tree.nodes[index].value = Slice{0, 32};
    tree.nodes[index].number = condition_cost_max / 2;
  }
  CHECK((conditions_of(tree).error() == Error{ErrorCode::condition_cost_over_limit, 0}));

  // A prefix whose fingerprint contents are 4096 bytes, then one more.
  const Buffer text(4096, 'x');
  tree = {};
  tree.data = text;
  tree.nodes.resize(2);
  tree.nodes[0].type = ConditionType::prefix;
  tree.nodes[0].members = 1;
  tree.nodes[1].value = Slice{};
  const std::uint32_t around = 4 + 4 + 3 + 2 + 39;
  tree.nodes[0].value = Slice{0, 4096 - around};
  CHECK(conditions_of(tree).ok());
  tree.nodes[0].value = Slice{0, 4097 - around};
  CHECK((conditions_of(tree).error() == Error{ErrorCode::condition_fingerprint_contents, 0}));
}

void only_as_many_members_as_needed_are_fulfilled() {
  const Buffer data = unhex(key_1 + signature);
  ConditionTree tree = threshold_over(2, 4, ConditionType::secp256k1, Bytes{data}.first(33));
  tree.data = data;
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::fulfillment_incomplete, 1}));
  tree.nodes[3].signature = Slice{33, 64};
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::fulfillment_incomplete, 1}));
  // An eval costs more than a key, so it is fulfilled only when no key is left.
  tree.nodes[4].type = ConditionType::eval;
  tree.nodes[4].value = Slice{0, 1};
  const Result<Buffer> with_eval = encode_fulfillment(tree);
  CHECK(with_eval.ok() && hex(with_eval.value())
                                  .find("af038001"
                                        "02") != std::string::npos);
  tree.nodes[1].signature = Slice{33, 64};
  const Result<Buffer> with_keys = encode_fulfillment(tree);
  CHECK(with_keys.ok() && hex(with_keys.value())
                                  .find("af038001"
                                        "02") == std::string::npos);
  CHECK(condition_of(decode_fulfillment(with_eval.value()).value()) == condition_of(tree));
  CHECK(condition_of(decode_fulfillment(with_keys.value()).value()) == condition_of(tree));
}

// komodo src/cryptoconditions/src/secp256k1.c and threshold.c: the key above, and a threshold of it
// alone.
const std::string key_condition =
    "a5278020e889ed79e2be955396c9400ea606960c73ae1f951d8ad9cc75b04f6af2322f598103020000";
const std::string one_key_condition =
    "a22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e71045eb79327f73858401810302040082020204";

std::string mixed(std::string_view needed, std::string_view fulfilled,
                  std::string_view conditions = "") {
  return threshold(element("a0", "8001" + std::string{needed}) + std::string{fulfilled},
                   conditions);
}

/// Tokel's outputs: what can be fulfilled is, and behind an 'M' the first threshold is hidden.
/// source: tokel src/cryptoconditions/src/threshold.c, thresholdToFulfillmentMixed;
/// src/script/cc.cpp, CCtoAnon
void outputs_of_tokel_hide_one_threshold() {
  const Buffer data = unhex(key_1 + "f5f2");
  ConditionNode key;
  key.type = ConditionType::secp256k1;
  key.value = Slice{0, 33};
  ConditionNode code;
  code.type = ConditionType::eval;
  code.value = Slice{33, 1};
  ConditionNode other_code = code;
  other_code.value = Slice{34, 1};
  const auto of = [](std::uint32_t needed, std::uint32_t members) {
    ConditionNode node;
    node.type = ConditionType::threshold;
    node.threshold = needed;
    node.members = members;
    return node;
  };
  const std::string eval_f5 = element("af", "8001f5");
  const std::string one_key = mixed("01", "", key_condition);
  struct Row {
    std::vector<ConditionNode> nodes;
    std::string shown;
    std::string hidden;
  };
  const std::vector<Row> rows{
      // tokel src/cryptoconditions/src/threshold.c, thresholdToFulfillmentMixed: an 'M'
      {{of(2, 2), code, of(1, 1), key},
       mixed("02", one_key + eval_f5),
       mixed("02", eval_f5, one_key_condition)},
      {{of(1, 1), code}, mixed("01", eval_f5), mixed("01", eval_f5)},
      {{of(1, 2), code, other_code},
       mixed("01", eval_f2 + eval_f5),
       mixed("01", eval_f2 + eval_f5)},
      // The first of two, whatever is inside the other.
      {{of(3, 3), of(1, 1), key, of(1, 1), key, code},
       mixed("03", one_key + one_key + eval_f5),
       mixed("03", one_key + eval_f5, one_key_condition)},
      {{of(2, 2), of(1, 1), key, of(1, 1), of(1, 1), key},
       mixed("02", one_key + mixed("01", one_key)),
       mixed("02", mixed("01", one_key), one_key_condition)},
  };
  for (const Row& row : rows) {
    const ConditionTree tree{row.nodes, data};
    CHECK(hex(encode_fulfillment(tree, FulfillmentForm::mixed).value()) == row.shown);
    CHECK(hex(encode_fulfillment(tree, FulfillmentForm::mixed_hidden).value()) == row.hidden);
  }
}

// komodo src/cryptoconditions/src/threshold.c, thresholdToFulfillment and cmpConditionCost
void the_cheapest_members_are_fulfilled() {
  const std::string key = element("a5", element("80", key_1) + element("81", signature));
  // A code costs eight times what a key does, and stands before it in the tree.
  const Buffer both = unhex(key + eval_f2);
  const std::uint32_t key_bytes = static_cast<std::uint32_t>(key.size() / 2);
  ConditionTree tree = threshold_over(1, 2, ConditionType::eval, both);
  tree.nodes[1].value = Slice{key_bytes + 4, 1};
  tree.nodes[2].type = ConditionType::secp256k1;
  tree.nodes[2].value = Slice{4, 33};
  tree.nodes[2].signature = Slice{39, 64};
  CHECK(hex(encode_fulfillment(tree).value()) == threshold(key, condition_f2));
  // The others are a set as well: a key's condition stands before a code's.
  tree = threshold_over(1, 3, ConditionType::eval, both);
  tree.nodes[1].value = Slice{key_bytes + 4, 1};
  tree.nodes[2].type = ConditionType::secp256k1;
  tree.nodes[2].value = Slice{4, 33};
  tree.nodes[3].type = ConditionType::preimage;
  tree.nodes[3].value = Slice{4, 1};
  CHECK(hex(encode_fulfillment(tree).value()) ==
        threshold(element("a0", "800102"), key_condition + condition_f2));
}

// komodo src/cryptoconditions/src/prefix.c, prefixFulfillment: a prefix has a fulfillment inside.
void a_prefix_needs_what_is_inside() {
  const std::string key = element("a5", element("80", key_1) + element("81", signature));
  const std::string prefix = element("a1", "8000810100" + element("a2", key));
  const Buffer bytes = unhex(threshold(pre_a + prefix));
  ConditionTree tree = decode_fulfillment(bytes).value();
  CHECK(encode_fulfillment(tree).value() == bytes);
  tree.nodes[3].signature.reset();
  const Error gap{ErrorCode::fulfillment_incomplete, tree.nodes[3].offset};
  CHECK(encode_fulfillment(tree).error() == gap);
  // One of two: the preimage costs less than the key, and suffices without it.
  tree.nodes[0].threshold = 1;
  const Buffer condition = condition_of(tree);
  const Result<Buffer> written = encode_fulfillment(tree);
  CHECK(written.ok() && hex(written.value()).starts_with("a236a005" + pre_a + "a12da12b"));
  CHECK(condition_of(decode_fulfillment(written.value()).value()) == condition);
}

// The second threshold is fulfilled by one of its keys, so its other key lacks nothing.
void a_gap_is_a_leaf_that_has_to_be_signed() {
  const Buffer data = unhex(key_1 + signature);
  ConditionTree tree = threshold_over(2, 4, ConditionType::secp256k1, Bytes{data}.first(33));
  tree.data = data;
  tree.nodes[0].members = 2;
  tree.nodes[1].type = ConditionType::threshold;
  tree.nodes[1].threshold = 1;
  tree.nodes[1].members = 2;
  tree.nodes[1].value.reset();
  tree.nodes[3].signature = Slice{33, 64};
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::fulfillment_incomplete, 4}));
  // Without its signature, the second threshold has the first gap.
  tree.nodes[3].signature.reset();
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::fulfillment_incomplete, 2}));
  tree.nodes[4].signature = Slice{33, 64};
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::fulfillment_incomplete, 2}));
  tree.nodes[2].signature = Slice{33, 64};
  CHECK(encode_fulfillment(tree).ok());
}

void key_hash_must_be_that_of_the_key() {
  const Buffer data = unhex("751e76e8199196d454941c45d1b3a323f1433bd6" + key_1);
  ConditionTree tree;
  tree.data = data;
  tree.nodes.resize(1);
  ConditionNode& node = tree.nodes[0];
  node.type = ConditionType::secp256k1hash;
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_key_hash);
  node.key_hash = Slice{0, 20};
  const Buffer by_hash = condition_of(tree);
  node.value = Slice{20, 33};
  CHECK(condition_of(tree) == by_hash);
  node.key_hash.reset();
  CHECK(condition_of(tree) == by_hash);
  node.key_hash = Slice{1, 20};
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_key_hash);
  node.key_hash = Slice{0, 19};
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_key_hash);
}

void a_preimage_is_never_taken_for_the_marker() {
  for (const auto& [preimage, is_safe] :
       {std::pair{"", false}, {"01", false}, {"02", true}, {"03", true}, {"0000", true}}) {
    const Buffer data = unhex(preimage);
    ConditionTree tree = threshold_over(2, 2, ConditionType::preimage, data);
    const Result<Buffer> mixed = encode_fulfillment(tree, FulfillmentForm::mixed);
    CHECK(mixed.ok() == is_safe);
    if (!mixed.ok()) {
      CHECK(mixed.error().code == ErrorCode::condition_mixed_marker);
      continue;
    }
    const Result<ConditionTree> read = decode_fulfillment(mixed.value(), FulfillmentForm::mixed);
    CHECK(read.ok() && condition_of(read.value()) == condition_of(tree));
  }
  // Members that look like the marker stand after it, however many they are.
  const Buffer forty{40};
  const ConditionTree alike = threshold_over(40, 40, ConditionType::preimage, forty);
  CHECK(encode_fulfillment(alike, FulfillmentForm::mixed).ok());
}

void nodes_that_are_no_tree_are_refused() {
  ConditionTree tree;
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_members);
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::condition_members, 0}));
  tree.nodes.resize(2);
  tree.nodes[0].value = tree.nodes[1].value = Slice{};
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_members);
  tree.nodes[0].type = ConditionType::threshold;
  tree.nodes[0].threshold = 1;
  tree.nodes[0].members = 2;
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_members);
  tree.nodes[0].members = 1;
  CHECK(conditions_of(tree).ok());
  tree.nodes[0].type = ConditionType::eval;
  CHECK(conditions_of(tree).error().code == ErrorCode::condition_members);
  CHECK((encode_fulfillment(tree).error() == Error{ErrorCode::condition_members, 0}));
}

}  // namespace

int main() {
  what_the_c_library_gets_wrong_is_refused();
  only_as_many_members_as_needed_are_fulfilled();
  outputs_of_tokel_hide_one_threshold();
  the_cheapest_members_are_fulfilled();
  a_prefix_needs_what_is_inside();
  a_gap_is_a_leaf_that_has_to_be_signed();
  key_hash_must_be_that_of_the_key();
  a_preimage_is_never_taken_for_the_marker();
  nodes_that_are_no_tree_are_refused();
  return antara::test::report();
}
