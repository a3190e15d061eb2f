#include "hash/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hash/sha256_rounds.h"

namespace antara {
namespace {

using State = std::array<std::uint32_t, 8>;
using Absorb = void (*)(std::uint32_t*, const std::uint8_t*, std::size_t) noexcept;

constexpr std::size_t block_bytes = 64;

Absorb best_absorb() noexcept {
#if ANTARA_X86
  if (cpu_has_sha_ni()) return sha256_rounds::sha_ni;
#endif
  return sha256_rounds::portable;
}

State fresh_state() noexcept { return std::to_array(sha256_rounds::initial_state); }

std::uint32_t load_big_endian(const std::uint8_t* bytes) noexcept {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// Stores a word at once, because loading a vector stalls if its bytes were stored one by one.
void store_big_endian(std::uint32_t value, std::uint8_t* bytes) noexcept {
  const std::uint32_t swapped = __builtin_bswap32(value);
  std::memcpy(bytes, &swapped, sizeof swapped);
}

Hash256 digest_of(const State& state) noexcept {
  Hash256 digest;
  for (std::size_t index = 0; index < 8; ++index) {
    store_big_endian(state[index], digest.data() + 4 * index);
  }
  return digest;
}

/// The last one or two blocks of a message: what is left of it, 0x80, zeros, its length in bits.
struct Tail {
  std::array<std::uint8_t, 2 * block_bytes> bytes{};
  std::size_t blocks = 1;
};

Tail tail_of(Bytes rest, std::uint64_t message_bytes) noexcept {
  Tail tail;
  if (!rest.empty()) std::memcpy(tail.bytes.data(), rest.data(), rest.size());
  tail.bytes[rest.size()] = 0x80;
  tail.blocks = rest.size() < block_bytes - 8 ? 1 : 2;
  const std::uint64_t bits = message_bytes * 8;
  std::uint8_t* length = tail.bytes.data() + tail.blocks * block_bytes - 8;
  store_big_endian(static_cast<std::uint32_t>(bits >> 32), length);
  store_big_endian(static_cast<std::uint32_t>(bits), length + 4);
  return tail;
}

Hash256 hash_with(Absorb absorb, Bytes bytes) noexcept {
  State state = fresh_state();
  const std::size_t whole_blocks = bytes.size() / block_bytes;
  absorb(state.data(), bytes.data(), whole_blocks);
  const Tail tail = tail_of(bytes.subspan(whole_blocks * block_bytes), bytes.size());
  absorb(state.data(), tail.bytes.data(), tail.blocks);
  return digest_of(state);
}

}  // namespace

namespace sha256_rounds {
namespace {

constexpr std::size_t rounds_per_pass = 16;

/// One round. Instead of moving the eight words of the state, each round names them one further.
template <std::size_t Round>
[[gnu::always_inline]] inline void mix(State& state, std::uint32_t input) noexcept {
  const std::uint32_t a = state[(0 - Round) % 8], b = state[(1 - Round) % 8];
  const std::uint32_t c = state[(2 - Round) % 8], e = state[(4 - Round) % 8];
  const std::uint32_t f = state[(5 - Round) % 8], g = state[(6 - Round) % 8];
  std::uint32_t& d = state[(3 - Round) % 8];
  std::uint32_t& h = state[(7 - Round) % 8];
  const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
  const std::uint32_t choice = g ^ (e & (f ^ g));
  const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
  const std::uint32_t majority = (a & b) | (c & (a | b));
  h += sum1 + choice + input;
  d += h;
  h += sum0 + majority;
}

using Schedule = std::array<std::uint32_t, rounds_per_pass>;

/// Makes a word of the schedule of what it was 16 rounds before.
template <std::size_t Round>
[[gnu::always_inline]] inline void advance(Schedule& schedule) noexcept {
  const std::uint32_t w15 = schedule[(Round + 1) % 16], w2 = schedule[(Round + 14) % 16];
  const std::uint32_t sigma0 = std::rotr(w15, 7) ^ std::rotr(w15, 18) ^ (w15 >> 3);
  const std::uint32_t sigma1 = std::rotr(w2, 17) ^ std::rotr(w2, 19) ^ (w2 >> 10);
  schedule[Round] += sigma0 + schedule[(Round + 9) % 16] + sigma1;
}

template <std::size_t... Round>
[[gnu::always_inline]] inline void mix_block(State& state, const std::uint8_t* block,
                                             std::index_sequence<Round...>) noexcept {
  Schedule schedule{load_big_endian(block + 4 * Round)...};
  (mix<Round>(state, constants[Round] + schedule[Round]), ...);
  for (std::size_t first = rounds_per_pass; first < 64; first += rounds_per_pass) {
    ((advance<Round>(schedule), mix<Round>(state, constants[first + Round] + schedule[Round])),
     ...);
  }
}

}  // namespace

void portable(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) noexcept {
  for (; count > 0; --count, blocks += block_bytes) {
    State mixed;
    std::copy_n(state, mixed.size(), mixed.begin());
    mix_block(mixed, blocks, std::make_index_sequence<rounds_per_pass>{});
    for (std::size_t index = 0; index < mixed.size(); ++index) state[index] += mixed[index];
  }
}

}  // namespace sha256_rounds

Sha256::Sha256() noexcept : state_(fresh_state()) {}

Sha256& Sha256::add(Bytes bytes) noexcept {
  const Absorb absorb = best_absorb();
  const std::size_t buffered = length_bytes_ % block_bytes;
  length_bytes_ += bytes.size();
  if (buffered != 0) {
    const std::size_t taken = std::min(bytes.size(), block_bytes - buffered);
    std::copy_n(bytes.data(), taken, block_.data() + buffered);
    bytes = bytes.subspan(taken);
    if (buffered + taken < block_bytes) return *this;
    absorb(state_.data(), block_.data(), 1);
  }
  const std::size_t whole_blocks = bytes.size() / block_bytes;
  absorb(state_.data(), bytes.data(), whole_blocks);
  const Bytes rest = bytes.subspan(whole_blocks * block_bytes);
  std::copy_n(rest.data(), rest.size(), block_.data());
  return *this;
}

Hash256 Sha256::finish() noexcept {
  const Tail tail = tail_of(Bytes(block_).first(length_bytes_ % block_bytes), length_bytes_);
  best_absorb()(state_.data(), tail.bytes.data(), tail.blocks);
  return digest_of(state_);
}

Hash256 sha256(Bytes bytes) noexcept { return hash_with(best_absorb(), bytes); }

Hash256 sha256d(Bytes bytes) noexcept { return sha256(sha256(bytes)); }

Hash256 sha256_portable(Bytes bytes) noexcept { return hash_with(sha256_rounds::portable, bytes); }

}  // namespace antara
