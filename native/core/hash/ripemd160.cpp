#include "hash/ripemd160.h"

#include <bit>
#include <cstring>

#include "hash/sha256.h"

namespace antara {
namespace {

constexpr std::size_t block_bytes = 64;

/// Which message word each step reads, left line then right line (section 3 of the paper).
constexpr std::uint8_t words_left[80] = {
    0,  1, 2,  3, 4,  5,  6, 7,  8, 9,  10, 11, 12, 13, 14, 15, 7,  4,  13, 1,
    10, 6, 15, 3, 12, 0,  9, 5,  2, 14, 11, 8,  3,  10, 14, 4,  9,  15, 8,  1,
    2,  7, 0,  6, 13, 11, 5, 12, 1, 9,  11, 10, 0,  8,  12, 4,  13, 3,  7,  15,
    14, 5, 6,  2, 4,  0,  5, 9,  7, 12, 2,  10, 14, 1,  3,  8,  11, 6,  15, 13};
constexpr std::uint8_t words_right[80] = {
    5,  14, 7,  0,  9,  2,  11, 4,  13, 6, 15, 8, 1,  10, 3,  12, 6, 11, 3, 7,
    0,  13, 5,  10, 14, 15, 8,  12, 4,  9, 1,  2, 15, 5,  1,  3,  7, 14, 6, 9,
    11, 8,  12, 2,  10, 0,  4,  13, 8,  6, 4,  1, 3,  11, 15, 0,  5, 12, 2, 13,
    9,  7,  10, 14, 12, 15, 10, 4,  1,  5, 8,  7, 6,  2,  13, 14, 0, 3,  9, 11};
constexpr std::uint8_t shifts_left[80] = {
    11, 14, 15, 12, 5, 8,  7,  9,  11, 13, 14, 15, 6,  7,  9,  8,  7,  6,  8,  13,
    11, 9,  7,  15, 7, 12, 15, 9,  11, 7,  13, 12, 11, 13, 6,  7,  14, 9,  13, 15,
    14, 8,  13, 6,  5, 12, 7,  5,  11, 12, 14, 15, 14, 15, 9,  8,  9,  14, 5,  6,
    8,  6,  5,  12, 9, 15, 5,  11, 6,  8,  13, 12, 5,  12, 13, 14, 11, 8,  5,  6};
constexpr std::uint8_t shifts_right[80] = {
    8,  9,  9,  11, 13, 15, 15, 5, 7,  7,  8,  11, 14, 14, 12, 6,  9,  13, 15, 7,
    12, 8,  9,  11, 7,  7,  12, 7, 6,  15, 13, 11, 9,  7,  15, 11, 8,  6,  6,  14,
    12, 13, 5,  14, 13, 13, 7,  5, 15, 5,  8,  11, 14, 14, 6,  14, 6,  9,  12, 9,
    12, 5,  15, 8,  8,  5,  12, 9, 12, 5,  14, 6,  8,  13, 6,  5,  15, 13, 11, 11};
constexpr std::uint32_t constants_left[5] = {0x00000000, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                             0xa953fd4e};
constexpr std::uint32_t constants_right[5] = {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9,
                                              0x00000000};

constexpr std::uint32_t mix(unsigned round, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  switch (round) {
    case 0:
      return x ^ y ^ z;
    case 1:
      return (x & y) | (~x & z);
    case 2:
      return (x | ~y) ^ z;
    case 3:
      return (x & z) | (y & ~z);
    default:
      return x ^ (y | ~z);
  }
}

struct Line {
  std::uint32_t a, b, c, d, e;

  void step(std::uint32_t mixed, std::uint32_t word, std::uint32_t constant, int shift) noexcept {
    const std::uint32_t next = std::rotl(a + mixed + word + constant, shift) + e;
    a = e;
    e = d;
    d = std::rotl(c, 10);
    c = b;
    b = next;
  }
};

using State = std::array<std::uint32_t, 5>;

void absorb(State& state, const std::uint8_t* block) noexcept {
  std::uint32_t words[16];
  std::memcpy(words, block, sizeof words);
  Line left{state[0], state[1], state[2], state[3], state[4]};
  Line right = left;
  for (unsigned index = 0; index < 80; ++index) {
    const unsigned round = index / 16;
    left.step(mix(round, left.b, left.c, left.d), words[words_left[index]], constants_left[round],
              shifts_left[index]);
    right.step(mix(4 - round, right.b, right.c, right.d), words[words_right[index]],
               constants_right[round], shifts_right[index]);
  }
  state = {state[1] + left.c + right.d, state[2] + left.d + right.e, state[3] + left.e + right.a,
           state[4] + left.a + right.b, state[0] + left.b + right.c};
}

}  // namespace

Hash160 ripemd160(Bytes bytes) noexcept {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::size_t whole_blocks = bytes.size() / block_bytes;
  for (std::size_t index = 0; index < whole_blocks; ++index) {
    absorb(state, bytes.data() + index * block_bytes);
  }
  std::array<std::uint8_t, 2 * block_bytes> tail{};
  const Bytes rest = bytes.subspan(whole_blocks * block_bytes);
  if (!rest.empty()) std::memcpy(tail.data(), rest.data(), rest.size());
  tail[rest.size()] = 0x80;
  const std::size_t tail_blocks = rest.size() < block_bytes - 8 ? 1 : 2;
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  std::memcpy(tail.data() + tail_blocks * block_bytes - 8, &bits, sizeof bits);
  for (std::size_t index = 0; index < tail_blocks; ++index) {
    absorb(state, tail.data() + index * block_bytes);
  }
  Hash160 digest;
  std::memcpy(digest.data(), state.data(), sizeof digest);
  return digest;
}

Hash160 hash160(Bytes bytes) noexcept { return ripemd160(sha256(bytes)); }

}  // namespace antara
