#include "signing_call.h"

#include <cstring>

#include "arguments.h"
#include "tx/parse.h"

namespace antara::addon {
namespace {

/// Cuts the joined scripts as the words say. False if they do not add up.
bool read_prevouts(std::span<const std::uint32_t> words, Bytes scripts, std::size_t count,
                   std::vector<Prevout>& prevouts) {
  prevouts.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint32_t* word = words.data() + prevouts_word + prevout_words * index;
    const std::size_t bytes = word[prevout_script_word] / 2;
    if (word[prevout_script_word] % 2 != 0 || bytes > scripts.size()) return false;
    Prevout prevout;
    std::memcpy(&prevout.value_sats, word, sizeof prevout.value_sats);
    prevout.script_pubkey = scripts.first(bytes);
    scripts = scripts.subspan(bytes);
    prevouts.push_back(prevout);
  }
  return scripts.empty();
}

}  // namespace

SigningCall read_signing_call(const Napi::CallbackInfo& info, std::size_t prevouts) {
  Instance& instance = instance_of(info);
  SigningCall call;
  const Source scripts = scripts_argument(info, 1);
  if (scripts.misused) return call;
  const Source source = source_argument(info, 0);
  if (source.misused) return call;
  Error error = scripts.error;
  if (!error.failed()) error = source.error;
  if (!error.failed()) error = parse_transaction(source.raw, instance.layout);
  if (error.failed()) {
    fail(info, error);
    return call;
  }

  const std::size_t words_available = instance.words.size() - outcome_words;
  const bool has_room = words_available >= prevouts_word &&
                        (words_available - prevouts_word) / prevout_words >= prevouts;
  const std::span<const std::uint32_t> words = instance.words.subspan(outcome_words);
  if (!has_room || !read_prevouts(words, scripts.raw, prevouts, call.prevouts)) {
    misuse(info, "the words do not describe the scripts");
    return call;
  }
  call.raw = source.raw;
  call.hash_type = words[hash_type_word];
  call.branch_id =
      words[has_branch_id_word] != 0 ? words[branch_id_word] : default_branch_id(instance.layout);
  call.selector = words[selector_word];
  call.has_failed = false;
  return call;
}

SigningCall read_whole_signing_call(const Napi::CallbackInfo& info) {
  const auto count = count_argument(info, 2);
  if (!count) return {};
  SigningCall call = read_signing_call(info, *count);
  const std::size_t inputs = instance_of(info).layout.inputs.size();
  if (!call.has_failed && call.prevouts.size() != inputs) {
    fail(info, {ErrorCode::prevout_count_mismatch, static_cast<std::uint32_t>(inputs)});
    call.has_failed = true;
  }
  return call;
}

}  // namespace antara::addon
