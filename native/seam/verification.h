#pragma once

#include <string>
#include <vector>

#include "seam/signing_call.h"

namespace antara::seam {

/// A verification that any thread can do a part of: it owns everything that it reads and writes.
class VerificationJob {
 public:
  VerificationJob(const SigningCall& signing, const TxLayout& layout, ConditionSupport conditions);

  /// Shares the inputs out among `threads_max` threads, where that is worth it.
  /// Returns the number of parts, at least 1.
  std::size_t split(std::size_t threads_max);
  /// Each part once, on any thread.
  void run(std::size_t part);
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
  std::vector<std::string> keys_;  // of each part
};

}  // namespace antara::seam
