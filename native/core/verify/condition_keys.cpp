#include "verify/condition_keys.h"

#include "verify/curve.h"

namespace antara {

Error check_condition_keys(const ConditionTree& tree) noexcept {
  for (const ConditionNode& node : tree.nodes) {
    if (row_of(node.type).key != KeyKind::secp256k1 || node.is_condition || !node.value) continue;
    PublicKey key;
    const Error error = read_public_key(bytes_of(tree.data, *node.value), key);
    if (error.failed()) return {error.code, node.value->offset};
  }
  return {};
}

}  // namespace antara
