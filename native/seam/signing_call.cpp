#include "seam/signing_call.h"

#include "tx/parse.h"

namespace antara::seam {
namespace {

constexpr std::size_t prevout_words = sizeof(PrevoutWords) / 4;

/// Cuts the joined scripts by the lengths in the words. Returns false if these do not add up.
bool cut_scripts(std::span<const std::uint32_t> words, Bytes scripts,
                 std::vector<Prevout>& prevouts) {
  prevouts.reserve(words.size() / prevout_words);
  for (; !words.empty(); words = words.subspan(prevout_words)) {
    const auto record = Call::at<PrevoutWords>(words);
    const std::size_t bytes = record.script_digits / 2;
    if (record.script_digits % 2 != 0 || bytes > scripts.size()) return false;
    prevouts.push_back({record.value, scripts.first(bytes)});
    scripts = scripts.subspan(bytes);
  }
  return scripts.empty();
}

}  // namespace

Outcome read_signing_call(Call& call, Prevouts expected, SigningCall& signing) {
  const Result<Source> scripts = call.source(1);
  if (!scripts.ok()) return scripts.error();
  const Result<Source> source = call.source(0);
  if (!source.ok()) return source.error();
  TxLayout& layout = call.state().layout;
  const Error malformed = parse_transaction(source.value().raw, layout);
  if (malformed.failed()) return malformed;

  const auto head = call.head<SigningWords>();
  std::span<const std::uint32_t> words;
  const Outcome misfit = call.list<SigningWords, PrevoutWords>(head.prevouts, words);
  if (misfit.failed()) return misfit;
  if (!cut_scripts(words, scripts.value().raw, signing.prevouts))
    return ArgumentError::words_beyond_text;
  const std::size_t count = expected == Prevouts::one ? 1 : layout.inputs.size();
  if (signing.prevouts.size() != count) {
    return Error{ErrorCode::prevout_count_mismatch, static_cast<std::uint32_t>(count)};
  }
  signing.raw = source.value().raw;
  signing.hash_type = head.hash_type;
  signing.branch_id = head.has_branch_id != 0 ? head.branch_id : default_branch_id(layout);
  signing.selector = head.selector;
  return {};
}

}  // namespace antara::seam
