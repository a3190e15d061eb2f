#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "seam/signing_call.h"

namespace antara::seam {

/// A verification whose parts can run on any thread: it owns all data that it reads and writes.
class VerificationJob {
 public:
  VerificationJob(const SigningCall& signing, const TxLayout& layout, ConditionSupport conditions);

  /// Returns the number of threads that are worth using: at least 1, at most `threads_max`.
  [[nodiscard]] std::size_t parts(std::size_t threads_max) const noexcept;
  /// Runs one part, on any thread: it takes inputs until none are left.
  void run_part();
  /// Answers the call, after all parts have run.
  void answer(Call& call) const;

 private:
  std::vector<std::uint8_t> raw_;
  std::vector<std::uint8_t> scripts_;
  TxLayout layout_;
  std::vector<Prevout> prevouts_;
  std::uint32_t branch_id_;
  ConditionSupport conditions_;
  std::vector<std::uint32_t> words_;
  std::vector<std::string> keys_;  // keys of each turn
  std::atomic<std::size_t> next_turn_ = 0;
};

}  // namespace antara::seam
