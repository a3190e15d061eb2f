#include "hash/sha256_rounds.h"

#if ANTARA_X86
#include <immintrin.h>

#include <utility>

#define ANTARA_SHA_NI __attribute__((target("sha,sse4.1"), always_inline)) static inline

namespace antara::sha256_rounds {
namespace {

/// The state in the order the instructions want it, and the message schedule.
struct Lane {
  __m128i abef;
  __m128i cdgh;
  __m128i abef_before;
  __m128i cdgh_before;
  __m128i schedule[4];
};

ANTARA_SHA_NI __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

ANTARA_SHA_NI void store(void* to, __m128i value) {
  _mm_storeu_si128(static_cast<__m128i*>(to), value);
}

/// Intel SHA extensions: the state is kept as ABEF and CDGH.
ANTARA_SHA_NI void open(Lane& lane, const std::uint32_t* state) {
  const __m128i cdab = _mm_shuffle_epi32(load(state), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
  lane.abef = _mm_alignr_epi8(cdab, efgh, 8);
  lane.cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

ANTARA_SHA_NI void close(const Lane& lane, std::uint32_t* state) {
  const __m128i feba = _mm_shuffle_epi32(lane.abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(lane.cdgh, 0xb1);
  store(state, _mm_blend_epi16(feba, dchg, 0xf0));
  store(state + 4, _mm_alignr_epi8(dchg, feba, 8));
}

ANTARA_SHA_NI void begin_block(Lane& lane, const std::uint8_t* block) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  for (int quarter = 0; quarter < 4; ++quarter) {
    lane.schedule[quarter] = _mm_shuffle_epi8(load(block + 16 * quarter), big_endian);
  }
  lane.abef_before = lane.abef;
  lane.cdgh_before = lane.cdgh;
}

/// Rounds 4 * step .. 4 * step + 3, and the schedule words that step + 4 will need.
template <int step>
ANTARA_SHA_NI void four_rounds(Lane& lane) {
  __m128i& current = lane.schedule[step % 4];
  const __m128i input = _mm_add_epi32(current, load(constants + 4 * step));
  lane.cdgh = _mm_sha256rnds2_epu32(lane.cdgh, lane.abef, input);
  lane.abef = _mm_sha256rnds2_epu32(lane.abef, lane.cdgh, _mm_shuffle_epi32(input, 0x0e));
  if constexpr (step < 12) {
    const __m128i next = lane.schedule[(step + 1) % 4];
    const __m128i second = lane.schedule[(step + 2) % 4];
    const __m128i third = lane.schedule[(step + 3) % 4];
    const __m128i partial =
        _mm_add_epi32(_mm_sha256msg1_epu32(current, next), _mm_alignr_epi8(third, second, 4));
    current = _mm_sha256msg2_epu32(partial, third);
  }
}

template <int... steps>
ANTARA_SHA_NI void all_rounds(Lane& lane, std::integer_sequence<int, steps...>) {
  (four_rounds<steps>(lane), ...);
}

ANTARA_SHA_NI void end_block(Lane& lane) {
  lane.abef = _mm_add_epi32(lane.abef, lane.abef_before);
  lane.cdgh = _mm_add_epi32(lane.cdgh, lane.cdgh_before);
}

}  // namespace

__attribute__((target("sha,sse4.1"))) void sha_ni(std::uint32_t* state, const std::uint8_t* blocks,
                                                  std::size_t count) noexcept {
  Lane lane;
  open(lane, state);
  for (; count > 0; --count, blocks += 64) {
    begin_block(lane, blocks);
    all_rounds(lane, std::make_integer_sequence<int, 16>{});
    end_block(lane);
  }
  close(lane, state);
}

}  // namespace antara::sha256_rounds
#endif
