// The table of the seam over linear memory: a caller puts inputs where the mailbox tells it,
// invokes a function by its number, and reads words and text where they lie. A call with text that
// fits is one crossing. Nothing is imported.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/limits.h"
#include "seam/functions.h"
#include "seam/verification.h"

// Prefixes its names in C, where `index` and others are taken.
#define ANTARA_EXPORT(result, name) \
  extern "C" __attribute__((export_name(#name))) result antara_##name

namespace antara::wasm {
namespace {

using seam::Call;
using seam::inputs_max;
using seam::Outcome;

/// Arrays up to this size keep their room.
constexpr std::size_t kept_elements = (1 << 20) / 8;

constexpr std::size_t text_room_min = 4096;

/// How an input was given. The numbers are known to src/engine/wasm.ts.
enum class Form : std::uint32_t { none, text, over_limit, array };

/// Values that caller and module exchange besides words; the caller reads and writes them here.
struct Mailbox {
  // Written by the caller before a call.
  std::array<Form, inputs_max> forms{};
  std::array<std::uint32_t, inputs_max> lengths{};
  // Where the caller may put so many characters of a text, each cut to eight bits.
  std::array<std::uint32_t, inputs_max> text_addresses{};
  std::array<std::uint32_t, inputs_max> text_rooms{};
  // Told after a call. A grown one wants `finish` when its answer has been read.
  std::uint32_t answer_address = 0;
  std::uint32_t answer_length = 0;
  std::uint32_t is_grown = 0;
};
static_assert(offsetof(Mailbox, text_addresses) == 10 * 4 &&
              offsetof(Mailbox, answer_address) == 20 * 4);

struct KeptJob {
  std::shared_ptr<seam::VerificationJob> job;
};

/// The one caller that an instance has. Made by `scratch`, which every caller calls first.
struct Instance {
  seam::State state;
  Mailbox mailbox;
  std::vector<std::uint64_t> words;  // the scratch, aligned to 8 bytes
  std::array<std::vector<std::uint64_t>, inputs_max> arrays;
  // For the next call.
  CoinIndex* index = nullptr;
  const seam::VerificationJob* job = nullptr;
  // From the last call.
  std::unique_ptr<CoinIndex> made_index;
  std::shared_ptr<seam::VerificationJob> made_job;
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

void tell_text_room(Instance& only, std::size_t position) noexcept {
  const std::vector<char>& room = only.state.texts[position];
  only.mailbox.text_addresses[position] = address_of(room.data());
  only.mailbox.text_rooms[position] = static_cast<std::uint32_t>(room.size());
}

/// Takes what the mailbox tells, and leaves nothing of it to the call after this.
void take_inputs(Instance& only, Call& call) noexcept {
  Mailbox& mailbox = only.mailbox;
  for (std::size_t position = 0; position < inputs_max; ++position) {
    seam::Input& input = call.inputs[position];
    const std::size_t length = mailbox.lengths[position];
    switch (std::exchange(mailbox.forms[position], Form::none)) {
      case Form::text: {
        const std::vector<char>& room = only.state.texts[position];
        input.is_text = true;
        input.text = std::span{room}.first(std::min(length, room.size()));
        break;
      }
      case Form::over_limit:
        input.is_over_limit = true;
        break;
      case Form::array: {
        const Bytes bytes{reinterpret_cast<const std::uint8_t*>(only.arrays[position].data()),
                          8 * only.arrays[position].size()};
        input.bytes = bytes.first(std::min(length, bytes.size()));
        break;
      }
      case Form::none:
        break;
    }
  }
  call.index = std::exchange(only.index, nullptr);
  call.finished_job = std::exchange(only.job, nullptr);
}

/// Ends a call: its answer stays where it is until the next. Returns the code of the outcome.
std::uint32_t end(Instance& only, Call& call, Outcome outcome) noexcept {
  only.made_index = std::move(call.made_index);
  only.made_job = std::move(call.made_job);
  only.mailbox.answer_address = address_of(call.text().data());
  only.mailbox.answer_length = static_cast<std::uint32_t>(call.text().size());
  const std::uint32_t code = call.finish(outcome).code();
  const bool is_kept = code == seam::needs_words;
  only.mailbox.is_grown = only.state.is_grown && !is_kept ? 1 : 0;
  return code;
}

}  // namespace

/// By which the caller knows that it means the same table.
ANTARA_EXPORT(std::uint32_t, abi)() { return seam::abi; }

ANTARA_EXPORT(std::uint32_t, mailbox)() { return address_of(&instance().mailbox); }

/// Makes a scratch of `count` words, at least `scratch_words_min`, and tells where it is.
ANTARA_EXPORT(std::uint32_t, scratch)(std::uint32_t count) {
  Instance& only = instance();
  std::vector<std::uint64_t>((count + 1) / 2).swap(only.words);
  only.state.words = {reinterpret_cast<std::uint32_t*>(only.words.data()), 2 * only.words.size()};
  return address_of(only.words.data());
}

/// Makes room for a text that is longer than there is room for.
ANTARA_EXPORT(void, text_room)(std::uint32_t position, std::uint32_t characters) {
  Instance& only = instance();
  const std::size_t size = std::max<std::size_t>(characters + characters / 2, text_room_min);
  std::vector<char>(size).swap(only.state.texts[position]);
  tell_text_room(only, position);
}

/// Where the caller puts the bytes of an array.
ANTARA_EXPORT(std::uint32_t, array_room)(std::uint32_t position, std::uint32_t bytes) {
  Instance& only = instance();
  std::vector<std::uint64_t>& room = only.arrays[position];
  if (room.size() * 8 < bytes) std::vector<std::uint64_t>((bytes + 7) / 8).swap(room);
  if (room.size() > kept_elements) only.state.is_grown = true;
  return address_of(room.data());
}

ANTARA_EXPORT(void, index)(std::uint32_t address) {
  instance().index = kept_at<CoinIndex>(address);
}

/// A verification that is taken: only now it is done. There is one thread here, and whoever has
/// workers may not want it.
ANTARA_EXPORT(void, job)(std::uint32_t address) {
  seam::VerificationJob& job = *kept_at<KeptJob>(address)->job;
  job.run_part();
  instance().job = &job;
}

/// Runs the function of that number. Returns the code of the outcome: 0 for success.
ANTARA_EXPORT(std::uint32_t, invoke)(std::uint32_t function) {
  Instance& only = instance();
  Call call{only.state};
  take_inputs(only, call);
  return end(only, call, seam::functions[function].run(call));
}

/// Instead of a function: the answer of the last call, for which there were too few words.
ANTARA_EXPORT(std::uint32_t, take)() {
  Instance& only = instance();
  Call call{only.state};
  return end(only, call, call.take_kept());
}

/// After a call: what it made that stays here, until it is released.
ANTARA_EXPORT(std::uint32_t, made_index)() { return address_of(instance().made_index.release()); }

/// After a call: the verification that it prepared.
ANTARA_EXPORT(std::uint32_t, made_job)() {
  return address_of(std::make_unique<KeptJob>(std::move(instance().made_job)).release());
}

/// Gives back what a large call grew, once its answer has been read; forgets inputs of a call that
/// is not made.
ANTARA_EXPORT(void, finish)() {
  Instance& only = instance();
  only.mailbox.forms.fill(Form::none);
  only.index = nullptr;
  only.job = nullptr;
  only.state.trim();
  for (std::size_t position = 0; position < inputs_max; ++position) {
    tell_text_room(only, position);
    std::vector<std::uint64_t>& room = only.arrays[position];
    if (room.size() > kept_elements) std::vector<std::uint64_t>{}.swap(room);
  }
}

ANTARA_EXPORT(void, release_index)(std::uint32_t address) {
  const std::unique_ptr<CoinIndex> released{kept_at<CoinIndex>(address)};
}

ANTARA_EXPORT(void, release_job)(std::uint32_t address) {
  const std::unique_ptr<KeptJob> released{kept_at<KeptJob>(address)};
}

}  // namespace antara::wasm
