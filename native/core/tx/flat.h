#pragma once

#include "base/error.h"
#include "tx/layout.h"

namespace antara {

// The form in which a layout crosses to the caller and back: 32-bit words, no objects.
// src/engine/words.ts names the same positions. Every block is a multiple of two words, so that
// 64-bit values stay aligned wherever a transaction starts in a batch.
//
//   header       0 version with the overwintered flag    1 version group id
//                2 lock time        3 expiry height      4,5 value balance
//                6 inputs           7 outputs            8 JoinSplits
//                9 shielded spends, 10 their offset     11 shielded outputs, 12 their offset
//               13 offset of joinSplitPubKey            14 offset of bindingSig   15 unused
//   each input   prev index, sequence, scriptSig offset, scriptSig length
//   each output  value (2 words), scriptPubKey offset, scriptPubKey length
//   each JoinSplit  vpub_old (2), vpub_new (2), offset of the rest, length of the rest
inline constexpr std::size_t flat_header_words = 16;
inline constexpr std::size_t flat_input_words = 4;
inline constexpr std::size_t flat_output_words = 4;
inline constexpr std::size_t flat_join_split_words = 6;

/// How many words `write_flat` needs for `layout`.
[[nodiscard]] std::size_t flat_words(const TxLayout& layout) noexcept;

/// Writes `layout` to `words`, which hold at least `flat_words(layout)`.
void write_flat(const TxLayout& layout, std::span<std::uint32_t> words) noexcept;

/// Reads `layout` back from words in which only lengths are given, not offsets: the bytes lie in
/// one buffer of `source_bytes`, in wire order (each input's txid and script, output scripts,
/// spends, outputs, JoinSplits, their key and signature, the binding signature).
///
/// errors  truncated when words or bytes end early, trailing_bytes when bytes are left
[[nodiscard]] Error read_flat(std::span<const std::uint32_t> words, std::size_t source_bytes,
                              TxLayout& layout);

}  // namespace antara
