#include "verify/input_verifier.h"

#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "hex_text.h"
#include "tx/parse.h"
#include "verify/script_code.h"

namespace {

using namespace antara;
using namespace antara::test;

// A token create with one P2PK input, as komodo src/cc/CCtokens.cpp, CreateToken, makes it, before
// and after its scriptSig; another implementation signed it.
constexpr std::string_view before =
    "0400008085202f8901111111111111111111111111111111111111111111111111111111111111111100000000";
constexpr std::string_view after =
    "ffffffff041027000000000000302ea22c802043"
    "2de388aabcb6b4e3326351d1d815cee8be9a8d37b055cd1c0cf8782e5c50c08103120c008203000401cc64000000"
    "00000000302ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c"
    "008203000401ccbcf30e000000000023210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b"
    "16f81798ac0000000000000000306a2ef263210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2"
    "815b16f817980444454d4f0464656d6f00000000b00400000000000000000000000000";

#define DER                                                              \
  "304402207ae6632a4e8b14df2bc18fcfebc99f46ce075ce8505a48c25c503e0b8f58" \
  "c966022005acaae08cdc6f4dc189dde19d4c5ef30a9d86afa7499e3bf4e73a52b4418eb1"
#define KEY "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
#define CONDITION \
  "a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401"
#define OTHER_KEY "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"

constexpr std::string_view script_sig = "47" DER "01";
constexpr std::string_view pays_key = "21" KEY "ac";
constexpr std::int64_t value_sats = 1'000'000;

struct Case {
  const char* name;
  std::string_view script_sig;
  std::string_view script_pubkey;
  ErrorCode code;
};

const std::vector<Case> cases{
    {"as it was signed", script_sig, pays_key, ErrorCode::ok},
    {"unsigned", "", pays_key, ErrorCode::signature_missing},
    {"an empty push", "00", pays_key, ErrorCode::signature_missing},
    {"a push more", "0047" DER "01", pays_key, ErrorCode::script_sig_form},
    {"a push opcode longer than needed", "4c47" DER "01", pays_key, ErrorCode::script_sig_form},
    {"an opcode that pushes nothing", "47" DER "0161", pays_key, ErrorCode::script_sig_form},
    {"a number where data belong", "51", pays_key, ErrorCode::script_sig_form},
    {"a push over the end", "48" DER "01", pays_key, ErrorCode::script_sig_form},
    {"only a hash type", "0101", pays_key, ErrorCode::script_sig_form},
    {"a hash type that is none", "47" DER "04", pays_key, ErrorCode::undefined_hash_type},
    {"another hash type", "47" DER "81", pays_key, ErrorCode::signature_mismatch},
    {"another key", script_sig, "21" OTHER_KEY "ac", ErrorCode::signature_mismatch},
    {"a key that is not a point", script_sig,
     "2102deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeadac",
     ErrorCode::public_key_off_curve},
    {"a hybrid key", script_sig,
     "410679be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
     "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8ac",
     ErrorCode::malformed_public_key},
    {"the hash of a key", "47" DER "0121" KEY, "76a914751e76e8199196d454941c45d1b3a323f1433bd688ac",
     ErrorCode::signature_mismatch},
    {"the hash of another key", "47" DER "0121" OTHER_KEY,
     "76a914751e76e8199196d454941c45d1b3a323f1433bd688ac", ErrorCode::public_key_hash_mismatch},
    {"the hash of a key without the key", script_sig,
     "76a914751e76e8199196d454941c45d1b3a323f1433bd688ac", ErrorCode::script_sig_form},
    {"one of two, first", "0047" DER "01", "5121" KEY "21" OTHER_KEY "52ae",
     ErrorCode::signature_mismatch},
    {"two of two, one there", "0047" DER "01", "5221" KEY "21" OTHER_KEY "52ae",
     ErrorCode::signature_missing},
    {"one of one without the element that is never looked at", script_sig, "5121" KEY "51ae",
     ErrorCode::script_sig_form},
    {"one of one, the ignored element not empty",
     "0147"
     "47" DER "01",
     "5121" KEY "51ae", ErrorCode::script_sig_form},
    {"one of one, two signatures", "0047" DER "0147" DER "01", "5121" KEY "51ae",
     ErrorCode::script_sig_form},
    {"a script hash, nothing there", "", "a914751e76e8199196d454941c45d1b3a323f1433bd687",
     ErrorCode::signature_missing},
    {"a script hash of something else", script_sig,
     "a914751e76e8199196d454941c45d1b3a323f1433bd687", ErrorCode::script_hash_mismatch},
    {"anyone's", script_sig, "51", ErrorCode::unsupported_script},
    {"nobody's", script_sig, "6a0102", ErrorCode::unsupported_script},
    {"an empty script", script_sig, "", ErrorCode::unsupported_script},
    {"a condition, unsigned", "", "2e" CONDITION "cc", ErrorCode::signature_missing},
    {"a condition, two pushes",
     "0101"
     "0101",
     "2e" CONDITION "cc", ErrorCode::script_sig_form},
    {"a condition, no fulfillment", "0101", "2e" CONDITION "cc", ErrorCode::truncated},
    {"a condition, a DER signature", script_sig, "2e" CONDITION "cc",
     ErrorCode::condition_type_unknown},
    {"a condition that a preimage fulfills", "05a002800001",
     "27a0258020e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855810100cc",
     ErrorCode::unsupported_condition},
};

InputVerdict verdict_of(Bytes raw, Bytes script) {
  TxLayout layout;
  if (const Error error = parse_transaction(raw, layout); error.failed()) {
    return {.code = error.code, .hash_type = {}, .fulfillment = {}};
  }
  const std::vector<Prevout> prevouts(layout.inputs.size(), Prevout{value_sats, script});
  InputVerifier verifier(
      {raw, layout, prevouts, default_branch_id(layout), ConditionSupport::komodo});
  InputVerdict first = verifier.verify(0);
  for (std::uint32_t index = 1; index < layout.inputs.size(); ++index) {
    if (verifier.verify(index).code == ErrorCode::ok) first.code = ErrorCode::ok;
  }
  return first;
}

std::vector<std::uint8_t> transaction_with(std::string_view signature_script) {
  std::vector<std::uint8_t> raw = unhex(before);
  const std::vector<std::uint8_t> script = unhex(signature_script);
  CHECK(script.size() < 0xfd);
  raw.push_back(static_cast<std::uint8_t>(script.size()));
  raw.insert(raw.end(), script.begin(), script.end());
  const std::vector<std::uint8_t> rest = unhex(after);
  raw.insert(raw.end(), rest.begin(), rest.end());
  return raw;
}

void check_table() {
  for (const Case& item : cases) {
    const InputVerdict verdict =
        verdict_of(transaction_with(item.script_sig), unhex(item.script_pubkey));
    if (verdict.code != item.code) {
      std::fprintf(stderr, "%s: %u\n", item.name, static_cast<unsigned>(verdict.code));
    }
    CHECK(verdict.code == item.code);
    CHECK((verdict.key_count == 1) == (item.code == ErrorCode::ok));
  }
}

/// Cut anywhere or changed in any bit, the transaction does not verify.
void check_every_corruption() {
  const std::vector<std::uint8_t> raw = transaction_with(script_sig);
  const std::vector<std::uint8_t> script = unhex(pays_key);
  CHECK(verdict_of(raw, script).code == ErrorCode::ok);
  for (std::size_t length = 0; length < raw.size(); ++length) {
    CHECK(verdict_of(Bytes{raw}.first(length), script).code != ErrorCode::ok);
  }
  for (std::size_t bit = 0; bit < 8 * raw.size(); ++bit) {
    std::vector<std::uint8_t> changed = raw;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    CHECK(verdict_of(changed, script).code != ErrorCode::ok);
  }
}

/// source: komodo src/cc/CCutils.cpp, MakeCCcond1, whatever form the output has
void check_script_codes() {
  struct ScriptCodeCase {
    std::string_view script_sig;
    std::string_view script_pubkey;
    std::string_view script_code;
  };
  const std::vector<ScriptCodeCase> script_codes{
      {"", pays_key, pays_key},
      {"", "2e" CONDITION "cc", "2e" CONDITION "cc"},
      // Dropped data after the condition are not signed.
      {"", "2e" CONDITION "cc0702f501010102ab75", "2e" CONDITION "cc"},
      // Tokel's 'M' output: the tree's condition.
      {"",
       "3e4da23ba00aa003800102af038001f5a12da22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e7104"
       "5"
       "eb79327f73858401810302040082020204cc",
       ""},
      // tokel src/cc/CCutils.cpp, MakeCCcondMofN: a key behind its hash
      {"",
       "394ea236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd"
       "6"
       "8103020000af038001f5a100cc",
       "2ea22c80204b9e945ecaa451ca5e1983d5840835b826dcf3efc1d4dd434d0864966017ece38103120c008203000"
       "2"
       "01cc"},
      // No tree and no condition: the output's own script.
      {"", "024d00cc", "024d00cc"},
      {"", "024e00cc", "024e00cc"},
      {"", "014dcc", "014dcc"},
      {"", "0401020304cc", "0401020304cc"},
      // komodo src/script/interpreter.cpp, CheckCryptoCondition: the condition of the fulfillment,
      // whatever the output's is.
      {"4c79a276a072a26ba067a5658021" KEY "8140621a6a17e969ef6b9b4b79ec7c71be495e6da72a7ccbe59925ee"
       "b1dbf102fa1f5c80db6be1c1866f506cdcfe"
       "7767b0f3a6377afb69ffd1385d9591b15c83a6eca100af038001f2a10001",
       "2ea22c8020e705044ab884fdcc492bdcf52ac5c6be3f21f4bdd4334caa2abd7d9eee6235248103120c008203000"
       "4"
       "01cc",
       "2e" CONDITION "cc"},
      // A tree of costs too far apart to compare has no condition.
      {"",
       "3d4da23aa00aa003800101af038001f5a12ca02a8020"
       "070707070707070707070707070707070707070707070707070707070707070781060100000000"
       "00cc",
       "3d4da23aa00aa003800101af038001f5a12ca02a8020"
       "070707070707070707070707070707070707070707070707070707070707070781060100000000"
       "00cc"},
      {"0151", "a914751e76e8199196d454941c45d1b3a323f1433bd687", "51"},
  };
  std::vector<std::uint8_t> buffer;
  for (const ScriptCodeCase& item : script_codes) {
    const std::vector<std::uint8_t> signature_script = unhex(item.script_sig);
    const std::vector<std::uint8_t> script = unhex(item.script_pubkey);
    const Result<Bytes> found = script_code_of(signature_script, script, buffer);
    CHECK(found.ok());
    if (item.script_code.empty()) {
      // f5 1-of-1: the condition of this tree differs from that of f2 in its fingerprint only.
      CHECK(found.value().size() == 48 && found.value()[0] == 0x2e && found.value().back() == 0xcc);
      continue;
    }
    const std::vector<std::uint8_t> expected = unhex(item.script_code);
    CHECK(std::vector(found.value().begin(), found.value().end()) == expected);
  }
  CHECK(read_fulfillment_push(unhex("51")).error() == (Error{ErrorCode::script_sig_form, 0}));
  CHECK(read_fulfillment_push({}).error() == (Error{ErrorCode::signature_missing, 0}));
  std::vector<std::uint8_t> large{0x4d, 0x01, 0x08};
  large.resize(3 + 2049);
  CHECK(read_fulfillment_push(large).error() == (Error{ErrorCode::fulfillment_over_limit, 0}));
  // After whatever is there already.
  const std::vector<std::uint8_t> condition = unhex(CONDITION);
  std::vector<std::uint8_t> written{0x51, 0x52};
  write_condition_script(decode_condition(condition).value(), written);
  CHECK(written == unhex("51522e" CONDITION "cc"));
  const std::vector<std::uint8_t> script_hash =
      unhex("a914751e76e8199196d454941c45d1b3a323f1433bd687");
  for (const std::string_view no_script : {"61", "610151", "015161", "4c", "0151024c", "00"}) {
    CHECK(script_code_of(unhex(no_script), script_hash, buffer).error() ==
          (Error{ErrorCode::redeem_script_missing, 0}));
  }
  CHECK(script_code_of({}, script_hash, buffer).error().code == ErrorCode::redeem_script_missing);
}

}  // namespace

int main() {
  check_table();
  check_every_corruption();
  check_script_codes();
  return antara::test::report();
}
