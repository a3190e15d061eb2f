#include "hash/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cpu.h"

#if ANTARA_X86
#include <immintrin.h>
#endif

namespace antara {
namespace {

constexpr std::size_t block_bytes = 128;

using State = std::array<std::uint64_t, 8>;
using Words = std::array<std::uint64_t, 16>;

/// RFC 7693 section 2.6.
constexpr State initial_state{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                              0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                              0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/// RFC 7693 section 2.7. Rounds 10 and 11 use the first two rows again.
constexpr std::uint8_t schedule[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                           {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                           {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                           {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                           {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                           {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                           {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                           {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                           {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                           {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

/// RFC 7693 section 3.1.
inline void mix(Words& v, std::size_t a, std::size_t b, std::size_t c, std::size_t d,
                std::uint64_t x, std::uint64_t y) noexcept {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

/// RFC 7693 section 3.2. `length_bytes` counts everything up to and including this block; its high
/// half is zero, since no input of ours comes near 2^64 bytes.
void compress(State& state, const std::uint8_t* block, std::uint64_t length_bytes,
              bool is_last) noexcept {
  Words m;
  std::memcpy(m.data(), block, block_bytes);
  Words v;
  std::copy(state.begin(), state.end(), v.begin());
  std::copy(initial_state.begin(), initial_state.end(), v.begin() + 8);
  v[12] ^= length_bytes;
  if (is_last) v[14] = ~v[14];

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC unroll 12
#endif
  for (std::size_t round = 0; round < 12; ++round) {
    const auto& s = schedule[round % 10];
    mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (std::size_t index = 0; index < 8; ++index) state[index] ^= v[index] ^ v[index + 8];
}

#if ANTARA_X86
/// How many blocks are compressed side by side, one in each 64-bit lane.
constexpr std::size_t lanes = 4;

using Lanes = __m256i;
using Blocks = std::array<std::array<std::uint8_t, block_bytes>, lanes>;

#define ANTARA_AVX2 __attribute__((target("avx2")))

ANTARA_AVX2 inline Lanes sum_avx2(Lanes a, Lanes b) noexcept { return _mm256_add_epi64(a, b); }

/// Lanes of `a ^ b` rotated by whole bytes, as `order` has them.
ANTARA_AVX2 inline Lanes turned_avx2(Lanes a, Lanes b, Lanes order) noexcept {
  return _mm256_shuffle_epi8(_mm256_xor_si256(a, b), order);
}

/// For turned_avx2: right by 16, 24 and 32 bits.
ANTARA_AVX2 inline Lanes right_avx2(std::uint64_t low, std::uint64_t high) noexcept {
  const auto first = static_cast<std::int64_t>(low);
  const auto second = static_cast<std::int64_t>(high);
  return _mm256_set_epi64x(second, first, second, first);
}

/// RFC 7693 section 3.1, in all lanes.
ANTARA_AVX2 inline void mix_avx2(Lanes& a, Lanes& b, Lanes& c, Lanes& d, Lanes x,
                                 Lanes y) noexcept {
  const Lanes by_16 = right_avx2(0x0100070605040302, 0x09080f0e0d0c0b0a);
  const Lanes by_24 = right_avx2(0x0201000706050403, 0x0a09080f0e0d0c0b);
  const Lanes by_32 = right_avx2(0x0302010007060504, 0x0b0a09080f0e0d0c);
  a = sum_avx2(sum_avx2(a, b), x);
  d = turned_avx2(d, a, by_32);
  c = sum_avx2(c, d);
  b = turned_avx2(b, c, by_24);
  a = sum_avx2(sum_avx2(a, b), y);
  d = turned_avx2(d, a, by_16);
  c = sum_avx2(c, d);
  b = _mm256_xor_si256(b, c);
  b = _mm256_or_si256(_mm256_srli_epi64(b, 63), sum_avx2(b, b));
}

/// Words 4n to 4n + 3 of the blocks, each with one word of every block.
ANTARA_AVX2 inline void load_words_avx2(const Blocks& blocks, std::size_t first,
                                        Lanes* words) noexcept {
  Lanes rows[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const void* from = blocks[lane].data() + 8 * first;
    rows[lane] = _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  const Lanes even_01 = _mm256_unpacklo_epi64(rows[0], rows[1]);
  const Lanes odd_01 = _mm256_unpackhi_epi64(rows[0], rows[1]);
  const Lanes even_23 = _mm256_unpacklo_epi64(rows[2], rows[3]);
  const Lanes odd_23 = _mm256_unpackhi_epi64(rows[2], rows[3]);
  words[first] = _mm256_permute2x128_si256(even_01, even_23, 0x20);
  words[first + 1] = _mm256_permute2x128_si256(odd_01, odd_23, 0x20);
  words[first + 2] = _mm256_permute2x128_si256(even_01, even_23, 0x31);
  words[first + 3] = _mm256_permute2x128_si256(odd_01, odd_23, 0x31);
}

ANTARA_AVX2 inline Lanes same_avx2(std::uint64_t value) noexcept {
  return _mm256_set1_epi64x(static_cast<std::int64_t>(value));
}

/// `compress` for four states and four blocks.
ANTARA_AVX2 void compress_avx2(Lanes* state, const Blocks& blocks, std::uint64_t length_bytes,
                               bool is_last) noexcept {
  Lanes m[16];
  for (std::size_t first = 0; first < 16; first += lanes) load_words_avx2(blocks, first, m);
  Lanes v[16];
  for (std::size_t index = 0; index < 8; ++index) {
    v[index] = state[index];
    v[index + 8] = same_avx2(initial_state[index]);
  }
  v[12] = _mm256_xor_si256(v[12], same_avx2(length_bytes));
  if (is_last) v[14] = _mm256_xor_si256(v[14], same_avx2(~std::uint64_t{0}));

#pragma GCC unroll 12
  for (std::size_t round = 0; round < 12; ++round) {
    const auto& s = schedule[round % 10];
    mix_avx2(v[0], v[4], v[8], v[12], m[s[0]], m[s[1]]);
    mix_avx2(v[1], v[5], v[9], v[13], m[s[2]], m[s[3]]);
    mix_avx2(v[2], v[6], v[10], v[14], m[s[4]], m[s[5]]);
    mix_avx2(v[3], v[7], v[11], v[15], m[s[6]], m[s[7]]);
    mix_avx2(v[0], v[5], v[10], v[15], m[s[8]], m[s[9]]);
    mix_avx2(v[1], v[6], v[11], v[12], m[s[10]], m[s[11]]);
    mix_avx2(v[2], v[7], v[8], v[13], m[s[12]], m[s[13]]);
    mix_avx2(v[3], v[4], v[9], v[14], m[s[14]], m[s[15]]);
  }
  for (std::size_t index = 0; index < 8; ++index) {
    state[index] = _mm256_xor_si256(state[index], _mm256_xor_si256(v[index], v[index + 8]));
  }
}

/// A message that begins with what is in a buffer, cut into blocks.
struct Message {
  Bytes beginning;
  Bytes rest;

  [[nodiscard]] std::size_t size() const noexcept { return beginning.size() + rest.size(); }

  /// The block from `start` on, with zeros after the end.
  void copy_block(std::size_t start, std::uint8_t* block) const noexcept {
    std::memset(block, 0, block_bytes);
    const std::size_t skipped = std::min(start, beginning.size());
    const Bytes head = beginning.subspan(skipped);
    std::copy(head.begin(), head.end(), block);
    const Bytes tail = rest.subspan(start - skipped);
    const std::size_t taken = std::min(tail.size(), block_bytes - head.size());
    std::copy_n(tail.begin(), taken, block + head.size());
  }
};

/// Hashes four messages of equal length on from `state`; the words of each state to `finished`.
ANTARA_AVX2 void finish_avx2(const State& state, std::uint64_t absorbed_bytes,
                             const std::array<Message, lanes>& messages,
                             std::array<State, lanes>& finished) noexcept {
  Lanes words[8];
  for (std::size_t index = 0; index < 8; ++index) words[index] = same_avx2(state[index]);
  const std::size_t size = messages[0].size();
  std::size_t start = 0;
  bool is_last = false;
  while (!is_last) {
    Blocks blocks;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      messages[lane].copy_block(start, blocks[lane].data());
    }
    is_last = size - start <= block_bytes;
    const std::size_t end = is_last ? size : start + block_bytes;
    compress_avx2(words, blocks, absorbed_bytes + end, is_last);
    start = end;
  }
  for (std::size_t index = 0; index < 8; ++index) {
    alignas(32) std::array<std::uint64_t, lanes> each;
    _mm256_store_si256(static_cast<__m256i*>(static_cast<void*>(each.data())), words[index]);
    for (std::size_t lane = 0; lane < lanes; ++lane) finished[lane][index] = each[lane];
  }
}

#undef ANTARA_AVX2
#endif

}  // namespace

Blake2bHash::Blake2bHash(std::size_t digest_bytes, const Personalization& personalization) noexcept
    : state_(initial_state), digest_bytes_(digest_bytes) {
  // RFC 7693 section 2.5: digest length, no key, fanout 1, depth 1; then, after zeros and a salt
  // of zeros, the personalization in words 6 and 7.
  state_[0] ^= 0x01010000 ^ digest_bytes;
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), personalization.data(), sizeof words);
  state_[6] ^= words[0];
  state_[7] ^= words[1];
}

Blake2bHash& Blake2bHash::add(Bytes bytes) noexcept {
  // The last block is special, so a full one is absorbed only when more bytes follow it.
  if (buffered_bytes_ + bytes.size() > block_bytes && buffered_bytes_ != 0) {
    const std::size_t taken = block_bytes - buffered_bytes_;
    std::memcpy(block_.data() + buffered_bytes_, bytes.data(), taken);
    absorbed_bytes_ += block_bytes;
    compress(state_, block_.data(), absorbed_bytes_, false);
    buffered_bytes_ = 0;
    bytes = bytes.subspan(taken);
  }
  if (buffered_bytes_ == 0) {
    while (bytes.size() > block_bytes) {
      absorbed_bytes_ += block_bytes;
      compress(state_, bytes.data(), absorbed_bytes_, false);
      bytes = bytes.subspan(block_bytes);
    }
  }
  if (!bytes.empty()) std::memcpy(block_.data() + buffered_bytes_, bytes.data(), bytes.size());
  buffered_bytes_ += bytes.size();
  return *this;
}

void Blake2bHash::finish(std::uint8_t* digest) noexcept {
  std::memset(block_.data() + buffered_bytes_, 0, block_bytes - buffered_bytes_);
  compress(state_, block_.data(), absorbed_bytes_ + buffered_bytes_, true);
  std::memcpy(digest, state_.data(), digest_bytes_);
}

void Blake2bHash::finish_each(std::span<const Bytes> rests, std::uint8_t* digests) const noexcept {
  std::size_t done = 0;
  while (done < rests.size()) {
    const std::span<const Bytes> left = rests.subspan(done);
#if ANTARA_X86
    std::size_t alike = 1;
    while (alike < std::min(lanes, left.size()) && left[alike].size() == left[0].size()) ++alike;
    if (alike > 1 && cpu_has_avx2()) {
      std::array<Message, lanes> messages;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        // A lane that nobody needs repeats the first.
        messages[lane] = {Bytes{block_}.first(buffered_bytes_), left[lane < alike ? lane : 0]};
      }
      std::array<State, lanes> finished;
      finish_avx2(state_, absorbed_bytes_, messages, finished);
      for (std::size_t lane = 0; lane < alike; ++lane) {
        std::memcpy(digests, finished[lane].data(), digest_bytes_);
        digests += digest_bytes_;
      }
      done += alike;
      continue;
    }
#endif
    Blake2bHash hash = *this;
    hash.add(left[0]).finish(digests);
    digests += digest_bytes_;
    ++done;
  }
}

Hash256 blake2b256(Bytes bytes, const Personalization& personalization) noexcept {
  return Blake2b256(personalization).add(bytes).finish();
}

}  // namespace antara
