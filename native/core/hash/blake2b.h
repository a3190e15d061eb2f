#pragma once

#include <tuple>

#include "base/bytes.h"

namespace antara {

/// Bytes that separate one use of BLAKE2b from every other. RFC 7693 section 2.5 leaves these bytes
/// of the parameter block open; the BLAKE2 paper (section 2.8) defines them.
using Personalization = std::array<std::uint8_t, 16>;

/// `text` as a personalization, padded with zeros: personalization("ZcashSigHash").
template <std::size_t size>
[[nodiscard]] constexpr Personalization personalization(const char (&text)[size]) noexcept {
  static_assert(size - 1 <= std::tuple_size_v<Personalization>);
  Personalization result{};
  for (std::size_t index = 0; index + 1 < size; ++index) {
    result[index] = static_cast<std::uint8_t>(text[index]);
  }
  return result;
}

/// Running unkeyed BLAKE2b (RFC 7693) with a digest of 1 to 64 bytes. `add` any number of times,
/// then `finish` once.
///
/// A copy keeps what was added so far: messages with a common beginning hash it once.
class Blake2bHash {
 public:
  explicit Blake2bHash(std::size_t digest_bytes,
                       const Personalization& personalization = {}) noexcept;
  Blake2bHash& add(Bytes bytes) noexcept;
  /// Writes the digest to `digest`, which has `digest_bytes` bytes.
  void finish(std::uint8_t* digest) noexcept;

  /// Writes the digests of what was added so far followed by each of `rests`, one after another.
  /// Four of one length that follow each other are hashed side by side where the machine has AVX2.
  void finish_each(std::span<const Bytes> rests, std::uint8_t* digests) const noexcept;

 private:
  std::array<std::uint64_t, 8> state_;
  std::array<std::uint8_t, 128> block_;
  std::size_t digest_bytes_;
  std::size_t buffered_bytes_ = 0;
  std::uint64_t absorbed_bytes_ = 0;
};

/// A BLAKE2b whose digests have a type.
template <std::size_t digest_bytes>
class Blake2b {
 public:
  using Digest = std::array<std::uint8_t, digest_bytes>;

  explicit Blake2b(const Personalization& personalization = {}) noexcept
      : hash_(digest_bytes, personalization) {}
  Blake2b& add(Bytes bytes) noexcept {
    hash_.add(bytes);
    return *this;
  }
  [[nodiscard]] Digest finish() noexcept {
    Digest digest;
    hash_.finish(digest.data());
    return digest;
  }
  void finish_each(std::span<const Bytes> rests, std::span<Digest> digests) const noexcept {
    static_assert(sizeof(Digest) == digest_bytes);
    hash_.finish_each(rests, digests.empty() ? nullptr : digests.front().data());
  }

 private:
  Blake2bHash hash_;
};

using Blake2b256 = Blake2b<32>;

/// BLAKE2b-256 of `bytes` under `personalization`.
[[nodiscard]] Hash256 blake2b256(Bytes bytes, const Personalization& personalization) noexcept;

}  // namespace antara
