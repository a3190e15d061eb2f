#pragma once

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace antara {

/// The fault of the data. The numbers cross to TypeScript; see error_table.def.
enum class ErrorCode : std::uint32_t {
  ok = 0,
#define ANTARA_ERROR(name, number, summary) name = number,
#include "base/error_table.def"
#undef ANTARA_ERROR
};

/// The first error, and the byte offset in the input where it was found.
struct Error {
  ErrorCode code = ErrorCode::ok;
  std::uint32_t offset = 0;

  [[nodiscard]] constexpr bool failed() const noexcept { return code != ErrorCode::ok; }
  friend constexpr bool operator==(Error, Error) = default;
};

static_assert(sizeof(Error) == 8);

/// A value, or the first error.
template <typename T>
class Result {
 public:
  // Implicit on purpose, so that `return value;` and `return error;` both read well.
  Result(T value) noexcept : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error) noexcept : error_(error) {}         // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const noexcept { return !error_.failed(); }
  [[nodiscard]] Error error() const noexcept { return error_; }
  /// Requires `ok()`: continuing with a default value would be worse than stopping.
  [[nodiscard]] const T& value() const noexcept {
    require_ok();
    return value_;
  }
  [[nodiscard]] T& value() noexcept {
    require_ok();
    return value_;
  }

 private:
  void require_ok() const noexcept {
    if (error_.failed()) std::abort();
  }

  T value_{};
  Error error_{};
};

}  // namespace antara
