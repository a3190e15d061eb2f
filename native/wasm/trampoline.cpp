// The table of the seam over linear memory: a caller puts inputs where it is told to, invokes a
// function by its number, and reads words and text where they lie. Nothing is imported.

#include <cstdlib>
#include <new>

#include "base/limits.h"
#include "seam/functions.h"
#include "seam/verification.h"

// Of its own names in C, where `index` and others are taken.
#define ANTARA_EXPORT(result, name) \
  extern "C" __attribute__((export_name(#name))) result antara_##name

namespace antara::wasm {
namespace {

using seam::Call;
using seam::InputKind;
using seam::Misuse;
using seam::Outcome;

struct KeptJob {
  std::shared_ptr<seam::VerificationJob> job;
};

/// The one caller that an instance has. Made by `scratch`, which every caller calls first.
struct Instance {
  seam::State state;
  /// What the next call takes, and after it its answer.
  std::unique_ptr<Call> call;
  std::vector<std::uint64_t> words;  // of the scratch, so that it is aligned to 8 bytes
  std::array<std::vector<std::uint64_t>, seam::inputs_max> arrays;

  Call& next() {
    if (!call) call = std::make_unique<Call>(state);
    return *call;
  }
};

Instance& instance() {
  static Instance only;
  return only;
}

std::uint32_t address_of(const void* memory) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory));
}

template <typename Kept>
Kept* kept_at(std::uint32_t address) noexcept {
  return reinterpret_cast<Kept*>(static_cast<std::uintptr_t>(address));
}

}  // namespace

/// By which the caller knows that it means the same table.
ANTARA_EXPORT(std::uint32_t, abi)() { return seam::abi; }

/// Makes a scratch of `count` words, at least `scratch_words_min`, and tells where it is.
ANTARA_EXPORT(std::uint32_t, scratch)(std::uint32_t count) {
  Instance& only = instance();
  std::vector<std::uint64_t>((count + 1) / 2).swap(only.words);
  only.state.words = {reinterpret_cast<std::uint32_t*>(only.words.data()), 2 * only.words.size()};
  return address_of(only.words.data());
}

/// Where the caller puts the characters of an input, each cut to eight bits.
ANTARA_EXPORT(std::uint32_t, text)(std::uint32_t position, std::uint32_t characters) {
  Instance& only = instance();
  std::vector<char>& buffer = only.state.texts[position];
  if (buffer.size() < characters) buffer.resize(characters + characters / 2);
  seam::Input& input = only.next().inputs[position];
  input.is_text = true;
  input.text = {buffer.data(), characters};
  return address_of(buffer.data());
}

/// Where the caller puts the bytes of an array.
ANTARA_EXPORT(std::uint32_t, array)(std::uint32_t position, std::uint32_t bytes) {
  Instance& only = instance();
  std::vector<std::uint64_t>& buffer = only.arrays[position];
  if (buffer.size() * 8 < bytes) std::vector<std::uint64_t>((bytes + 7) / 8).swap(buffer);
  only.next().inputs[position].bytes = {reinterpret_cast<const std::uint8_t*>(buffer.data()),
                                        bytes};
  return address_of(buffer.data());
}

/// Instead of either: the input is longer than any that is read, so it stays where it is.
ANTARA_EXPORT(void, overlong)(std::uint32_t position) {
  instance().next().inputs[position].is_over_limit = true;
}

ANTARA_EXPORT(void, index)(std::uint32_t address) {
  instance().next().index = kept_at<CoinIndex>(address);
}

ANTARA_EXPORT(void, job)(std::uint32_t address) {
  instance().next().finished_job = kept_at<KeptJob>(address)->job.get();
}

/// Runs the function of that number. Returns the code of the outcome: 0 for success.
ANTARA_EXPORT(std::uint32_t, invoke)(std::uint32_t function) {
  Call& call = instance().next();
  return call.finish(seam::functions[function].run(call)).code();
}

/// Instead of a function: the answer of the last call, for which there were too few words.
ANTARA_EXPORT(std::uint32_t, take)() {
  Call& call = instance().next();
  return call.finish(call.take_kept()).code();
}

/// After a call: where its text is, and how long.
ANTARA_EXPORT(std::uint32_t, answer)() { return address_of(instance().next().text().data()); }
ANTARA_EXPORT(std::uint32_t, answer_length)() {
  return static_cast<std::uint32_t>(instance().next().text().size());
}

/// After a call: what it made that stays here, until it is released.
ANTARA_EXPORT(std::uint32_t, made_index)() {
  return address_of(instance().next().made_index.release());
}

/// After a call: the verification that it prepared, done. There is one thread here.
ANTARA_EXPORT(std::uint32_t, made_job)() {
  auto kept = std::make_unique<KeptJob>(std::move(instance().next().made_job));
  const std::size_t parts = kept->job->split(1);
  for (std::size_t part = 0; part < parts; ++part) kept->job->run(part);
  return address_of(kept.release());
}

/// Ends a call, once its answer has been read.
ANTARA_EXPORT(void, finish)() {
  Instance& only = instance();
  only.call.reset();
  only.state.trim();
  for (std::vector<std::uint64_t>& buffer : only.arrays) {
    constexpr std::size_t kept_elements = (1 << 20) / 8;
    if (buffer.size() > kept_elements) std::vector<std::uint64_t>{}.swap(buffer);
  }
}

ANTARA_EXPORT(void, release_index)(std::uint32_t address) {
  const std::unique_ptr<CoinIndex> released{kept_at<CoinIndex>(address)};
}

ANTARA_EXPORT(void, release_job)(std::uint32_t address) {
  const std::unique_ptr<KeptJob> released{kept_at<KeptJob>(address)};
}

}  // namespace antara::wasm
