#pragma once

#include "seam/call.h"

namespace antara::seam {

// The form in which a layout crosses: a header, then inputs, outputs and JoinSplits, as seam.def
// has them. Every record is an even number of words, so that 64-bit values stay aligned.

/// How many words `write_layout` needs.
[[nodiscard]] std::size_t layout_words(const TxLayout& layout) noexcept;

/// Writes `layout` to `words`, which hold at least `layout_words(layout)`.
void write_layout(const TxLayout& layout, std::span<std::uint32_t> words) noexcept;

/// Reads `layout` back from words that have only lengths, not offsets. The bytes are in one buffer
/// of `source_bytes`, in wire order: each input's txid and script, output scripts, spends, outputs,
/// JoinSplits, their key and signature, the binding signature.
///
/// errors  truncated when bytes end early, trailing_bytes when some are left; a mistake of the
///         caller when words end early
[[nodiscard]] Outcome read_layout(std::span<const std::uint32_t> words, std::size_t source_bytes,
                                  TxLayout& layout);

}  // namespace antara::seam
