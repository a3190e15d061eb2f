#pragma once

#include "cc/tree.h"

namespace antara {

/// The forms of an encoded threshold.
enum class FulfillmentForm : std::uint8_t {
  /// As many fulfillments as necessary, and conditions for all other members.
  plain,
  /// The form of Tokel's scripts: the threshold's number in a one-byte preimage, fulfillments for
  /// all members that can have one, and conditions for the others.
  mixed,
  /// The same form, except that the first threshold inside, which contains the keys, is written as
  /// its condition. For writing only.
  /// source: tokel src/script/cc.cpp, CCtoAnon
  mixed_hidden,
};

/// Reads a fulfillment, and nothing else, from `input`. It must be strict DER, so that encoding
/// gives the same bytes again.
/// errors    those of DerReader, trailing_bytes, condition_type_unknown, der_set_not_sorted,
///           condition_nesting_over_limit, condition_mixed_marker, and those of a malformed node:
///           condition_public_key, condition_signature_size, condition_rsa_modulus,
///           condition_threshold, condition_members
/// source    komodo src/cryptoconditions/src/cryptoconditions.c, cc_readFulfillmentBinary;
///           tokel the same, cc_readFulfillmentBinaryMixedMode
/// lifetime  the tree's data is `input`
/// DerRules::der takes what tokeld takes in a script: subtypes that are not spelled as they would
/// be written. The tree's encoding is another one then.
/// Stricter than the daemon where the C library reads beyond its memory: keys and signatures of
/// other sizes. Whether a public key is on the curve is not asked.
[[nodiscard]] Result<ConditionTree> decode_fulfillment(
    Bytes input, FulfillmentForm form = FulfillmentForm::plain, DerRules rules = DerRules::strict);

/// Returns the fulfillment of a tree: the cheapest members that can be fulfilled, in the order of
/// DER.
/// errors  those of `conditions_of`, and condition_mixed_marker where a member would be read as the
///         marker. fulfillment_incomplete points at the first leaf that lacks a signature, or is
///         known by its condition only; members that can be fulfilled are passed over.
/// source  komodo src/cryptoconditions/src/threshold.c, thresholdToFulfillment
[[nodiscard]] Result<std::vector<std::uint8_t>> encode_fulfillment(
    const ConditionTree& tree, FulfillmentForm form = FulfillmentForm::plain);

}  // namespace antara
