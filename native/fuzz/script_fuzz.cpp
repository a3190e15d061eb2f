// Any bytes are some script: classified by every chain's rules and shown as text, with no more
// destinations than a multisig can have and text bounded by the script's length.

#include <cstdlib>
#include <string>

#include "script/asm.h"
#include "script/templates.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace antara;
  const Bytes script{data, size};
  ScriptTemplate found;
  for (const auto support :
       {ConditionSupport::none, ConditionSupport::komodo, ConditionSupport::tokel}) {
    classify_script(script, support, found);
    if (found.destinations.size() > 16) std::abort();
    if (found.required_signatures > found.destinations.size()) std::abort();
  }
  for (const auto suffix : {SighashSuffix::hidden, SighashSuffix::shown}) {
    std::string text;
    append_asm(script, suffix, text);
    // The longest name of a one-byte opcode, and a space.
    if (text.size() > 30 * size) std::abort();
  }
  return 0;
}
