// The contents of inputs of crypto-conditions, by the rules of both daemons.

#include <algorithm>

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "signed_inputs.h"
#include "verify/condition_keys.h"
#include "verify/script_code.h"

namespace {

using namespace antara;
using namespace antara::test;

/// A tree whose data are kept beside it.
struct Tree {
  Buffer data;
  ConditionTree tree;

  Slice add(const Buffer& bytes) {
    const Slice slice{static_cast<std::uint32_t>(data.size()),
                      static_cast<std::uint32_t>(bytes.size())};
    data = data + bytes;
    return slice;
  }
  ConditionNode& leaf(ConditionType type, const Buffer& value) {
    ConditionNode& node = tree.nodes.emplace_back();
    node.type = type;
    node.value = add(value);
    return node;
  }
  void threshold(std::uint32_t threshold, std::uint32_t members) {
    ConditionNode& node = tree.nodes.emplace_back();
    node.type = ConditionType::threshold;
    node.threshold = threshold;
    node.members = members;
  }
  Condition condition() {
    tree.data = data;
    return conditions_of(tree).value().front();
  }
  Buffer fulfillment(FulfillmentForm form = FulfillmentForm::plain) {
    tree.data = data;
    return encode_fulfillment(tree, form).value();
  }
};

Buffer script_of(Tree& tree) {
  Buffer script;
  write_condition_script(tree.condition(), script);
  return script;
}

/// source: komodo src/script/interpreter.cpp, EvalCryptoConditionSig and CheckCryptoCondition
void check_conditions(const Wallet& wallet) {
  struct Row {
    const char* name;
    ErrorCode code;
    std::vector<unsigned> keys;  // the keys that fulfill, in the order of the nodes
    std::vector<ConditionType> types;
    unsigned signer = 0;  // the signer of all, if it is not the key's own
    ConditionSupport support = ConditionSupport::komodo;
  };
  using enum ConditionType;
  const std::vector<Row> rows{
      {"a key", ErrorCode::ok, {1}, {secp256k1}},
      {"a key, another signs", ErrorCode::signature_mismatch, {1}, {secp256k1}, 2},
      {"two keys", ErrorCode::ok, {1, 2}, {secp256k1, secp256k1}},
      {"two keys, one signs for both",
       ErrorCode::signature_mismatch,
       {1, 2},
       {secp256k1, secp256k1},
       1},
      {"a key and code", ErrorCode::ok, {1}, {secp256k1, eval}},
      {"code alone", ErrorCode::unsupported_condition, {}, {eval}},
      {"a key and a preimage", ErrorCode::ok, {1}, {secp256k1, preimage}},
      {"a key behind its hash", ErrorCode::unsupported_condition, {1}, {secp256k1hash}},
      {"a key behind its hash, Tokel",
       ErrorCode::ok,
       {1},
       {secp256k1hash},
       0,
       ConditionSupport::tokel},
      {"a key behind its hash, another signs",
       ErrorCode::signature_mismatch,
       {1},
       {secp256k1hash},
       2,
       ConditionSupport::tokel},
      {"ed25519", ErrorCode::ed25519_not_checked, {}, {ed25519}},
      {"ed25519 and a key", ErrorCode::ed25519_not_checked, {1}, {ed25519, secp256k1}},
      {"ed25519 and a key, another signs",
       ErrorCode::signature_mismatch,
       {1},
       {ed25519, secp256k1},
       2},
      {"a key, no conditions on the chain",
       ErrorCode::unsupported_script,
       {1},
       {secp256k1},
       0,
       ConditionSupport::none},
  };
  for (const Row& row : rows) {
    for (const unsigned hash_type : {1U, 0x81U, 0U, 4U, 0xffU}) {
      const auto plan = [&](const Hash256* hash) {
        Tree tree;
        if (row.types.size() > 1) {
          tree.threshold(static_cast<std::uint32_t>(row.types.size()),
                         static_cast<std::uint32_t>(row.types.size()));
        }
        std::size_t key = 0;
        for (const ConditionType type : row.types) {
          const bool is_key = type == secp256k1 || type == secp256k1hash;
          const Buffer value = is_key            ? wallet.signer.key(row.keys[key])
                               : type == ed25519 ? Buffer(32, 7)
                                                 : Buffer{0xf2};
          ConditionNode& node = tree.leaf(type, value);
          if (type == ed25519) node.signature = tree.add(Buffer(64, 1));
          if (!is_key) continue;
          const unsigned signer = row.signer == 0 ? row.keys[key] : row.signer;
          node.signature =
              tree.add(hash == nullptr ? Buffer(64, 1) : wallet.signer.compact(signer, *hash));
          ++key;
        }
        return tree;
      };
      Tree unsigned_tree = plan(nullptr);
      const Buffer script = script_of(unsigned_tree);
      const Hash256 hash = Wallet::hash(script, hash_type);
      Tree tree = plan(&hash);
      const Buffer script_sig = push(tree.fulfillment() + byte(hash_type));
      const Verified found = verify({script}, {script_sig}, row.support).front();
      Keys keys;
      for (const unsigned key : row.keys) keys.push_back(wallet.signer.key(key));
      std::ranges::sort(keys);  // members of one type stand in the order of their bytes
      expect(row.name, found, row.code, keys);
      const bool is_condition = row.support != ConditionSupport::none;
      CHECK((found.verdict.type == ScriptType::cryptocondition) == is_condition);
      if (is_condition) CHECK(found.verdict.hash_type == hash_type);
      CHECK(found.fulfillment == (is_condition ? tree.fulfillment() : Buffer{}));
    }
  }
}

/// One key, and what can be wrong around it.
void check_condition_scripts(const Wallet& wallet) {
  Tree plain;
  plain.leaf(ConditionType::secp256k1, wallet.signer.key(1));
  const Buffer script = script_of(plain);
  const auto fulfilled = [&](const Buffer& key, const Buffer& signature) {
    Tree tree;
    ConditionNode& node = tree.leaf(ConditionType::secp256k1, key);
    node.signature = tree.add(signature);
    return tree.fulfillment() + byte(1);
  };
  const Buffer signature = wallet.signer.compact(1, Wallet::hash(script, 1));
  const Buffer good = fulfilled(wallet.signer.key(1), signature);
  const auto check_input = [&](const char* name, const Buffer& output, const Buffer& script_sig,
                               ErrorCode code) {
    const Verified found = verify({output}, {script_sig}).front();
    expect(name, found, code, {wallet.signer.key(1)});
  };
  for (const unsigned opcode : {0U, 0x4cU, 0x4dU, 0x4eU}) {
    check_input("any push will do", script, push(good, opcode), ErrorCode::ok);
  }
  check_input("dropped data are not signed", script + unhex("02010275"), push(good), ErrorCode::ok);
  check_input("an opcode more", script, push(good) + byte(0x61), ErrorCode::script_sig_form);
  check_input("no push", script, byte(0x51), ErrorCode::script_sig_form);
  check_input("an empty push", script, byte(0), ErrorCode::script_sig_form);
  check_input("a cut push", script, byte(0x02) + byte(1), ErrorCode::script_sig_form);
  check_input("only a hash type", script, push(byte(1)), ErrorCode::truncated);
  check_input("2,048 bytes", script, push(Buffer(2048, 0x30)), ErrorCode::condition_type_unknown);
  check_input("2,049 bytes", script, push(Buffer(2049, 0x30)), ErrorCode::fulfillment_over_limit);
  check_input("the condition of another key", script,
              push(fulfilled(wallet.signer.key(2), signature)), ErrorCode::condition_mismatch);
  check_input("no condition where one should be", unhex("0401020304cc"), push(good),
              ErrorCode::condition_type_unknown);
  Buffer high = signature;
  for (std::size_t index = 32; index < 64; ++index) high[index] = 0xff;
  check_input("s beyond the order", script, push(fulfilled(wallet.signer.key(1), high)),
              ErrorCode::signature_out_of_range);

  const Buffer no_point =
      unhex("02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead");
  Tree burned;
  burned.leaf(ConditionType::secp256k1, no_point);
  check_input("a key that is not a point", script_of(burned), push(fulfilled(no_point, signature)),
              ErrorCode::public_key_off_curve);

  // The oldest form of hash has none for an output that is not there.
  const Buffer single = wallet.signature(1, (push(wallet.signer.key(1)) + byte(0xac)));
  Buffer condition_single = good;
  condition_single.back() = 3;
  Buffer key_single = single;
  key_single.back() = 3;
  const std::vector<Verified> old = verify(
      {script, script, (push(wallet.signer.key(1)) + byte(0xac))},
      {push(good), push(condition_single), push(key_single)}, ConditionSupport::komodo, true);
  expect("SINGLE without an output, a condition", old[1], ErrorCode::single_without_output);
  expect("SINGLE without an output, a key", old[2], ErrorCode::single_without_output);
}

/// One of two keys signs; the other stays a condition, whose key nobody learns.
void check_members(const Wallet& wallet) {
  const auto plan = [&](const Hash256* hash) {
    Tree tree;
    tree.threshold(1, 2);
    ConditionNode& first = tree.leaf(ConditionType::secp256k1, wallet.signer.key(1));
    if (hash != nullptr) first.signature = tree.add(wallet.signer.compact(1, *hash));
    tree.leaf(ConditionType::secp256k1, wallet.signer.key(2));
    return tree;
  };
  Tree unsigned_tree = plan(nullptr);
  const Buffer script = script_of(unsigned_tree);
  // The same condition twice in one transaction: the second input starts without data of the first.
  std::vector<Buffer> script_sigs;
  for (std::uint32_t index = 0; index < 2; ++index) {
    const Hash256 hash = Wallet::hash(script, 1, index, 2);
    Tree tree = plan(&hash);
    script_sigs.push_back(push(tree.fulfillment() + byte(1)));
  }
  for (const Verified& found : verify({script, script}, script_sigs)) {
    expect("one of two keys", found, ErrorCode::ok, {wallet.signer.key(1)});
  }

  // A member whose cost is beyond comparing: komodo threshold.c, cmpConditionCost
  const Buffer key = unhex("a5658021") + wallet.signer.key(1) + unhex("8140") + Buffer(64, 1);
  const Buffer costly = unhex("a02a8020") + Buffer(32, 7) + unhex("8106010000000000");
  const Buffer spread = unhex("a28197a067") + key + unhex("a12c") + costly;
  expect("costs too far apart", verify({script}, {push(spread + byte(1))}).front(),
         ErrorCode::condition_cost_spread);
}

/// An unfulfilled member has no signature to check, and its key need not be a point.
void check_key_points(const Wallet& wallet) {
  const Buffer no_point =
      unhex("02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead");
  for (const ConditionType type : {ConditionType::secp256k1, ConditionType::secp256k1hash}) {
    Tree tree;
    tree.threshold(1, 3);
    tree.leaf(ConditionType::preimage, Buffer(5, 0xff));
    tree.leaf(type, wallet.signer.key(1));
    const Slice bad = tree.leaf(type, no_point).value.value();
    tree.tree.data = tree.data;
    CHECK(check_condition_keys(tree.tree) == (Error{ErrorCode::public_key_off_curve, bad.offset}));
    tree.tree.nodes.back().is_condition = true;
    CHECK(!check_condition_keys(tree.tree).failed());
    tree.tree.nodes.back().is_condition = false;
    tree.tree.nodes.back().value.reset();
    CHECK(!check_condition_keys(tree.tree).failed());
  }
}

}  // namespace

int main() {
  const Wallet wallet;
  check_conditions(wallet);
  check_condition_scripts(wallet);
  check_members(wallet);
  check_key_points(wallet);
  return antara::test::report();
}
