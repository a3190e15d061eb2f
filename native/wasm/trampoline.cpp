// The exports of the WebAssembly module: the functions of seam/functions.h, by their numbers, over
// linear memory. src/engine/wasm.ts writes inputs where the mailbox says, invokes a function, and
// reads words and text in place. It is the only caller, so its addresses and numbers are not
// checked here. A call with only texts as inputs crosses the boundary once, unless a text or the
// answer needs more room. The module imports nothing.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "seam/functions.h"
#include "seam/verification.h"

// Exports a function of the module. Its C symbol has a prefix, because libc declares `index`.
#define ANTARA_EXPORT(result, name) \
  extern "C" __attribute__((export_name(#name))) result antara_##name

namespace antara::wasm {
namespace {

using seam::Call;
using seam::inputs_max;
using seam::Outcome;

/// Words of an array whose memory stays allocated after a call.
constexpr std::size_t array_words_retained = (1 << 20) / 8;

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
  // The module writes these after a call. If `is_grown`, the caller calls `finish` after reading
  // the answer.
  std::uint32_t answer_address = 0;
  std::uint32_t answer_length = 0;
  std::uint32_t is_grown = 0;
};
// The numbers of `mail` in src/engine/wasm.ts, in words of 4 bytes.
static_assert(offsetof(Mailbox, text_addresses) == 10 * 4 &&
              offsetof(Mailbox, answer_address) == 20 * 4 &&
              offsetof(Mailbox, is_grown) == 22 * 4 && sizeof(Mailbox) == 23 * 4);

struct KeptJob {
  std::shared_ptr<seam::VerificationJob> job;
};

/// The state of the module's one caller. Its first use creates it.
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
  static Instance self;
  return self;
}

std::uint32_t address_of(const void* memory) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory));
}

template <typename Kept>
Kept* kept_at(std::uint32_t address) noexcept {
  return reinterpret_cast<Kept*>(static_cast<std::uintptr_t>(address));
}

void tell_text_room(Instance& self, std::size_t position) noexcept {
  const std::vector<char>& room = self.state.texts[position];
  self.mailbox.text_addresses[position] = address_of(room.data());
  self.mailbox.text_rooms[position] = static_cast<std::uint32_t>(room.size());
}

/// Moves the inputs out of the mailbox, so that the next call does not see them.
void take_inputs(Instance& self, Call& call) noexcept {
  Mailbox& mailbox = self.mailbox;
  for (std::size_t position = 0; position < inputs_max; ++position) {
    seam::Input& input = call.inputs[position];
    const std::size_t length = mailbox.lengths[position];
    switch (std::exchange(mailbox.forms[position], Form::none)) {
      case Form::text: {
        const std::vector<char>& room = self.state.texts[position];
        input.is_text = true;
        input.text = std::span{room}.first(std::min(length, room.size()));
        break;
      }
      case Form::over_limit:
        input.is_over_limit = true;
        break;
      case Form::array: {
        const Bytes bytes{reinterpret_cast<const std::uint8_t*>(self.arrays[position].data()),
                          8 * self.arrays[position].size()};
        input.bytes = bytes.first(std::min(length, bytes.size()));
        break;
      }
      case Form::none:
        break;
    }
  }
  call.index = std::exchange(self.index, nullptr);
  call.finished_job = std::exchange(self.job, nullptr);
}

/// Ends a call. Its answer stays in place until the next call or `finish`. Returns the code of the
/// outcome.
std::uint32_t end(Instance& self, Call& call, Outcome outcome) noexcept {
  self.made_index = std::move(call.made_index);
  self.made_job = std::move(call.made_job);
  self.mailbox.answer_address = address_of(call.text().data());
  self.mailbox.answer_length = static_cast<std::uint32_t>(call.text().size());
  const std::uint32_t code = call.finish(outcome).code();
  const bool is_pending = code == seam::needs_words;
  self.mailbox.is_grown = self.state.is_grown && !is_pending ? 1 : 0;
  return code;
}

}  // namespace

/// The caller compares this hash with that of its own table.
ANTARA_EXPORT(std::uint32_t, abi)() { return seam::abi; }

ANTARA_EXPORT(std::uint32_t, mailbox)() { return address_of(&instance().mailbox); }

/// Makes a scratch of `count` words, of which the caller needs at least `scratch_words_min`.
/// Returns its address.
ANTARA_EXPORT(std::uint32_t, scratch)(std::uint32_t count) {
  Instance& self = instance();
  std::vector<std::uint64_t>((count + 1) / 2).swap(self.words);
  self.state.words = {reinterpret_cast<std::uint32_t*>(self.words.data()), 2 * self.words.size()};
  return address_of(self.words.data());
}

/// Makes more room for an input text.
ANTARA_EXPORT(void, text_room)(std::uint32_t position, std::uint32_t characters) {
  Instance& self = instance();
  const std::size_t size = std::max<std::size_t>(characters + characters / 2, text_room_min);
  std::vector<char>(size).swap(self.state.texts[position]);
  tell_text_room(self, position);
}

/// Returns the address to which the caller writes the bytes of an array.
ANTARA_EXPORT(std::uint32_t, array_room)(std::uint32_t position, std::uint32_t bytes) {
  Instance& self = instance();
  std::vector<std::uint64_t>& room = self.arrays[position];
  if (room.size() * 8 < bytes) std::vector<std::uint64_t>((bytes + 7) / 8).swap(room);
  if (room.size() > array_words_retained) self.state.is_grown = true;
  return address_of(room.data());
}

ANTARA_EXPORT(void, index)(std::uint32_t address) {
  instance().index = kept_at<CoinIndex>(address);
}

/// Runs a verification, whose answer the next call takes. It did not run when it was prepared:
/// if workers verified it, nobody takes the answer here.
ANTARA_EXPORT(void, job)(std::uint32_t address) {
  seam::VerificationJob& job = *kept_at<KeptJob>(address)->job;
  job.run_part();
  instance().job = &job;
}

/// Runs the function with that number. Returns the code of the outcome: 0 for success.
ANTARA_EXPORT(std::uint32_t, invoke)(std::uint32_t function) {
  Instance& self = instance();
  Call call{self.state};
  take_inputs(self, call);
  return end(self, call, seam::functions[function].run(call));
}

/// Returns the pending answer of the last call, for which the scratch was too small.
ANTARA_EXPORT(std::uint32_t, take)() {
  Instance& self = instance();
  Call call{self.state};
  return end(self, call, call.take_kept());
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
  Instance& self = instance();
  self.mailbox.forms.fill(Form::none);
  self.index = nullptr;
  self.job = nullptr;
  self.state.trim();
  for (std::size_t position = 0; position < inputs_max; ++position) {
    tell_text_room(self, position);
    std::vector<std::uint64_t>& room = self.arrays[position];
    if (room.size() > array_words_retained) std::vector<std::uint64_t>{}.swap(room);
  }
}

ANTARA_EXPORT(void, release_index)(std::uint32_t address) {
  const std::unique_ptr<CoinIndex> released{kept_at<CoinIndex>(address)};
}

ANTARA_EXPORT(void, release_job)(std::uint32_t address) {
  const std::unique_ptr<KeptJob> released{kept_at<KeptJob>(address)};
}

}  // namespace antara::wasm
