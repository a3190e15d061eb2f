// The text form of scripts, as the daemon writes it.

#include "script/asm.h"

#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

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
    {"cdce", "OP_CHECKCRYPTOCONDITIONVERIFY OP_UNKNOWN"},
    {"b1b2", "OP_NOP2 OP_NOP3"},
    {"babbccccdeff",
     "OP_UNKNOWN OP_UNKNOWN OP_CHECKCRYPTOCONDITION OP_CHECKCRYPTOCONDITION "
     "OP_UNKNOWN OP_INVALIDOPCODE"},
    {"5102", "1 [error]"},
    {"4dffff", "[error]"},
    {"09300602010102010101", "3006020101020101[ALL]", SighashSuffix::shown},
    {"09300602010102010101", "300602010102010101", SighashSuffix::hidden},
    {"09300602010102010183", "3006020101020101[SINGLE|ANYONECANPAY]", SighashSuffix::shown},
    {"09300602010102010104", "300602010102010104", SighashSuffix::shown},
    {"09300602018102010101", "300602018102010101", SighashSuffix::shown},
    {"09300602010102010102", "3006020101020101[NONE]", SighashSuffix::shown},
    {"09300602010102010103", "3006020101020101[SINGLE]", SighashSuffix::shown},
    {"09300602010102010181", "3006020101020101[ALL|ANYONECANPAY]", SighashSuffix::shown},
    {"09300602010102010182", "3006020101020101[NONE|ANYONECANPAY]", SighashSuffix::shown},
    {"09300602010102010100", "300602010102010100", SighashSuffix::shown},
    {"09300602010102010180", "300602010102010180", SighashSuffix::shown},
    {"09300602010102010184", "300602010102010184", SighashSuffix::shown},
    {"0100", "0"},
    {"0101", "1"},
    {"017f", "127"},
    {"028000", "128"},
    {"020080", "0"},
    {"020180", "-1"},
    {"03ffffff", "-8388607"},
    {"0401000080", "-1"},
    {"0400000080", "0"},
    {"4c", "[error]"},
    {"4d01", "[error]"},
    {"4e010000", "[error]"},
    {"4cff", "[error]"},
    {"4d0000", "0"},
    {"4e00000000", "0"},
    {"4e0500000001020304", "[error]"},
    {"4e050000000102030405", "0102030405"},
    {"4d00010102", "[error]"},
    {"6a09300602010102010101", "OP_RETURN 300602010102010101", SighashSuffix::shown},
};

void check_cases() {
  for (const AsmCase& item : asm_cases) {
    std::string text;
    append_asm(unhex(item.script), item.suffix, text);
    CHECK(text == item.text);
  }
}

/// The hash type is named after strict DER and after nothing else. source: BIP 66, and the daemon's
/// IsValidSignatureEncoding, which does not ask how large the numbers are
void check_named_signatures() {
#define HIGH_32 "ff11111111111111111111111111111111111111111111111111111111111111"
#define ONES_32 "1111111111111111111111111111111111111111111111111111111111111111"
  const std::vector<std::string_view> strict{
      "3006020101020101",
      "3006020100020100",
      "300702020080020101",
      "300702010102020080",
      "30080202008102020081",
      "300802030080010201"
      "01",
      "3044"
      "0220" ONES_32 "0220" ONES_32,
      "3046"
      "022100" HIGH_32 "022100" HIGH_32,
      "3045"
      "023f" ONES_32
      "11111111111111111111111111111111111111111111111111111111111111"
      "02021111",
  };
  const std::vector<std::string_view> others{
      "3106020101020101",  // another tag
      "0006020101020101",
      "3005020101020101",  // lengths that are not those of the rest
      "3007020101020101",
      "300602010102010100",
      "3006020401020101",
      "3006020301020101",
      "3006020201020101",
      "3006020101020201",
      "3006020101020001",
      "300602ff01020101",
      "30060201010201",
      "3006030101020101",  // no integers
      "3006020101030101",
      "30060200020201ff",  // empty
      "3006020201010200",
      "3005020002010100",
      "3006020181020101",  // negative
      "3006020101020181",
      "300702020001020101",  // a zero too many
      "300702010102020001",
      "30070202007f020101",
      "30070201010202007f",
      "300802020000020101",
      "3000",
      "30",
      "",
      // 73 bytes, one more than two numbers of 33
      "3047"
      "022200ff" ONES_32 "022100" HIGH_32,
  };
  for (const std::vector<std::string_view>* signatures : {&strict, &others}) {
    for (const std::string_view encoded : *signatures) {
      std::vector<std::uint8_t> data = unhex(encoded);
      data.push_back(0x01);
      std::vector<std::uint8_t> script{0x4c, static_cast<std::uint8_t>(data.size())};
      script.insert(script.end(), data.begin(), data.end());
      std::string text;
      append_asm(script, SighashSuffix::shown, text);
      const bool agrees = text.ends_with("[ALL]") == (signatures == &strict);
      if (!agrees) std::fprintf(stderr, "signature: %s\n", std::string{encoded}.c_str());
      CHECK(agrees);
    }
  }
}

/// source: komodo src/script/script.h, IsUnspendable: what is too long is never spent, so nothing
/// in it is taken for a signature
void check_long_scripts() {
  for (const std::size_t size : {10'000U, 10'001U}) {
    std::vector<std::uint8_t> script = unhex("09300602010102010101");
    script.resize(size, 0x61);
    std::string text;
    append_asm(script, SighashSuffix::shown, text);
    CHECK(text.starts_with("3006020101020101[ALL] OP_NOP") == (size == 10'000));
    CHECK(text.starts_with("300602010102010101 OP_NOP") == (size == 10'001));
  }
}

}  // namespace

int main() {
  check_cases();
  check_named_signatures();
  check_long_scripts();
  return antara::test::report();
}
