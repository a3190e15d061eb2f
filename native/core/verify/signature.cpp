#include "verify/signature.h"

#include <algorithm>
#include <cstring>

namespace antara {
namespace {

using Scalar = std::array<std::uint8_t, 32>;

/// SEC 2 section 2.4.1: the order n of the group.
constexpr Scalar group_order{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                             0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48,
                             0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};

/// n / 2 rounded down: the largest s that is low.
constexpr Scalar half_order() {
  Scalar half{};
  unsigned carry = 0;
  for (std::size_t index = 0; index < half.size(); ++index) {
    half[index] = static_cast<std::uint8_t>(carry << 7 | group_order[index] >> 1);
    carry = group_order[index] & 1;
  }
  return half;
}

constexpr Scalar low_s_max = half_order();
static_assert(low_s_max[0] == 0x7f && low_s_max[31] == 0xa0);

constexpr std::size_t der_bytes_min = 8;
constexpr std::size_t der_bytes_max = 72;

bool is_in_range(const Scalar& scalar) noexcept {
  return scalar != Scalar{} && scalar < group_order;
}

Scalar scalar_at(const CompactSignature& signature, std::size_t offset) noexcept {
  Scalar scalar;
  std::memcpy(scalar.data(), signature.data() + offset, scalar.size());
  return scalar;
}

/// Reads a DER INTEGER's content, right-aligned into 32 bytes.
///
/// It must have the shortest form of a number that is not negative: not empty, the top bit clear,
/// and a leading zero only to keep that bit clear.
Error read_integer(Bytes content, std::uint32_t offset, MutableBytes scalar) noexcept {
  if (content.empty()) return {ErrorCode::signature_integer_empty, offset};
  if ((content[0] & 0x80) != 0) return {ErrorCode::signature_integer_negative, offset};
  if (content[0] == 0 && content.size() > 1) {
    if ((content[1] & 0x80) == 0) return {ErrorCode::signature_integer_padded, offset};
    content = content.subspan(1);
  }
  if (content.size() > scalar.size()) return {ErrorCode::signature_out_of_range, offset};
  std::copy(content.begin(), content.end(), scalar.last(content.size()).begin());
  return {};
}

}  // namespace

Error check_compact_signature(const CompactSignature& signature) noexcept {
  if (!is_in_range(scalar_at(signature, 0))) return {ErrorCode::signature_out_of_range, 0};
  const Scalar s = scalar_at(signature, 32);
  if (!is_in_range(s)) return {ErrorCode::signature_out_of_range, 32};
  if (s > low_s_max) return {ErrorCode::signature_high_s, 32};
  return {};
}

Error read_compact_signature(Bytes encoded, CompactSignature& signature) noexcept {
  if (encoded.size() != signature.size()) {
    return {ErrorCode::compact_signature_length, static_cast<std::uint32_t>(encoded.size())};
  }
  std::copy(encoded.begin(), encoded.end(), signature.begin());
  return check_compact_signature(signature);
}

Error read_der_signature(Bytes encoded, CompactSignature& signature) noexcept {
  if (encoded.empty()) return {ErrorCode::signature_missing, 0};
  if (encoded.size() < der_bytes_min || encoded.size() > der_bytes_max) {
    return {ErrorCode::signature_length, 0};
  }
  if (encoded[0] != 0x30) return {ErrorCode::signature_tag, 0};
  if (encoded[1] != encoded.size() - 2) return {ErrorCode::signature_length, 1};

  // The header of s must lie inside too: 30 len 02 rlen (r) 02 slen (s).
  const std::size_t r_bytes = encoded[3];
  if (r_bytes + 6 > encoded.size()) return {ErrorCode::signature_length, 3};
  const std::size_t s_header = 4 + r_bytes;
  const std::size_t s_bytes = encoded[s_header + 1];
  if (s_header + 2 + s_bytes != encoded.size()) {
    return {ErrorCode::signature_length, static_cast<std::uint32_t>(s_header + 1)};
  }
  if (encoded[2] != 0x02) return {ErrorCode::signature_tag, 2};
  if (encoded[s_header] != 0x02) {
    return {ErrorCode::signature_tag, static_cast<std::uint32_t>(s_header)};
  }

  signature.fill(0);
  const MutableBytes scalars{signature};
  if (const Error error = read_integer(encoded.subspan(4, r_bytes), 4, scalars.first(32));
      error.failed()) {
    return error;
  }
  const std::size_t s_start = s_header + 2;
  if (const Error error = read_integer(encoded.subspan(s_start),
                                       static_cast<std::uint32_t>(s_start), scalars.last(32));
      error.failed()) {
    return error;
  }
  Error error = check_compact_signature(signature);
  if (error.failed()) error.offset = error.offset == 0 ? 4 : static_cast<std::uint32_t>(s_start);
  return error;
}

}  // namespace antara
