// The seam by itself: what a call takes and answers, and that mistakes in words and inputs are told
// instead of followed. What the functions compute is tested with the core.

#include <string>
#include <vector>

#include "base/limits.h"
#include "check.h"
#include "seam/functions.h"
#include "seam/verification.h"

namespace {

using namespace antara;
using namespace antara::seam;

/// A caller with `count` words.
struct Caller {
  explicit Caller(std::size_t count) : memory((count + 1) / 2) {
    state.words = {reinterpret_cast<std::uint32_t*>(memory.data()), count};
  }
  std::vector<std::uint64_t> memory;
  State state;
};

Input text_input(std::string_view text) {
  Input input;
  input.text = text;
  input.is_text = true;
  return input;
}

struct Answer {
  std::uint32_t code;
  std::uint32_t number;
  std::string text;
};

Answer call(Caller& caller, Outcome (*function)(Call&), std::initializer_list<Input> inputs) {
  Call made{caller.state};
  std::copy(inputs.begin(), inputs.end(), made.inputs.begin());
  const Outcome outcome = made.finish(function(made));
  CHECK(caller.state.words[0] == outcome.code());
  CHECK(caller.state.words[1] == outcome.number());
  return {outcome.code(), outcome.number(), {made.text().begin(), made.text().end()}};
}

bool is_argument_error(const Answer& answer, ArgumentError error) {
  return answer.code == argument_error && answer.number == static_cast<std::uint32_t>(error);
}

bool is_error(const Answer& answer, ErrorCode code, std::uint32_t number) {
  return answer.code == static_cast<std::uint32_t>(code) && answer.number == number;
}

template <typename Record>
void put(Caller& caller, std::size_t word, const Record& record) {
  Call::put(caller.state.words.subspan(word), record);
}

void refuses_what_is_over_the_limit() {
  Caller caller{64};
  const std::vector<std::uint8_t> bytes(input_bytes_max + 1);
  Input too_long_text;
  too_long_text.is_text = true;
  too_long_text.is_over_limit = true;
  Input too_many_bytes;
  too_many_bytes.bytes = bytes;
  for (const Function& function : functions) {
    if (function.input_count == 0) continue;
    const InputKind kind = function.inputs[0];
    if (kind != InputKind::source && kind != InputKind::hex) continue;
    // The last text input: those before it are then tried in vain.
    Call made{caller.state};
    made.inputs[0] = too_long_text;
    made.inputs[1] = text_input("");
    const Outcome outcome = made.finish(function.run(made));
    CHECK(outcome.code() == static_cast<std::uint32_t>(ErrorCode::input_over_limit));
    CHECK(outcome.number() == input_bytes_max);
  }
  CHECK(is_error(call(caller, hash160, {too_many_bytes}), ErrorCode::input_over_limit,
                 input_bytes_max));
}

void keeps_what_does_not_fit() {
  Caller caller{64};
  std::string script;
  for (int step = 0; step < 40; ++step) script += "51";
  CHECK(call(caller, split_script, {text_input("5151")}).code == 0);
  const std::size_t needed = result_base + (sizeof(StepsWords) + 40 * sizeof(StepWords)) / 4;
  const Answer answer = call(caller, split_script, {text_input(script)});
  CHECK(answer.code == needs_words && answer.number == needed);

  Caller larger{needed};
  larger.state.kept = std::move(caller.state.kept);
  Call taking{larger.state};
  CHECK(!taking.finish(taking.take_kept()).failed());
  CHECK(Call::at<StepsWords>(larger.state.words.subspan(result_base)).count == 40);
  Call again{larger.state};
  const Outcome nothing = again.finish(again.take_kept());
  CHECK(nothing.code() == argument_error);
  CHECK(nothing.number() == static_cast<std::uint32_t>(ArgumentError::nothing_kept));
}

void forgets_what_was_not_taken() {
  Caller caller{64};
  std::string script;
  for (int step = 0; step < 40; ++step) script += "51";
  CHECK(call(caller, split_script, {text_input(script)}).code == needs_words);
  CHECK(call(caller, hash160, {text_input("00")}).code == 0);
  Call taking{caller.state};
  CHECK(taking.finish(taking.take_kept()).code() == argument_error);
}

void bounds_lists_by_the_scratch() {
  Caller caller{64};
  put(caller, result_base, ScriptsWords{.count = 57});
  CHECK(is_argument_error(call(caller, describe_scripts, {text_input("51")}),
                          ArgumentError::words_beyond_scratch));
  put(caller, result_base, ScriptsWords{.count = 0xffffffff});
  CHECK(is_argument_error(call(caller, describe_scripts, {text_input("51")}),
                          ArgumentError::words_beyond_scratch));
  for (const auto function : {read_condition_scripts, read_fulfillments}) {
    put(caller, result_base, ScriptSigsWords{.count = 60});
    CHECK(is_argument_error(call(caller, function, {text_input("51")}),
                            ArgumentError::words_beyond_scratch));
  }
  const std::size_t first_tree = result_base + sizeof(TreesWords) / 4;
  put(caller, result_base, TreesWords{.count = 1});
  put(caller, first_tree, TreeWords{.nodes = 5, .form = form_condition});
  CHECK(is_argument_error(call(caller, encode_trees, {text_input("")}),
                          ArgumentError::words_beyond_scratch));
  put(caller, result_base, HeaderWords{.inputs = 12});
  CHECK(is_argument_error(call(caller, encode_transaction, {text_input("")}),
                          ArgumentError::words_beyond_scratch));
}

void bounds_slices_by_the_text() {
  Caller caller{64};
  put(caller, result_base, ScriptsWords{.count = 1});
  put(caller, result_base + sizeof(ScriptsWords) / 4, ScriptTextWords{.digits = 4});
  CHECK(is_argument_error(call(caller, describe_scripts, {text_input("51")}),
                          ArgumentError::words_beyond_text));
  put(caller, result_base, ScriptsWords{.count = 1, .support = 3});
  CHECK(is_argument_error(call(caller, describe_scripts, {text_input("51")}),
                          ArgumentError::unknown_condition_support));

  NodeWords preimage{
      .value_length = 1, .key_hash_length = absent_length, .second_length = absent_length};
  const std::size_t tree = result_base + sizeof(TreesWords) / 4;
  TreeWords head{.nodes = 1, .form = form_condition};
  const auto encode = [&] {
    put(caller, result_base, TreesWords{.count = 1});
    put(caller, tree, head);
    put(caller, tree + sizeof(TreeWords) / 4, preimage);
    return call(caller, encode_trees, {text_input("aa")});
  };
  CHECK(encode().code == 0);
  head.form = form_mixed_hidden + 1;
  CHECK(is_argument_error(encode(), ArgumentError::unknown_condition_form));
  head.form = form_condition;
  preimage.value_offset = 1;
  CHECK(is_argument_error(encode(), ArgumentError::words_beyond_text));
  preimage.value_offset = 0xffffffff;
  CHECK(is_argument_error(encode(), ArgumentError::words_beyond_text));
  preimage = {.type = 7};
  CHECK(is_argument_error(encode(), ArgumentError::unknown_condition_type));

  put(caller, result_base, ScriptSigsWords{.count = 1});
  put(caller, result_base + sizeof(ScriptSigsWords) / 4, ScriptTextWords{.digits = 4});
  CHECK(is_argument_error(call(caller, read_fulfillments, {text_input("51")}),
                          ArgumentError::words_beyond_text));
  put(caller, result_base, ConditionScriptsWords{.count = 1, .support = 4});
  CHECK(is_argument_error(call(caller, read_condition_scripts, {text_input("51")}),
                          ArgumentError::unknown_condition_support));
  CHECK(is_argument_error(call(caller, read_public_keys, {text_input(std::string(68, '0'))}),
                          ArgumentError::words_beyond_text));
  put(caller, result_base, RecoveryWords{.number = 3});
  for (const std::size_t digits : {0, 190, 194}) {
    CHECK(
        is_argument_error(call(caller, recover_public_key, {text_input(std::string(digits, '1'))}),
                          ArgumentError::words_beyond_text));
  }
  put(caller, result_base, RecoveryWords{.number = 4});
  CHECK(is_argument_error(call(caller, recover_public_key, {text_input(std::string(192, '1'))}),
                          ArgumentError::unknown_recovery));
  put(caller, result_base, SignatureWords{.key_bytes = 1});
  CHECK(is_argument_error(call(caller, verify_signature, {text_input(std::string(64, '0'))}),
                          ArgumentError::words_beyond_text));
}

void takes_arrays_as_they_are() {
  Caller caller{128};
  const std::int64_t values[] = {5, 7};
  const std::uint32_t sizes[] = {148, 148, 148};
  Input values_input;
  values_input.bytes = {reinterpret_cast<const std::uint8_t*>(values), sizeof values};
  Input sizes_input;
  sizes_input.bytes = {reinterpret_cast<const std::uint8_t*>(sizes), sizeof sizes};
  CHECK(is_argument_error(call(caller, select_coins, {values_input, sizes_input}),
                          ArgumentError::sizes_unlike_values));
  values_input.bytes = {values_input.bytes.data() + 1, 8};
  CHECK(is_argument_error(call(caller, select_coins, {values_input, {}}),
                          ArgumentError::memory_misaligned));
}

void takes_keys_of_32_bytes() {
  Caller caller{64};
  const std::string hash(64, '1');
  const std::vector<std::uint8_t> bytes(33, 1);
  const auto input = [&bytes](std::size_t size) {
    Input given;
    given.bytes = Bytes{bytes}.first(size);
    return given;
  };
  CHECK(call(caller, sign_hash, {text_input(hash), input(32), input(32)}).text.size() == 128);
  CHECK(call(caller, derive_public_key, {input(32), input(32)}).text.size() == 130);
  for (const std::size_t wrong : {0, 31, 33}) {
    for (const Answer& answer : {
             call(caller, sign_hash, {text_input(hash), input(wrong), input(32)}),
             call(caller, sign_hash, {text_input(hash), input(32), input(wrong)}),
             call(caller, derive_public_key, {input(wrong), input(32)}),
             call(caller, derive_public_key, {input(32), input(wrong)}),
             call(caller, sign_hash,
                  {text_input(std::string(2 * wrong, '1')), input(32), input(32)}),
         }) {
      CHECK(is_argument_error(answer, ArgumentError::expected_32_bytes));
    }
  }
}

// Parts that were cancelled leave their inputs as they were at the start.
void verifies_nothing_without_a_part() {
  Caller caller{64};
  SigningCall signing;
  signing.prevouts.resize(2);
  const VerificationJob job{signing, {}, ConditionSupport::none};
  Call made{caller.state};
  job.answer(made);
  CHECK(!made.finish({}).failed());
  const std::span words = caller.state.words.subspan(result_base);
  for (const std::size_t input : {0U, 1U}) {
    const auto verdict = Call::at<VerdictWords>(words.subspan(input * sizeof(VerdictWords) / 4));
    CHECK(verdict.code == static_cast<std::uint32_t>(ErrorCode::internal_error));
  }
}

}  // namespace

int main() {
  refuses_what_is_over_the_limit();
  keeps_what_does_not_fit();
  forgets_what_was_not_taken();
  bounds_lists_by_the_scratch();
  bounds_slices_by_the_text();
  takes_arrays_as_they_are();
  takes_keys_of_32_bytes();
  verifies_nothing_without_a_part();
  return antara::test::report();
}
