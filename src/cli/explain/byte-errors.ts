import type { ErrorCode } from '../../errors/codes.ts'

const askAgain =
  'Copy the whole hex again from its source. If the source is a server, ask it again or ask another one.'
const notThisFamily =
  'Decode it with a library for its own chain. No chain of the Komodo family accepts it.'
const notCanonical =
  'Do not use these bytes: another program may read them differently. Ask their author for the standard form.'
const rebuildCondition =
  'Build the condition with encodeCondition or encodeFulfillment instead of by hand, or ask its author for it again.'

/** Errors of bytes, of transactions and of crypto-conditions. */
export const byteErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  truncated: `The hex ends before the transaction does, usually because it was cut when it was copied.
    antara-tx txid 0400008085202f8900
    ${askAgain}`,
  trailing_bytes: `The hex goes on after the end of the transaction.
    antara-tx txid 0400008085202f8900000000000000000000000000000000000000000000
    Remove what follows the transaction, if you know what it is. Otherwise do not use the hex.`,
  non_canonical_length: `A count or length is written in more bytes than it needs, which no node accepts.
    antara-tx txid 0400008085202f89fd0000
    ${notCanonical}`,
  length_over_limit: `A count or length is larger than any message on the network may be.
    antara-tx txid 0400008085202f89fe00000003
    ${askAgain}`,
  count_over_input: `A count announces more elements than the rest of the bytes can hold.
    antara-tx txid 0400008085202f8950
    ${askAgain}`,
  malformed_hex: `A character is not one of 0 to 9 and a to f. Often it is a blank, a line break or a prefix such as 0x.
    0x0400 instead of 0400.
    Remove everything but the digits.`,
  odd_length_hex: `The number of digits is odd, but each byte has two.
    antara-tx txid 040
    ${askAgain}`,
  empty_input: `There is nothing to read: an empty argument, an empty file or an empty pipe.
    An empty file.
    Check the command or the file that should supply the hex.`,
  unknown_transaction_format: `No chain of the Komodo family has transactions of this version and group.
    antara-tx txid 0400008000000000
    ${notThisFamily}`,
  segwit_unsupported: `The bytes are a transaction with witnesses, as Bitcoin and Litecoin have them.
    antara-tx txid 01000000000100
    ${notThisFamily}`,
  malformed_proof: `A proof of an old shielded transfer begins with a byte that it cannot have.
    A joinSplit of version 2 whose proof begins with 07.
    ${askAgain}`,
  input_over_limit: `The input is larger than the largest block, so antara-tx does not read it.
    A file of 5 MB that is not a transaction.
    Check that the file is the one you meant.`,
  field_not_in_version: `The transaction has a member that its version cannot carry, or a signature without the shielded parts that it signs.
    encodeTransaction with version 1 and an expiryHeight of 100.
    Remove the member, or use version 4 with its group.`,

  der_wrong_tag: `An element of the condition is missing, or has another type than the format requires.
    A condition whose fingerprint has the tag of a cost.
    ${rebuildCondition}`,
  der_indefinite_length: `An element has no length of its own, which the canonical form forbids.
    antara-tx condition decode a080
    ${rebuildCondition}`,
  der_length_not_minimal: `A length is written in more bytes than it needs.
    antara-tx condition decode a08103800100
    ${rebuildCondition}`,
  der_element_over_end: `An element announces more bytes than its parent has left.
    antara-tx condition decode af0102
    ${rebuildCondition}`,
  der_leftover: `An element has bytes that belong to no field.
    A condition with one byte after its cost.
    ${rebuildCondition}`,
  der_constructed_string: `A string is split into parts, which the canonical form forbids.
    A fingerprint with the tag a0 instead of 80.
    ${rebuildCondition}`,
  der_integer_not_minimal: `An integer has no bytes, or a leading zero that it does not need.
    A cost of 000001 instead of 01.
    ${rebuildCondition}`,
  der_integer_negative: `The first bit of an integer is set, so it reads as a negative number.
    A cost of 80, which should be 0080.
    ${rebuildCondition}`,
  der_integer_over_limit: `An integer is larger than any value that the field can have.
    A cost of nine bytes.
    ${rebuildCondition}`,
  der_set_not_sorted: `The members of a set are not in the order of the canonical form.
    A threshold whose two members were exchanged.
    ${rebuildCondition}`,
  condition_type_unknown: `No daemon knows a condition type with this number.
    antara-tx condition decode aa0102
    Check that the bytes are a condition. Types of other ledgers do not exist here.`,
  condition_fingerprint_size: `The fingerprint does not have 32 bytes, or 20 for a key hash.
    A fingerprint of 31 bytes.
    ${rebuildCondition}`,
  condition_subtypes: `The bit string that lists the inner types is not in the canonical form.
    A threshold that lists its own type among the types inside it.
    ${rebuildCondition}`,
  condition_nesting_over_limit: `The conditions are nested more deeply than any node evaluates.
    A threshold inside 33 others.
    Flatten the tree.`,
  condition_public_key: `A public key has the wrong number of bytes, or no point of the curve has its coordinate.
    A secp256k1 condition with a key of 32 bytes.
    Check the key: antara-tx address PUBKEY.`,
  condition_signature_size: `The signature does not have 64 bytes, as every signature in a condition has.
    A DER signature where a condition needs r and s.
    Use the compact form: r and s, 32 bytes each.`,
  condition_key_hash: `A key hash is not 20 bytes long, or the public key beside it has another hash.
    A key hash of one key beside the public key of another.
    Compute the hash from the key, or leave the key out.`,
  condition_rsa_modulus: `The modulus is too short or too long, even, or has leading zeros.
    A modulus of 512 bits.
    Use a key of 1017 to 4096 bits.`,
  condition_threshold: `A threshold must require at least one member, and no more than it has.
    A threshold of 3 with two members.
    Correct the threshold.`,
  condition_members: `The condition has too many members, or not the number that its type needs.
    A threshold with 256 members.
    Use at most 255 members, or as many as the type needs.`,
  condition_fingerprint_contents: `The C library of the daemons refuses contents of a fingerprint above 4096 bytes.
    A prefix of 5000 bytes.
    Shorten the contents.`,
  condition_cost_over_limit: `The cost of a condition exceeds what its field can hold.
    A prefix that allows messages of 2^63 bytes.
    Lower maxMessageLength.`,
  condition_cost_spread: `The C library cannot sort members whose costs are this far apart.
    A threshold with a cheap member and one with a cost of 2^32.
    Lower the largest cost.`,
  condition_mixed_marker: `In mixed mode a threshold must begin with a preimage of one byte.
    A mixed-mode threshold whose first member is an eval condition.
    ${rebuildCondition}`,
  fulfillment_incomplete: `A part of the fulfillment has no signature or no members yet.
    A threshold of two with one signature.
    Sign with every key that the threshold requires.`,
  secp256k1_with_prefix: `The C library hashes secp256k1 messages before it looks at a prefix, so no such signature verifies.
    A prefix around a secp256k1 condition.
    Use Ed25519 below a prefix, or leave the prefix out.`,
  malformed_condition_uri: `The text does not have the form of a condition URI.
    A URI that begins with ni://sha-256.
    A URI looks like ni:///sha-256;HASH?fpt=TYPE&cost=NUMBER.`,
  malformed_condition_json: `The JSON value lacks a member of the type, or has one of another type.
    An object without a type.
    Compare it with what antara-tx condition decode prints for a condition of the type.`,
  malformed_private_key: `The text is neither hex of 64 digits nor a key in wallet import format of this network.
    A key whose last character is missing.
    Export the key again. Never send it to anyone to have it checked.`,
}
