#include "verify/script_code.h"

#include "cc/fingerprint.h"
#include "cc/fulfillment.h"
#include "script/script_reader.h"

namespace antara {
namespace {

bool is_mixed_mode(Bytes pushed) noexcept {
  return !pushed.empty() && (pushed[0] == 'M' || pushed[0] == 'N');
}

Result<Condition> root_condition(const Result<ConditionTree>& tree) {
  if (!tree.ok()) return tree.error();
  const Result<std::vector<Condition>> conditions = conditions_of(tree.value());
  if (!conditions.ok()) return conditions.error();
  return conditions.value().front();
}

/// Returns the last push of a script that only pushes; empty for others.
Bytes last_push(Bytes script) noexcept {
  if (!is_push_only(script)) return {};
  ScriptReader reader{script};
  ScriptOp op;
  while (reader.next(op)) {
  }
  return op.data;
}

}  // namespace

Result<FulfillmentPush> read_fulfillment_push(Bytes script_sig) noexcept {
  if (script_sig.empty()) return Error{ErrorCode::signature_missing, 0};
  ScriptReader reader{script_sig};
  ScriptOp push;
  if (!reader.next(push) || !push.is_data_push() || push.data.empty() || !reader.at_end()) {
    return Error{ErrorCode::script_sig_form, 0};
  }
  if (push.data.size() > fulfillment_push_bytes_max) {
    return Error{ErrorCode::fulfillment_over_limit, 0};
  }
  return FulfillmentPush{push.data.first(push.data.size() - 1), push.data.back()};
}

Result<Condition> condition_of_script(const ConditionScript& script) {
  if (!is_mixed_mode(script.pushed)) return decode_condition(script.pushed, DerRules::daemon);
  return root_condition(decode_fulfillment(script.pushed.subspan(1), FulfillmentForm::mixed));
}

void write_condition_script(const Condition& condition, std::vector<std::uint8_t>& output) {
  const std::size_t start = output.size();
  output.push_back(0);
  write_condition(condition, output);
  // No condition has 75 bytes: fingerprint 32, cost 8, subtypes 3, and their headers.
  output[start] = static_cast<std::uint8_t>(output.size() - start - 1);
  output.push_back(op_checkcryptocondition);
}

Result<Bytes> script_code_of(Bytes script_sig, Bytes script_pubkey,
                             std::vector<std::uint8_t>& buffer) {
  if (match_scripthash(script_pubkey)) {
    const Bytes redeem_script = last_push(script_sig);
    if (redeem_script.empty()) return Error{ErrorCode::redeem_script_missing, 0};
    return redeem_script;
  }
  ConditionScript found;
  if (!match_condition_script(script_pubkey, ConditionSupport::tokel, found)) return script_pubkey;
  Result<Condition> condition{Error{ErrorCode::signature_missing, 0}};
  if (const Result<FulfillmentPush> push = read_fulfillment_push(script_sig); push.ok()) {
    condition = root_condition(decode_fulfillment(push.value().fulfillment));
  }
  if (!condition.ok()) condition = condition_of_script(found);
  if (!condition.ok()) return script_pubkey;
  buffer.clear();
  write_condition_script(condition.value(), buffer);
  return Bytes{buffer};
}

}  // namespace antara
