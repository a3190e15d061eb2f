#include <string>
#include <string_view>
#include <vector>

#include "bytes/hex.h"
#include "check.h"
#include "script/asm.h"
#include "script/templates.h"

namespace {

using namespace antara;

std::vector<std::uint8_t> unhex(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.size() / 2);
  CHECK(!bytes_from_hex({text.data(), text.size()}, bytes).error.failed());
  return bytes;
}

#define KEY "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
#define CONDITION \
  "a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401"

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
    {"key hash", "76a9142a8295047b1a6e13a73a3e807435dea5d498ed7588ac", ScriptType::pubkeyhash, 1},
    {"script hash", "a914222222222222222222222222222222222222222287", ScriptType::scripthash, 1},
    {"1 of 1", "5121" KEY "51ae", ScriptType::multisig, 1},
    {"1 of 2", "5121" KEY "21" KEY "52ae", ScriptType::multisig, 2},
    {"1 of 2, a key pushed long", "5121" KEY "4c21" KEY "52ae", ScriptType::multisig, 2},
    {"2 of 1", "5221" KEY "51ae", ScriptType::nonstandard, 0},
    {"1 of 2 with one key", "5121" KEY "52ae", ScriptType::nonstandard, 0},
    {"0 of 0", "0000ae", ScriptType::nonstandard, 0},
    {"1 of 1 and more", "5121" KEY "51ae51", ScriptType::nonstandard, 0},
    {"OP_RETURN alone", "6a", ScriptType::nulldata, 0},
    {"OP_RETURN and pushes", "6a0201024f60", ScriptType::nulldata, 0},
    {"OP_RETURN and an opcode", "6a61", ScriptType::nonstandard, 0},
    {"OP_RETURN and a cut push", "6a0201", ScriptType::nonstandard, 0},
    {"condition", "2e" CONDITION "cc", ScriptType::cryptocondition, 1},
    {"condition and dropped data", "2e" CONDITION "cc02010275", ScriptType::cryptocondition, 1},
    {"condition and data kept", "2e" CONDITION "cc020102", ScriptType::nonstandard, 0},
    {"condition and a drop too many", "2e" CONDITION "cc75", ScriptType::nonstandard, 0},
    {"condition and an empty long push", "2e" CONDITION "cc4c0075", ScriptType::nonstandard, 0},
    {"condition pushed with OP_PUSHDATA1", "4c2e" CONDITION "cc", ScriptType::nonstandard, 0},
    {"no condition", "0401020304cc", ScriptType::nonstandard, 0},
    {"time, then key", "0164b17521" KEY "ac", ScriptType::pubkey, 1},
    {"no time, then key", "00b17521" KEY "ac", ScriptType::pubkey, 1},
    {"time, OP_2DROP, then key", "0164b16d21" KEY "ac", ScriptType::pubkey, 1},
    {"time twice", "0164b1750164b17521" KEY "ac", ScriptType::pubkey, 1},
    {"time, then condition", "0164b1752e" CONDITION "cc", ScriptType::cryptocondition, 1},
    {"time of six bytes", "06010203040506b17521" KEY "ac", ScriptType::nonstandard, 0},
    {"time and nothing", "0164b1", ScriptType::nonstandard, 0},
};

struct AsmCase {
  std::string_view script;
  std::string_view text;
  SighashSuffix suffix = SighashSuffix::hidden;
};

const std::vector<AsmCase> asm_cases{
    {"", ""},
    {"00", "0"},
    {"0180", "0"},
    {"0181", "-1"},
    {"02ff80", "-255"},
    {"02e803", "1000"},
    {"04ffffff7f", "2147483647"},
    {"04ffffffff", "-2147483647"},
    {"050102030405", "0102030405"},
    {"4c00", "0"},
    {"4f5060", "-1 OP_RESERVED 16"},
    {"b1b2", "OP_NOP2 OP_NOP3"},
    {"babbccccdeff", "OP_UNKNOWN OP_UNKNOWN OP_CHECKCRYPTOCONDITION OP_CHECKCRYPTOCONDITION "
                     "OP_UNKNOWN OP_INVALIDOPCODE"},
    {"5102", "1 [error]"},
    {"4dffff", "[error]"},
    {"09300602010102010101", "3006020101020101[ALL]", SighashSuffix::shown},
    {"09300602010102010101", "300602010102010101", SighashSuffix::hidden},
    {"09300602010102010183", "3006020101020101[SINGLE|ANYONECANPAY]", SighashSuffix::shown},
    {"09300602010102010104", "300602010102010104", SighashSuffix::shown},
    {"09300602018102010101", "300602018102010101", SighashSuffix::shown},
    {"6a09300602010102010101", "OP_RETURN 300602010102010101", SighashSuffix::shown},
};

}  // namespace

int main() {
  ScriptTemplate found;
  for (const TypeCase& item : type_cases) {
    classify_script(unhex(item.script), ConditionSupport::komodo, found);
    const bool agrees = found.type == item.type && found.destinations.size() == item.destinations;
    if (!agrees) std::fprintf(stderr, "case: %s\n", item.name);
    CHECK(agrees);
  }
  classify_script(unhex("2e" CONDITION "cc"), ConditionSupport::none, found);
  CHECK(found.type == ScriptType::nonstandard);
  for (const AsmCase& item : asm_cases) {
    std::string text;
    append_asm(unhex(item.script), item.suffix, text);
    CHECK(text == item.text);
  }
  return antara::test::report();
}
