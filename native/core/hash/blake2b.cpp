#include "hash/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace antara {
namespace {

static_assert(std::endian::native == std::endian::little, "big-endian hosts are not supported");

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

}  // namespace

template <std::size_t digest_bytes>
Blake2b<digest_bytes>::Blake2b(const Personalization& personalization) noexcept
    : state_(initial_state) {
  // RFC 7693 section 2.5: digest length, no key, fanout 1, depth 1; then, after zeros and a salt
  // of zeros, the personalization in words 6 and 7.
  state_[0] ^= 0x01010000 ^ digest_bytes;
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), personalization.data(), sizeof words);
  state_[6] ^= words[0];
  state_[7] ^= words[1];
}

template <std::size_t digest_bytes>
Blake2b<digest_bytes>& Blake2b<digest_bytes>::add(Bytes bytes) noexcept {
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

template <std::size_t digest_bytes>
typename Blake2b<digest_bytes>::Digest Blake2b<digest_bytes>::finish() noexcept {
  std::memset(block_.data() + buffered_bytes_, 0, block_bytes - buffered_bytes_);
  compress(state_, block_.data(), absorbed_bytes_ + buffered_bytes_, true);
  Digest digest;
  std::memcpy(digest.data(), state_.data(), digest.size());
  return digest;
}

template class Blake2b<32>;
template class Blake2b<64>;

Hash256 blake2b256(Bytes bytes, const Personalization& personalization) noexcept {
  return Blake2b256(personalization).add(bytes).finish();
}

}  // namespace antara
