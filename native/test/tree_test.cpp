// Trees of conditions that nobody decoded: what is wrong with a node, where each ends, and what it
// costs, on both sides of every limit.
// Costs: draft-thomas-crypto-conditions; komodo src/cryptoconditions/src, each type's cost.

#include "cc/tree.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cc/fingerprint.h"
#include "check.h"
#include "hex_text.h"

namespace {

using namespace antara;
using namespace antara::test;
using enum ConditionType;

/// A key, an abc, an x and a y, the hash of the key, and room for anything.
struct Data {
  Buffer bytes = unhex(
      "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
      "6162637879"
      "751e76e8199196d454941c45d1b3a323f1433bd6");
  Slice key{0, 33};
  Slice abc{33, 3};
  Slice xy{36, 2};
  Slice key_hash{38, 20};
  Slice other_hash{37, 20};

  Slice add(std::size_t length, std::uint8_t byte, std::uint8_t first, std::uint8_t last) {
    const Slice slice{static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(length)};
    bytes.resize(bytes.size() + length, byte);
    if (length > 0) {
      bytes[slice.offset] = first;
      bytes.back() = last;
    }
    return slice;
  }
  Slice add(std::size_t length) { return add(length, 0x11, 0xc1, 0x11); }
  [[nodiscard]] ConditionTree tree(std::vector<ConditionNode> nodes) const {
    return {std::move(nodes), bytes};
  }
};

ConditionNode node_of(ConditionType type, std::optional<Slice> value = std::nullopt) {
  ConditionNode node;
  node.type = type;
  node.value = value;
  return node;
}

ConditionNode prefix_of(Slice value, std::uint64_t number) {
  ConditionNode node = node_of(prefix, value);
  node.number = number;
  node.members = 1;
  return node;
}

ConditionNode threshold_of(std::uint32_t needed, std::uint32_t members) {
  ConditionNode node = node_of(threshold);
  node.threshold = needed;
  node.members = members;
  return node;
}

ConditionNode bare_of(ConditionType type, Slice fingerprint, std::uint64_t cost,
                      std::uint32_t subtypes = 0) {
  ConditionNode node = node_of(type, fingerprint);
  node.is_condition = true;
  node.number = cost;
  node.subtypes = subtypes;
  return node;
}

ConditionNode with_signature(ConditionNode node, Slice signature) {
  node.signature = signature;
  return node;
}

ConditionNode with_hash(ConditionNode node, Slice hash) {
  node.key_hash = hash;
  return node;
}

ConditionNode with_number(ConditionNode node, std::uint64_t number) {
  node.number = number;
  return node;
}

ConditionNode without_value(ConditionNode node) {
  node.value.reset();
  return node;
}

ConditionNode with_members(ConditionNode node, std::uint32_t members) {
  node.members = members;
  return node;
}

void nodes_are_checked_by_themselves() {
  Data data;
  // SEC 2: the largest x there may be is one less than the field has elements.
  const Slice field = data.add(33, 0xff, 0x02, 0x2f);
  for (const auto& [at, byte] : {std::pair{28U, 0xfe}, std::pair{31U, 0xfc}}) {
    data.bytes[field.offset + at] = static_cast<std::uint8_t>(byte);
  }
  const Slice below = data.add(33, 0xff, 0x03, 0x2e);
  std::copy_n(data.bytes.begin() + field.offset + 1, 31, data.bytes.begin() + below.offset + 1);
  const Slice even = data.add(33, 0x11, 0x04, 0x11);
  const Slice zero = data.add(33, 0x11, 0x01, 0x11);
  const Slice signature = data.add(64);
  const Slice short_signature = data.add(63);
  const Slice fingerprint = data.add(32);
  const Slice modulus = data.add(128);
  struct Row {
    ConditionNode node;
    ErrorCode code;
  };
  const std::uint32_t in_threshold = condition_types_known & ~condition_bit(threshold);
  const std::vector<Row> rows{
      {bare_of(secp256k1, fingerprint, 1), ErrorCode::ok},
      {bare_of(secp256k1, data.add(31), 1), ErrorCode::condition_fingerprint_size},
      {bare_of(secp256k1, data.add(33), 1), ErrorCode::condition_fingerprint_size},
      {without_value(bare_of(secp256k1, fingerprint, 1)), ErrorCode::condition_fingerprint_size},
      {bare_of(secp256k1hash, data.key_hash, 1), ErrorCode::ok},
      {bare_of(secp256k1hash, fingerprint, 1), ErrorCode::condition_fingerprint_size},
      {bare_of(secp256k1, fingerprint, 1, condition_bit(eval)), ErrorCode::condition_subtypes},
      {bare_of(secp256k1, fingerprint, 1, condition_bit(preimage)), ErrorCode::condition_subtypes},
      {bare_of(threshold, fingerprint, 1, in_threshold), ErrorCode::ok},
      {bare_of(threshold, fingerprint, 1, condition_bit(threshold)), ErrorCode::condition_subtypes},
      {bare_of(threshold, fingerprint, 1, 1U << 7), ErrorCode::condition_subtypes},
      {bare_of(prefix, fingerprint, 1, condition_bit(prefix)), ErrorCode::condition_subtypes},
      {bare_of(eval, fingerprint, (1ULL << 63) - 1), ErrorCode::ok},
      {bare_of(eval, fingerprint, 1ULL << 63), ErrorCode::condition_cost_over_limit},
      {with_members(bare_of(eval, fingerprint, 1), 1), ErrorCode::condition_members},
      {prefix_of(data.xy, (1ULL << 53) - 1), ErrorCode::ok},
      {prefix_of(data.xy, 1ULL << 53), ErrorCode::der_integer_over_limit},
      {with_members(prefix_of(data.xy, 1), 0), ErrorCode::condition_members},
      {with_members(prefix_of(data.xy, 1), 2), ErrorCode::condition_members},
      {threshold_of(1, 1), ErrorCode::ok},
      {threshold_of(255, 255), ErrorCode::ok},
      {threshold_of(1, 256), ErrorCode::condition_members},
      {threshold_of(0, 1), ErrorCode::condition_threshold},
      {threshold_of(2, 1), ErrorCode::condition_threshold},
      {node_of(preimage, data.abc), ErrorCode::ok},
      // Only a prefix has a number of its own.
      {with_number(node_of(preimage, data.abc), 1ULL << 53), ErrorCode::ok},
      {with_number(threshold_of(1, 1), 1ULL << 53), ErrorCode::ok},
      {with_members(node_of(preimage, data.abc), 1), ErrorCode::condition_members},
      {node_of(eval, data.abc), ErrorCode::ok},
      {with_members(node_of(eval, data.abc), 1), ErrorCode::condition_members},
      {node_of(rsa, modulus), ErrorCode::ok},
      {node_of(rsa, data.add(127)), ErrorCode::condition_rsa_modulus},
      {node_of(rsa, data.add(512)), ErrorCode::ok},
      {node_of(rsa, data.add(513)), ErrorCode::condition_rsa_modulus},
      {node_of(rsa, data.add(128, 0x11, 0x00, 0x11)), ErrorCode::condition_rsa_modulus},
      {node_of(rsa, data.add(128, 0x11, 0x01, 0x12)), ErrorCode::condition_rsa_modulus},
      {node_of(rsa), ErrorCode::condition_rsa_modulus},
      {with_signature(node_of(rsa, modulus), data.add(128)), ErrorCode::ok},
      {with_signature(node_of(rsa, modulus), data.add(127)), ErrorCode::condition_signature_size},
      {node_of(ed25519, fingerprint), ErrorCode::ok},
      {node_of(ed25519, data.key), ErrorCode::condition_public_key},
      {node_of(ed25519), ErrorCode::condition_public_key},
      {with_signature(node_of(ed25519, fingerprint), signature), ErrorCode::ok},
      {with_signature(node_of(ed25519, fingerprint), short_signature),
       ErrorCode::condition_signature_size},
      {node_of(secp256k1, data.key), ErrorCode::ok},
      {node_of(secp256k1, below), ErrorCode::ok},
      {node_of(secp256k1, field), ErrorCode::condition_public_key},
      {node_of(secp256k1, even), ErrorCode::condition_public_key},
      {node_of(secp256k1, zero), ErrorCode::condition_public_key},
      {node_of(secp256k1, fingerprint), ErrorCode::condition_public_key},
      {node_of(secp256k1, data.add(34, 0x11, 0x02, 0x11)), ErrorCode::condition_public_key},
      {with_signature(node_of(secp256k1, data.key), signature), ErrorCode::ok},
      {with_signature(node_of(secp256k1, data.key), short_signature),
       ErrorCode::condition_signature_size},
      {node_of(secp256k1hash, data.key), ErrorCode::ok},
      {node_of(secp256k1hash, even), ErrorCode::condition_public_key},
      {node_of(secp256k1hash), ErrorCode::condition_key_hash},
      {with_hash(node_of(secp256k1hash), data.key_hash), ErrorCode::ok},
      {with_hash(node_of(secp256k1hash), data.abc), ErrorCode::condition_key_hash},
      {with_hash(node_of(secp256k1hash, data.key), data.key_hash), ErrorCode::ok},
      {with_signature(with_hash(node_of(secp256k1hash), data.key_hash), signature),
       ErrorCode::condition_public_key},
      {with_signature(node_of(secp256k1hash, data.key), short_signature),
       ErrorCode::condition_signature_size},
  };
  for (const Row& row : rows) {
    const ErrorCode code = node_error(row.node, data.bytes);
    CHECK(code == row.code);
    if (code != row.code) {
      std::fprintf(stderr, "  row %td: %u\n", &row - rows.data(), static_cast<unsigned>(code));
    }
  }
}

void trees_end_where_they_should() {
  const Data data;
  const auto ends_of = [&](std::vector<ConditionNode> nodes) {
    for (std::size_t index = 0; index < nodes.size(); ++index) {
      nodes[index].offset = static_cast<std::uint32_t>(100 + index);
    }
    return subtree_ends(data.tree(std::move(nodes)));
  };
  const ConditionNode leaf = node_of(preimage, data.abc);
  using Ends = std::vector<std::uint32_t>;
  CHECK(ends_of({leaf}).value() == (Ends{1}));
  CHECK(ends_of({threshold_of(1, 2), leaf, leaf}).value() == (Ends{3, 2, 3}));
  CHECK(ends_of({threshold_of(1, 2), threshold_of(1, 2), leaf, leaf, leaf}).value() ==
        (Ends{5, 4, 3, 4, 5}));
  CHECK(ends_of({threshold_of(1, 1), prefix_of(data.xy, 1), leaf}).value() == (Ends{3, 3, 3}));
  CHECK(ends_of({}).error() == (Error{ErrorCode::condition_members, 0}));
  CHECK(ends_of({leaf, leaf}).error() == (Error{ErrorCode::condition_members, 101}));
  CHECK(ends_of({threshold_of(1, 1)}).error() == (Error{ErrorCode::condition_members, 0}));
  CHECK(ends_of({threshold_of(1, 1), leaf, leaf}).error() ==
        (Error{ErrorCode::condition_members, 102}));
  CHECK(ends_of({threshold_of(1, 3), leaf, leaf}).error() ==
        (Error{ErrorCode::condition_members, 0}));
  // The outermost counts: 31 prefixes around one that holds nothing are 32.
  const auto nested = [&](std::size_t levels) {
    std::vector<ConditionNode> nodes(levels, prefix_of(data.xy, 1));
    nodes.push_back(leaf);
    return ends_of(std::move(nodes));
  };
  CHECK(nested(condition_depth_max - 1).ok());
  CHECK(nested(condition_depth_max).error() ==
        (Error{ErrorCode::condition_nesting_over_limit, 100 + condition_depth_max - 1}));
}

void conditions_have_costs_and_fingerprints() {
  Data data;
  const Slice modulus = data.add(128);
  const Slice fingerprint = data.add(32);
  struct Row {
    std::vector<ConditionNode> nodes;
    std::uint64_t cost;
    std::uint32_t subtypes = 0;
    std::string_view fingerprint = {};
  };
  const ConditionNode abc = node_of(preimage, data.abc);
  const ConditionNode key = node_of(secp256k1, data.key);
  const ConditionNode code = node_of(eval, data.abc);
  const std::string_view of_abc =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const std::string_view of_modulus =
      "c1ddc77af4dbac9b127f9eb9922f186b3ee64702d4c71481db58ba86af5d971e";
  const std::string_view of_prefix =
      "a50c98f803bfefe06459f350bec75e568e816000d7f27007d78030559807fe61";
  // A hash that was computed for the key before is not computed again for the prefix.
  const std::string_view of_prefix_of_key =
      "3f15124d1534ff932ecc8468711d61620c89c893f4828d0959aaef8832a67a55";
  const std::string_view of_hash = "751e76e8199196d454941c45d1b3a323f1433bd6";
  const std::vector<Row> rows{
      {{abc}, 3, 0, of_abc},
      {{node_of(rsa, modulus)}, 128 * 128, 0, of_modulus},
      {{key}, 131072},
      {{node_of(ed25519, fingerprint)}, 131072},
      {{node_of(secp256k1hash, data.key)}, 131072, 0, of_hash},
      {{with_hash(node_of(secp256k1hash), data.key_hash)}, 131072, 0, of_hash},
      {{with_hash(node_of(secp256k1hash, data.key), data.key_hash)}, 131072, 0, of_hash},
      {{code}, 1048576, 0, of_abc},
      {{prefix_of(data.xy, 7), abc}, 7 + 2 + 1024 + 3, condition_bit(preimage), of_prefix},
      {{prefix_of(data.xy, 7), key},
       7 + 2 + 1024 + 131072,
       condition_bit(secp256k1),
       of_prefix_of_key},
      {{threshold_of(1, 2), abc, key},
       131072 + 2 * 1024,
       condition_bit(preimage) | condition_bit(secp256k1)},
      {{threshold_of(1, 2), key, abc},
       131072 + 2 * 1024,
       condition_bit(preimage) | condition_bit(secp256k1)},
      {{threshold_of(2, 2), key, abc},
       131072 + 3 + 2 * 1024,
       condition_bit(preimage) | condition_bit(secp256k1)},
      {{threshold_of(2, 3), abc, code, key},
       1048576 + 131072 + 3 * 1024,
       condition_bit(preimage) | condition_bit(secp256k1) | condition_bit(eval)},
      {{threshold_of(1, 1), threshold_of(1, 1), abc}, 3 + 2 * 1024, condition_bit(preimage)},
      {{bare_of(threshold, fingerprint, 77, condition_bit(rsa))}, 77, condition_bit(rsa)},
  };
  for (const Row& row : rows) {
    const ConditionTree tree = data.tree(row.nodes);
    const Result<std::vector<Condition>> conditions = conditions_of(tree);
    CHECK(conditions.ok());
    if (!conditions.ok()) continue;
    const Condition& first = conditions.value().front();
    CHECK(first.type == row.nodes.front().type);
    CHECK(first.cost == row.cost);
    CHECK(first.subtypes == row.subtypes);
    CHECK(first.fingerprint != Hash256{});
    if (!row.fingerprint.empty()) {
      CHECK(std::ranges::equal(first.fingerprint_view(), unhex(row.fingerprint)));
    }
    // The same without hashing but for what is not a hash of a sequence or of contents.
    const Result<std::vector<Condition>> bare =
        conditions_of(tree, subtree_ends(tree).value(), Fingerprints::left_out);
    CHECK(bare.ok());
    const Condition& unhashed = bare.value().front();
    CHECK(unhashed.cost == row.cost && unhashed.subtypes == row.subtypes);
    const bool is_copied = first.type == secp256k1hash || row.nodes.front().is_condition;
    CHECK((unhashed.fingerprint == Hash256{}) != is_copied);
  }
}

void conditions_end_at_their_limits() {
  Data data;
  const Slice fingerprint = data.add(32);
  const auto error_of = [&](std::vector<ConditionNode> nodes) {
    for (std::size_t index = 0; index < nodes.size(); ++index) {
      nodes[index].offset = static_cast<std::uint32_t>(100 + index);
    }
    const Result<std::vector<Condition>> conditions = conditions_of(data.tree(std::move(nodes)));
    return conditions.ok() ? Error{} : conditions.error();
  };
  const ConditionNode abc = node_of(preimage, data.abc);

  // The hash of a key that is another's.
  CHECK(error_of({with_hash(node_of(secp256k1hash, data.key), data.other_hash)}) ==
        (Error{ErrorCode::condition_key_hash, 100}));
  CHECK(error_of({threshold_of(1, 2), abc, node_of(secp256k1)}) ==
        (Error{ErrorCode::condition_public_key, 102}));

  // 4096 bytes are hashed at most: a sequence of a prefix, a number and a condition of 39 bytes.
  const std::size_t beside = 4 + 4 + 3 + 2 + 39;
  const auto prefixed = [&](std::size_t bytes) {
    return error_of({prefix_of(data.add(bytes), 7), abc});
  };
  CHECK(prefixed(4096 - beside) == Error{});
  CHECK(prefixed(4096 - beside + 1) == (Error{ErrorCode::condition_fingerprint_contents, 100}));
  CHECK(prefixed(4096) == (Error{ErrorCode::condition_fingerprint_contents, 100}));
  CHECK(prefixed(4097) == (Error{ErrorCode::condition_fingerprint_contents, 100}));

  // A condition takes 38 bytes and those of its cost: 100 of them, 285 bytes of costs, and 11
  // around.
  const auto hundred = [&](std::size_t of_three) {
    std::vector<ConditionNode> nodes(101, bare_of(preimage, fingerprint, 0x100));
    std::fill_n(nodes.begin() + 1, of_three, bare_of(preimage, fingerprint, 0x10000));
    nodes[0] = threshold_of(1, 100);
    return error_of(std::move(nodes));
  };
  CHECK(hundred(85) == Error{});
  CHECK(hundred(86) == (Error{ErrorCode::condition_fingerprint_contents, 100}));

  // Costs are written as signed integers of 64 bits.
  const std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  const auto around = [&](std::uint64_t cost) {
    return error_of({prefix_of(data.xy, 7), bare_of(eval, fingerprint, cost)});
  };
  CHECK(around(most - 1024 - 7 - 2) == Error{});
  CHECK(around(most - 1024 - 7 - 2 + 1) == (Error{ErrorCode::condition_cost_over_limit, 100}));
  const auto summed = [&](std::uint64_t cost) {
    return error_of({threshold_of(1, 1), bare_of(eval, fingerprint, cost)});
  };
  CHECK(summed(most - 1024) == Error{});
  CHECK(summed(most - 1024 + 1) == (Error{ErrorCode::condition_cost_over_limit, 100}));

  // The C library cuts differences of costs to an int.
  const auto spread = [&](std::uint64_t cost) {
    return error_of(
        {threshold_of(1, 2), bare_of(eval, fingerprint, 5), bare_of(eval, fingerprint, cost)});
  };
  CHECK(spread(5 + 0x7fffffffULL) == Error{});
  CHECK(spread(5 + 0x80000000ULL) == (Error{ErrorCode::condition_cost_spread, 100}));
}

}  // namespace

int main() {
  nodes_are_checked_by_themselves();
  trees_end_where_they_should();
  conditions_have_costs_and_fingerprints();
  conditions_end_at_their_limits();
  return antara::test::report();
}
