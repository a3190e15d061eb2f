#pragma once

#include <napi.h>

#include <optional>

#include "base/bytes.h"

namespace antara::addon {

/// The bytes of a Uint8Array argument, valid until control returns to JavaScript.
///
/// Nothing, with a TypeError pending, for anything else and for memory that another thread may
/// change or that is gone: shared or detached buffers.
[[nodiscard]] std::optional<MutableBytes> bytes_argument(const Napi::CallbackInfo& info,
                                                         std::size_t index);

/// The words of a Uint32Array argument whose memory is aligned to 8 bytes, on the same terms.
[[nodiscard]] std::optional<std::span<std::uint32_t>> words_argument(
    const Napi::CallbackInfo& info, std::size_t index);

/// The amounts of a BigInt64Array argument, on the same terms as `bytes_argument`.
[[nodiscard]] std::optional<std::span<const std::int64_t>> amounts_argument(
    const Napi::CallbackInfo& info, std::size_t index);

/// A number argument, cut to 32 bits. Anything else is not coerced: that may run JavaScript.
[[nodiscard]] std::optional<std::uint32_t> count_argument(const Napi::CallbackInfo& info,
                                                          std::size_t index);

/// The numbers of a Uint32Array argument of any origin, on the same terms.
[[nodiscard]] std::optional<std::span<std::uint32_t>> numbers_argument(
    const Napi::CallbackInfo& info, std::size_t index);

}  // namespace antara::addon
