// The table of the seam over linear memory. A caller writes inputs where the mailbox says, invokes
// a function by its number, and reads words and text in place. A call whose text fits crosses the
// boundary once. The module imports nothing.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/limits.h"
#include "seam/functions.h"
#include "seam/verification.h"

// Adds a prefix to names in C, where `index` and others are taken.
#define ANTARA_EXPORT(result, name) \
  extern "C" __attribute__((export_name(#name))) result antara_##name

namespace antara::wasm {
namespace {

using seam::Call;
using seam::inputs_max;
using seam::Outcome;

/// Arrays up to this size keep their memory.
constexpr std::size_t kept_elements = (1 << 20) / 8;

constexpr std::size_t text_room_min = 4096;

/// The form of an input. src/engine/wasm.ts uses the same numbers.
enum class Form : std::uint32_t { none, text, over_limit, array };

/// Values, other than words, that the caller and the module exchange; the caller reads and writes
/// them here.
struct Mailbox {
  // The caller writes these before a call.
  std::array<Form, inputs_max> forms{};
  std::array<std::uint32_t, inputs_max> lengths{};
  // Addresses of the room for input texts, one byte for each character.
  std::array<std::uint32_t, inputs_max> text_addresses{};
  std::array<std::uint32_t, inputs_max> text_rooms{};
  // Written after a call. If `is_grown`, the caller calls `finish` after reading the answer.
  std::uint32_t answer_address = 0;
  std::uint32_t answer_length = 0;
  std::uint32_t is_grown = 0;
};
static_assert(offsetof(Mailbox, text_addresses) == 10 * 4 &&
              offsetof(Mailbox, answer_address) == 20 * 4);

struct KeptJob {
  std::shared_ptr<seam::VerificationJob> job;
};

/// The module's one caller. Its first call, `scratch`, creates it.
struct Instance {
  seam::State state;
  Mailbox mailbox;
  std::vector<std::uint64_t> words;  // the scratch, aligned to 8 bytes
  std::array<std::vector<std::uint64_t>, inputs_max> arrays;
  // Inputs of the next call.
  CoinIndex* index = nullptr;
  const seam::VerificationJob* job = nullptr;
  // Results of the last call.
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

/// Moves the inputs out of the mailbox, so that the next call does not see them.
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

/// Ends a call, whose answer stays in place until the next one. Returns the code of the outcome.
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

/// The caller compares this hash with that of its own table.
ANTARA_EXPORT(std::uint32_t, abi)() { return seam::abi; }

ANTARA_EXPORT(std::uint32_t, mailbox)() { return address_of(&instance().mailbox); }

/// Makes a scratch of `count` words, at least `scratch_words_min`, and returns its address.
ANTARA_EXPORT(std::uint32_t, scratch)(std::uint32_t count) {
  Instance& only = instance();
  std::vector<std::uint64_t>((count + 1) / 2).swap(only.words);
  only.state.words = {reinterpret_cast<std::uint32_t*>(only.words.data()), 2 * only.words.size()};
  return address_of(only.words.data());
}

/// Makes more room for an input text.
ANTARA_EXPORT(void, text_room)(std::uint32_t position, std::uint32_t characters) {
  Instance& only = instance();
  const std::size_t size = std::max<std::size_t>(characters + characters / 2, text_room_min);
  std::vector<char>(size).swap(only.state.texts[position]);
  tell_text_room(only, position);
}

/// Returns the address to which the caller writes the bytes of an array.
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

/// Runs a verification when its answer is taken. The module has one thread, and a caller with
/// workers may never take it.
ANTARA_EXPORT(void, job)(std::uint32_t address) {
  seam::VerificationJob& job = *kept_at<KeptJob>(address)->job;
  job.run_part();
  instance().job = &job;
}

/// Runs the function with that number. Returns the code of the outcome: 0 for success.
ANTARA_EXPORT(std::uint32_t, invoke)(std::uint32_t function) {
  Instance& only = instance();
  Call call{only.state};
  take_inputs(only, call);
  return end(only, call, seam::functions[function].run(call));
}

/// Returns the kept answer of the last call, for which the scratch was too small.
ANTARA_EXPORT(std::uint32_t, take)() {
  Instance& only = instance();
  Call call{only.state};
  return end(only, call, call.take_kept());
}

/// Returns the index that the last call made, which stays here until it is released.
ANTARA_EXPORT(std::uint32_t, made_index)() { return address_of(instance().made_index.release()); }

/// Returns the verification that the last call prepared.
ANTARA_EXPORT(std::uint32_t, made_job)() {
  return address_of(std::make_unique<KeptJob>(std::move(instance().made_job)).release());
}

/// Releases the memory that a large call allocated, after its answer was read; drops inputs of a
/// call that was not made.
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
