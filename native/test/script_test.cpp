#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hex_text.h"
#include "script/templates.h"

namespace {

using namespace antara;
using namespace antara::test;

#define KEY "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
#define CONDITION \
  "a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define LONG_KEY                                                     \
  "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5" \
  "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a"

struct TypeCase {
  const char* name;
  std::string_view script;
  ScriptType type;
  std::size_t destinations;
};

const std::vector<TypeCase> type_cases{
    {"empty", "", ScriptType::nonstandard, 0},
    {"compressed key", "21" KEY "ac", ScriptType::pubkey, 1},
    {"key pushed with OP_PUSHDATA1", "4c21" KEY "ac", ScriptType::nonstandard, 0},
    {"key with the prefix of a long one", "2104" KEY "ac", ScriptType::nonstandard, 0},
    {"uncompressed key", "4104" LONG_KEY "ac", ScriptType::pubkey, 1},
    {"hybrid key, even", "4106" LONG_KEY "ac", ScriptType::pubkey, 1},
    {"hybrid key, odd", "4107" LONG_KEY "ac", ScriptType::pubkey, 1},
    {"long key with another prefix", "4105" LONG_KEY "ac", ScriptType::nonstandard, 0},
    {"long key with yet another prefix", "4108" LONG_KEY "ac", ScriptType::nonstandard, 0},
    {"long key with the prefix of a short one", "4102" LONG_KEY "ac", ScriptType::nonstandard, 0},
    {"key hash", "76a9142a8295047b1a6e13a73a3e807435dea5d498ed7588ac", ScriptType::pubkeyhash, 1},
    {"script hash", "a914222222222222222222222222222222222222222287", ScriptType::scripthash, 1},
    {"1 of 1", "5121" KEY "51ae", ScriptType::multisig, 1},
    {"1 of 2", "5121" KEY "21" KEY "52ae", ScriptType::multisig, 2},
    {"1 of 2, a key pushed long", "5121" KEY "4c21" KEY "52ae", ScriptType::multisig, 2},
    {"2 of 1", "5221" KEY "51ae", ScriptType::nonstandard, 0},
    {"1 of 2 with one key", "5121" KEY "52ae", ScriptType::nonstandard, 0},
    {"0 of 0", "0000ae", ScriptType::nonstandard, 0},
    {"0 of 1", "0021" KEY "51ae", ScriptType::nonstandard, 0},
    {"1 of 1 twice", "5121" KEY "51ae51ae", ScriptType::nonstandard, 0},
    {"1 of 1, twice the number", "5121" KEY "5151ae", ScriptType::nonstandard, 0},
    {"1 of 1 with OP_CHECKMULTISIGVERIFY", "5121" KEY "51af", ScriptType::nonstandard, 0},
    {"1 of 1, the number pushed", "5121" KEY "0101ae", ScriptType::nonstandard, 0},
    {"1 of a key cut short", "5121c6ae", ScriptType::nonstandard, 0},
    {"1 of 2, the second cut short", "5121" KEY "21c651ae", ScriptType::nonstandard, 0},
    {"OP_CHECKMULTISIG alone", "ae", ScriptType::nonstandard, 0},
    {"1 of 1 and more", "5121" KEY "51ae51", ScriptType::nonstandard, 0},
    {"OP_RETURN alone", "6a", ScriptType::nulldata, 0},
    {"OP_RETURN and pushes", "6a0201024f60", ScriptType::nulldata, 0},
    {"OP_RETURN and an opcode", "6a61", ScriptType::nonstandard, 0},
    {"OP_RETURN and a cut length", "6a4c", ScriptType::nonstandard, 0},
    {"OP_RETURN and two bytes of three", "6a4d01", ScriptType::nonstandard, 0},
    {"OP_RETURN and a cut push", "6a0201", ScriptType::nonstandard, 0},
    {"condition", "2e" CONDITION "cc", ScriptType::cryptocondition, 1},
    {"condition and dropped data", "2e" CONDITION "cc02010275", ScriptType::cryptocondition, 1},
    {"condition and data kept", "2e" CONDITION "cc020102", ScriptType::nonstandard, 0},
    {"condition and a drop too many", "2e" CONDITION "cc75", ScriptType::nonstandard, 0},
    {"condition, a drop and then data", "2e" CONDITION "cc75020102", ScriptType::nonstandard, 0},
    {"condition and OP_0 dropped", "2e" CONDITION "cc0075", ScriptType::cryptocondition, 1},
    {"condition and OP_1 dropped", "2e" CONDITION "cc5175", ScriptType::cryptocondition, 1},
    {"condition and OP_16 dropped", "2e" CONDITION "cc6075", ScriptType::cryptocondition, 1},
    {"condition and OP_1NEGATE dropped", "2e" CONDITION "cc4f75", ScriptType::nonstandard, 0},
    {"condition and OP_NOP dropped", "2e" CONDITION "cc6175", ScriptType::nonstandard, 0},
    {"condition, dropped data and a cut push", "2e" CONDITION "cc02010275024c",
     ScriptType::nonstandard, 0},
    {"condition and a cut push", "2e" CONDITION "cc4c", ScriptType::nonstandard, 0},
    {"condition and two data, one dropped", "2e" CONDITION "cc0101010275", ScriptType::nonstandard,
     0},
    {"condition and two data, both dropped", "2e" CONDITION "cc010101027575",
     ScriptType::cryptocondition, 1},
    {"condition of 75 bytes that is none", "4b" CONDITION CONDITION "cc", ScriptType::nonstandard,
     0},
    {"condition that no signature is in", "29af278020" ZEROS "8103100000cc",
     ScriptType::nonstandard, 0},
    {"condition and an empty long push", "2e" CONDITION "cc4c0075", ScriptType::nonstandard, 0},
    {"condition pushed with OP_PUSHDATA1", "4c2e" CONDITION "cc", ScriptType::nonstandard, 0},
    {"no condition", "0401020304cc", ScriptType::nonstandard, 0},
    {"time, then key", "0164b17521" KEY "ac", ScriptType::pubkey, 1},
    {"no time, then key", "00b17521" KEY "ac", ScriptType::pubkey, 1},
    {"time, OP_2DROP, then key", "0164b16d21" KEY "ac", ScriptType::pubkey, 1},
    {"time twice", "0164b1750164b17521" KEY "ac", ScriptType::pubkey, 1},
    {"time, then condition", "0164b1752e" CONDITION "cc", ScriptType::cryptocondition, 1},
    {"time of five bytes", "050102030405b17521" KEY "ac", ScriptType::pubkey, 1},
    {"time as a number, which resumes elsewhere", "51b17521" KEY "ac", ScriptType::nonstandard, 0},
    {"time, then another opcode", "0164b27521" KEY "ac", ScriptType::nonstandard, 0},
    {"a cut time", "4cb1", ScriptType::nonstandard, 0},
    {"time of six bytes", "06010203040506b17521" KEY "ac", ScriptType::nonstandard, 0},
    {"time and nothing", "0164b1", ScriptType::nonstandard, 0},
};

ScriptType type_of(const std::vector<std::uint8_t>& script,
                   ConditionSupport support = ConditionSupport::komodo) {
  ScriptTemplate found;
  classify_script(script, support, found);
  return found.type;
}

/// Every byte of a template that is not a hash or a key is the only one that will do there, and so
/// is its length.
void check_templates() {
  struct Row {
    std::string_view script;
    ScriptType type;
    std::vector<std::size_t> fixed;
  };
  const std::vector<Row> rows{
      {"21" KEY "ac", ScriptType::pubkey, {0, 34}},
      {"4104" LONG_KEY "ac", ScriptType::pubkey, {0, 66}},
      {"76a914222222222222222222222222222222222222222288ac",
       ScriptType::pubkeyhash,
       {0, 1, 2, 23, 24}},
      {"a914222222222222222222222222222222222222222287", ScriptType::scripthash, {0, 1, 22}},
  };
  for (const Row& row : rows) {
    const std::vector<std::uint8_t> script = unhex(row.script);
    CHECK(type_of(script) == row.type);
    for (const std::size_t position : row.fixed) {
      for (unsigned value = 0; value <= 0xff; ++value) {
        std::vector<std::uint8_t> changed = script;
        changed[position] = static_cast<std::uint8_t>(value);
        CHECK((type_of(changed) == row.type) == (changed == script));
      }
    }
    std::vector<std::uint8_t> longer = script;
    longer.push_back(script.back());
    CHECK(type_of(longer) != row.type);
    std::vector<std::uint8_t> shorter = script;
    shorter.erase(shorter.end() - 2);
    CHECK(type_of(shorter) != row.type);
  }
}

void check_destinations() {
  struct Row {
    std::string_view script;
    std::string_view hash;
  };
  // The public key of private key 1 (the generator of secp256k1, SEC 2), and its hash
  const std::vector<Row> rows{
      {"210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac",
       "751e76e8199196d454941c45d1b3a323f1433bd6"},
      {"76a914751e76e8199196d454941c45d1b3a323f1433bd688ac",
       "751e76e8199196d454941c45d1b3a323f1433bd6"},
      {"a914000102030405060708090a0b0c0d0e0f1011121387",
       "000102030405060708090a0b0c0d0e0f10111213"},
  };
  for (const Row& row : rows) {
    ScriptTemplate found;
    classify_script(unhex(row.script), ConditionSupport::komodo, found);
    CHECK(found.required_signatures == 1 && found.destinations.size() == 1);
    const std::vector<std::uint8_t> hash = unhex(row.hash);
    CHECK(std::ranges::equal(found.destinations.front(), hash));
  }
  // Reading into the same place again leaves no part of the earlier result.
  ScriptTemplate again;
  classify_script(unhex("5121" KEY "21" KEY "52ae"), ConditionSupport::komodo, again);
  classify_script(unhex("6a"), ConditionSupport::komodo, again);
  CHECK(again.required_signatures == 0 && again.destinations.empty());
  // An address of a condition does not depend on what is dropped after it.
  ScriptTemplate plain;
  ScriptTemplate dropped;
  classify_script(unhex("2e" CONDITION "cc"), ConditionSupport::komodo, plain);
  classify_script(unhex("2e" CONDITION "cc02010275"), ConditionSupport::komodo, dropped);
  CHECK(plain.destinations == dropped.destinations);
}

/// source: komodo src/script/standard.cpp, MatchMultisig: 1 to 16 keys, and no more required
void check_multisig() {
  for (unsigned keys = 0; keys <= 17; ++keys) {
    for (unsigned required = 0; required <= 17; ++required) {
      std::vector<std::uint8_t> script{static_cast<std::uint8_t>(0x50 + required)};
      for (unsigned key = 0; key < keys; ++key) {
        const std::vector<std::uint8_t> pushed = unhex("21" KEY);
        script.insert(script.end(), pushed.begin(), pushed.end());
      }
      script.push_back(static_cast<std::uint8_t>(0x50 + keys));
      script.push_back(0xae);
      ScriptTemplate found;
      classify_script(script, ConditionSupport::komodo, found);
      const bool fits = keys >= 1 && keys <= 16 && required >= 1 && required <= keys;
      CHECK((found.type == ScriptType::multisig) == fits);
      CHECK(found.destinations.size() == (fits ? keys : 0));
      CHECK(found.required_signatures == (fits ? required : 0));
    }
  }
}

/// source: src/script/script.cpp, IsPayToCryptoCondition; komodo wants a type that signs, Tokel not
void check_dialects() {
  struct Row {
    std::string_view script;
    bool komodo;
    bool tokel;
  };
  const std::vector<Row> rows{
      {"2e" CONDITION "cc", true, true},
      {"3e4da23ba00aa003800102af038001f5a12da22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e7104"
       "5"
       "eb79327f73858401810302040082020204cc",
       false, true},
      {"394ea236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd"
       "6"
       "8103020000af038001f5a100cc",
       false, true},
      {"394fa236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd"
       "6"
       "8103020000af038001f5a100cc",
       false, false},
      {"4c3e4da23ba00aa003800102af038001f5a12da22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e7"
       "1045eb79327f73858401810302040082020204cc",
       false, true},
      // with a longer push opcode than needed: only behind 'M' and 'N'
      {"4c394ea236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433"
       "bd"
       "68103020000af038001f5a100cc",
       false, true},
      {"4c2e" CONDITION "cc", false, false},
      {"29af278020" ZEROS "8103100000cc", false, true},
      {"00cc", false, false},
  };
  for (const Row& row : rows) {
    const std::vector<std::uint8_t> script = unhex(row.script);
    const auto is_condition = [&](ConditionSupport support) {
      return type_of(script, support) == ScriptType::cryptocondition;
    };
    CHECK(is_condition(ConditionSupport::komodo) == row.komodo);
    CHECK(is_condition(ConditionSupport::tokel) == row.tokel);
    CHECK(!is_condition(ConditionSupport::none));
  }
  // The form alone: what is pushed in another way than by its length may only be 'M' or 'N'.
  const std::vector<Row> forms{
      {"0401020304cc", true, true},   {"014dcc", true, true},     {"4c014dcc", false, true},
      {"4d01004ecc", false, true},    {"4c014fcc", false, false}, {"4c00cc", false, false},
      {"4c024d00cc02", false, false}, {"51cc", false, false},     {"014d", false, false},
      {"014dcd", false, false},       {"cc", false, false},       {"00cc", false, false},
  };
  for (const Row& row : forms) {
    ConditionScript found;
    const std::vector<std::uint8_t> script = unhex(row.script);
    CHECK(match_condition_script(script, ConditionSupport::komodo, found) == row.komodo);
    CHECK(match_condition_script(script, ConditionSupport::tokel, found) == row.tokel);
    CHECK(!match_condition_script(script, ConditionSupport::none, found));
  }
}

}  // namespace

int main() {
  check_templates();
  check_destinations();
  check_multisig();
  check_dialects();
  ScriptTemplate found;
  for (const TypeCase& item : type_cases) {
    classify_script(unhex(item.script), ConditionSupport::komodo, found);
    const bool agrees = found.type == item.type && found.destinations.size() == item.destinations;
    if (!agrees) std::fprintf(stderr, "case: %s\n", item.name);
    CHECK(agrees);
  }
  classify_script(unhex("2e" CONDITION "cc"), ConditionSupport::none, found);
  CHECK(found.type == ScriptType::nonstandard);
  return antara::test::report();
}
