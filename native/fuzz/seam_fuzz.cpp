// Passes any inputs and words to one function of the seam, which the environment names. Its outcome
// must be one that callers know, and its answer must not depend on the number of words for it.
//
// input  for each input of the function: how it is passed 1 byte, length 2 bytes, bytes; then words

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bytes/byte_reader.h"
#include "bytes/hex.h"
#include "numbers.h"
#include "seam/functions.h"
#include "seam/verification.h"

namespace {

using namespace antara;
using namespace antara::seam;
using antara::fuzz::require;

const Function& function_of_environment() {
  const char* name = std::getenv("ANTARA_SEAM_FUNCTION");
  for (const Function& function : functions) {
    if (name != nullptr && std::string_view{name} == function.name) return function;
  }
  std::fprintf(stderr, "ANTARA_SEAM_FUNCTION names no function of seam.def\n");
  std::exit(2);
}

/// How an input is passed.
enum Passing : std::uint8_t { as_hex = 0, as_bytes = 1, as_text = 2, misaligned = 3 };

struct GivenInput {
  InputKind kind{};
  std::vector<char> text;
  std::vector<std::int64_t> memory;  // aligned for any element
  std::size_t memory_offset = 0;
  std::size_t bytes = 0;
  bool is_text = false;

  [[nodiscard]] Input view() const {
    Input input;
    input.is_text = is_text;
    input.text = text;
    const auto* first = reinterpret_cast<const std::uint8_t*>(memory.data()) + memory_offset;
    if (!is_text) input.bytes = {first, bytes};
    return input;
  }
};

GivenInput read_input(ByteReader& reader, InputKind kind) {
  GivenInput given;
  given.kind = kind;
  const auto passing = static_cast<Passing>(reader.u8() % 4);
  const std::size_t announced = reader.u16();
  const Bytes bytes = reader.bytes(std::min(announced, reader.remaining()));
  const bool takes_text = kind == InputKind::source || kind == InputKind::hex;
  given.is_text = kind == InputKind::hex || (takes_text && passing != as_bytes);
  if (given.is_text && passing == as_text) {
    given.text.assign(bytes.begin(), bytes.end());
  } else if (given.is_text) {
    given.text.resize(2 * bytes.size());
    hex_from_bytes(bytes, given.text.data());
  } else {
    const std::size_t element = kind == InputKind::values ? 8 : kind == InputKind::numbers ? 4 : 1;
    given.bytes = bytes.size() / element * element;
    given.memory_offset = passing == misaligned ? 1 : 0;
    given.memory.resize(given.bytes / 8 + 2);
    if (given.bytes > 0) {
      std::memcpy(reinterpret_cast<std::uint8_t*>(given.memory.data()) + given.memory_offset,
                  bytes.data(), given.bytes);
    }
  }
  return given;
}

struct Given {
  std::vector<GivenInput> inputs;
  std::vector<std::uint32_t> words;
};

struct Answer {
  std::uint32_t code = 0;
  std::uint32_t number = 0;
  std::vector<std::uint32_t> words;  // everything from `result_base` on
  std::string text;
};

bool is_known(const Answer& answer) {
  if (answer.code == argument_error) {
    return answer.number <= static_cast<std::uint32_t>(ArgumentError::nothing_kept);
  }
  switch (static_cast<ErrorCode>(answer.code)) {
    case ErrorCode::ok:
#define ANTARA_ERROR(name, number, summary) case ErrorCode::name:
#include "base/error_table.def"
#undef ANTARA_ERROR
      return true;
  }
  return false;
}

/// Calls `function` with a scratch of `count` words, and takes an answer that did not fit.
Answer call_with(const Function& function, const Given& given, std::size_t count,
                 const VerificationJob* job, std::shared_ptr<VerificationJob>* made_job) {
  static State state;
  // Made anew for every call, so that a sanitizer sees a word beyond it.
  std::vector<std::uint64_t> memory(count / 2);
  state.words = {reinterpret_cast<std::uint32_t*>(memory.data()), count};
  std::copy(given.words.begin(), given.words.end(), state.words.begin() + result_base);
  const std::int64_t coin_values[] = {5, 7, 5, 1'000'000};
  CoinIndex index;
  require(!index.create(coin_values, {.same = 148}).failed());

  Call call{state};
  for (std::size_t at = 0; at < given.inputs.size(); ++at) {
    call.inputs[at] = given.inputs[at].view();
  }
  call.index = &index;
  call.finished_job = job;
  Outcome outcome = call.finish(function.run(call));
  Answer answer{outcome.code(), outcome.number(), {}, {}};
  require(state.words[0] == answer.code && state.words[1] == answer.number);
  if (made_job != nullptr) *made_job = std::move(call.made_job);
  if (!outcome.failed()) {
    require(function.answer != AnswerKind::index || call.made_index != nullptr);
    answer.text.assign(call.text().begin(), call.text().end());
    answer.words.assign(state.words.begin() + result_base, state.words.end());
  } else if (answer.code == needs_words) {
    require(answer.number > count);
    std::vector<std::uint64_t> larger((answer.number + 1) / 2);
    state.words = {reinterpret_cast<std::uint32_t*>(larger.data()), 2 * larger.size()};
    Call again{state};
    outcome = again.finish(again.take_kept());
    require(!outcome.failed());
    answer.code = 0;
    answer.number = 0;
    answer.text.assign(again.text().begin(), again.text().end());
    answer.words.assign(state.words.begin() + result_base, state.words.end());
    Call never{state};
    require(never.finish(never.take_kept()).failed());
  }
  state.words = {};
  return answer;
}

/// Words behind an answer are left from before, so only words that both have are compared.
void require_same(const Answer& one, const Answer& other) {
  require(one.code == other.code && one.number == other.number && one.text == other.text);
  const std::size_t common = std::min(one.words.size(), other.words.size());
  require(std::equal(one.words.begin(), one.words.begin() + static_cast<std::ptrdiff_t>(common),
                     other.words.begin()));
}

std::shared_ptr<VerificationJob> finished_job(const Given& given, std::size_t count) {
  for (const Function& function : functions) {
    if (function.answer != AnswerKind::job) continue;
    std::shared_ptr<VerificationJob> job;
    if (call_with(function, given, count, nullptr, &job).code != 0) return nullptr;
    for (std::size_t part = job->parts(3); part > 0; --part) job->run_part();
    return job;
  }
  return nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Function& function = function_of_environment();
  ByteReader reader{{data, size}};
  const bool takes_job = function.inputs[0] == InputKind::job && function.input_count > 0;
  Given given;
  if (takes_job) {
    given.inputs = {read_input(reader, InputKind::source), read_input(reader, InputKind::hex)};
  } else {
    for (std::size_t at = 0; at < function.input_count; ++at) {
      given.inputs.push_back(read_input(reader, function.inputs[at]));
    }
  }
  while (reader.remaining() >= 4) given.words.push_back(reader.u32());

  const std::size_t needed = result_base + given.words.size();
  const std::size_t count = std::max<std::size_t>(scratch_words_min, needed + needed % 2);
  std::shared_ptr<VerificationJob> job;
  if (takes_job) {
    job = finished_job(given, count);
    if (job == nullptr) return 0;
    given.inputs.clear();
  }
  const Answer answer = call_with(function, given, count, job.get(), nullptr);
  require(is_known(answer));
  for (const char character : answer.text) {
    require((character >= ' ' && character <= '~') || character == '\n');
  }
  require_same(answer, call_with(function, given, count, job.get(), nullptr));
  if (answer.code != argument_error) {
    require_same(answer, call_with(function, given, 2 * count + 8192, job.get(), nullptr));
  }
  return 0;
}
