#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "seam/signing_call.h"

namespace antara::seam {

/// A verification that any thread can do a part of: it owns everything that it reads and writes.
class VerificationJob {
 public:
  VerificationJob(const SigningCall& signing, const TxLayout& layout, ConditionSupport conditions);

  /// Among how many threads the inputs are worth being shared out: at least 1, at most
  /// `threads_max`.
  [[nodiscard]] std::size_t parts(std::size_t threads_max) const noexcept;
  /// So many times, each on any thread: takes inputs until none are left.
  void run_part();
  /// When all parts have been run.
  void answer(Call& call) const;

 private:
  std::vector<std::uint8_t> raw_;
  std::vector<std::uint8_t> scripts_;
  TxLayout layout_;
  std::vector<Prevout> prevouts_;
  std::uint32_t branch_id_;
  ConditionSupport conditions_;
  std::vector<std::uint32_t> words_;
  std::vector<std::string> keys_;  // of each turn
  std::atomic<std::size_t> next_turn_ = 0;
};

}  // namespace antara::seam
