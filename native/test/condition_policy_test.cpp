// Which conditions and fulfillments komodod and tokeld take, whatever else can be read.

#include <string>
#include <string_view>

#include "cc/fulfillment.h"
#include "cc/policy.h"
#include "check.h"
#include "condition_text.h"
#include "fulfillment_text.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;

// The daemon copies 32 bytes of whatever fingerprint there is, and ignores what follows.
void conditions_follow_the_daemon() {
  CHECK(may_accept_condition(unhex("a526801f" + fingerprint.substr(2) + good_cost)));
  CHECK(may_accept_condition(unhex("a527" + good_fingerprint + good_cost + "ffff")));
  CHECK(!may_accept_condition(unhex("a5078000" + good_cost)));
  // An enabled type with an unknown one beside it.
  CHECK(!may_accept_condition(unhex("a22b" + good_fingerprint + good_cost + "82020005")));
  // Tokel reads a tree behind an 'M' or an 'N', Komodo a condition of no known type.
  const std::string mixed =
      "a236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd68103"
      "020000af038001f5a100";
  for (const std::string version : {"4d", "4e"}) {
    CHECK(may_accept_condition(unhex(version + mixed), ConditionDialect::tokel));
    CHECK(!may_accept_condition(unhex(version + mixed)));
    CHECK(!may_accept_condition(unhex(version + mixed + "00"), ConditionDialect::tokel));
    CHECK(!may_accept_condition(unhex(version), ConditionDialect::tokel));
  }
  // Inside a tree the daemon wants DER, whatever the bits say: spare ones, the own type.
  const auto hidden = [](const std::string& subtypes) {
    const auto around = [](std::size_t bytes) {
      return hex(Buffer{static_cast<std::uint8_t>(bytes)});
    };
    const std::size_t inner = 39 + subtypes.size() / 2;
    return "4da2" + around(inner + 16) + "a00aa003800102af038001f5a1" + around(inner + 2) + "a2" +
           around(inner) + good_fingerprint + good_cost + subtypes;
  };
  struct Spelled {
    const char* subtypes;
    bool is_taken;
  };
  const std::vector<Spelled> spelled{{"82020204", true},  {"82020004", true},  {"82020224", true},
                                     {"82020205", false}, {"82020a04", false}, {"82020005", false},
                                     {"82020001", false}, {"82020704", false}, {"82020700", true},
                                     {"82020800", false}, {"8200", false},     {"820100", false},
                                     {"82020308", true},  {"82020410", false}, {"82020640", false}};
  for (const Spelled& item : spelled) {
    const std::string script = hidden(item.subtypes);
    CHECK(may_accept_condition(unhex(script), ConditionDialect::tokel) == item.is_taken);
    const std::string_view subtypes = item.subtypes;
    CHECK(decode_fulfillment(unhex(script.substr(2)), FulfillmentForm::mixed).ok() ==
          (subtypes == "82020204" || subtypes == "82020700" || subtypes == "82020308" ||
           subtypes == "82020410" || subtypes == "82020640"));
  }
  // All types in it are Komodo's, but Komodo knows no mixed mode.
  CHECK(!may_accept_condition(unhex(hidden("82020204"))));
  CHECK(!may_accept_condition({}));
  CHECK(!may_accept_condition({}, ConditionDialect::tokel));
  // A prefix of a key, which Tokel does not enable, wherever it stands in the tree.
  CHECK(!may_accept_condition(
      unhex("4da23ba00aa003800102af038001f5a12da12b" + good_fingerprint + good_cost + "82020204"),
      ConditionDialect::tokel));
  CHECK(!may_accept_condition(unhex("4f" + mixed), ConditionDialect::tokel));
  // The unused bits hide the eval type, and with it nothing that matters: secp256k1 remains.
  CHECK(may_accept_condition(unhex("a22c" + good_fingerprint + good_cost + "8203030401")));
}

struct Spend {
  const char* name;
  std::string fulfillment;
  bool komodo;
  bool tokel;
};

void fulfillments_follow_the_daemon() {
  const std::string key = element("a5", element("80", key_1) + element("81", signature));
  const std::string key_by_hash = element("a6", element("80", key_1) + element("81", signature));
  const std::string ed25519 =
      element("a4", element("80", repeat("07", 32)) + element("81", signature));
  const std::string unsigned_key = "a527" + condition_f2.substr(4, 72) + "020000";
  const std::vector<Spend> spends{
      {"a key and an eval", threshold(key + eval_f2), true, true},
      {"a key alone", key, true, true},
      {"ed25519", threshold(ed25519), true, true},
      {"a key by its hash", threshold(key_by_hash + eval_f2), false, true},
      {"an eval alone", eval_f2, false, false},
      {"an eval and an unsigned key", threshold(eval_f2, unsigned_key), false, false},
      {"a key behind a prefix", element("a1", "8000810100" + element("a2", key)), false, false},
      {"a prefix beside a key", threshold(element("a1", "8000810100" + element("a2", pre_a)) + key),
       false, false},
      {"a key beside a preimage", threshold(pre_a + key), true, true},
      {"an eval with a parameter", threshold(key + element("af", "8001f28100")), false, true},
  };
  for (const Spend& item : spends) {
    const Buffer bytes = unhex(item.fulfillment);
    const Result<ConditionTree> tree = decode_fulfillment(bytes);
    CHECK(tree.ok());
    CHECK(may_spend_with(tree.value()) == item.komodo);
    CHECK(may_spend_with(tree.value(), ConditionDialect::tokel) == item.tokel);
  }
  // Two keys that are not a tree.
  ConditionTree keys;
  keys.nodes.resize(2);
  for (ConditionNode& node : keys.nodes) node.type = ConditionType::secp256k1;
  CHECK(!may_spend_with(keys));
  keys.nodes.resize(1);
  CHECK(may_spend_with(keys));
}

}  // namespace

int main() {
  conditions_follow_the_daemon();
  fulfillments_follow_the_daemon();
  return antara::test::report();
}
