// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

#pragma once

#include <string_view>

#include "seam/call.h"

namespace antara::seam {

// clang-format off

/// Adds coins, all or none. Words: the contents of the index, and the id of the first added coin.
Outcome add_coins(Call& call);
/// Answers lines of hex with lines of JSON, until the text is long enough. Words: how far, and each line that it leaves to the caller: malformed data, shielded parts, and every line in WebAssembly.
Outcome answer_lines(Call& call);
/// Sorts coins. Words: the contents of the index.
Outcome create_coin_index(Call& call);
/// Decodes a condition. Text: hex of the fingerprint. Words: the condition.
Outcome decode_condition(Call& call);
/// Decodes a fulfillment. Text: the hashes that its secp256k1hash nodes name. Words: the tree.
Outcome decode_fulfillment(Call& call);
/// Decodes a transaction. Text: the txids of all inputs, then, if the source was bytes, all of it as hex. Words: header, inputs, outputs, JoinSplits.
Outcome decode_transaction(Call& call);
/// Decodes as decode_transaction does; the text ends with the txid.
Outcome decode_with_txid(Call& call);
/// Derives the public key of a private key, in its form of 65 bytes. The second array is a seed: 32 fresh random bytes, which blind the arithmetic. In the addon only.
Outcome derive_public_key(Call& call);
/// Describes scripts. Words: each script.
Outcome describe_scripts(Call& call);
/// Encodes addresses, each followed by a space, from payloads of 21 bytes: version and hash160.
Outcome encode_addresses(Call& call);
/// Encodes a transaction as hex from the bytes in the text, with txids in display order, and from words as decode_transaction answers them, whose offsets are ignored.
Outcome encode_transaction(Call& call);
/// Encodes trees as hex, each in its form, from the parts in the text. Words: the length of each. Detail: the tree that failed.
Outcome encode_trees(Call& call);
/// Names the processor features that this build uses on this machine, separated by commas.
Outcome engine_features(Call& call);
/// Releases the memory of an index before the index is collected.
Outcome free_coin_index(Call& call);
/// Computes RIPEMD-160 of SHA-256.
Outcome hash160(Call& call);
/// Measures the transaction that the source starts with. Words: its length.
Outcome leading_transaction_bytes(Call& call);
/// Reads headers that follow each other, from the start. Words: each header.
Outcome read_block_headers(Call& call);
/// Reads scripts that pay conditions. Text: each fingerprint and the hashes that secp256k1hash nodes name. Words: the contents of each.
Outcome read_condition_scripts(Call& call);
/// Reads scriptSigs. Text: the hashes that secp256k1hash nodes name. Words: each scriptSig with its tree.
Outcome read_fulfillments(Call& call);
/// Checks keys of 33 bytes. Text: the hash160 of each. Words: the error of each.
Outcome read_public_keys(Call& call);
/// Recovers the key that signed, from a hash of 32 bytes, r and s. Text: its form of 65 bytes, or nothing if no key signed.
Outcome recover_public_key(Call& call);
/// Removes coins, all or none. Words: the contents of the index.
Outcome remove_coins(Call& call);
/// Chooses coins by the terms and a seed. Words: the selection.
Outcome select_coins(Call& call);
/// Chooses among the coins of an index, as select_coins does.
Outcome select_indexed(Call& call);
/// Chooses tokens and coins. Words: the transfer.
Outcome select_transfer(Call& call);
/// Signs a hash of 32 bytes with a private key and a seed, as derive_public_key takes them. Text: r and s. In the addon only.
Outcome sign_hash(Call& call);
/// Computes the hash that the input of the selector signs; the script is its scriptCode.
Outcome signature_hash(Call& call);
/// Computes the hashes that all inputs sign, with scriptCodes chosen by rule. Detail: the input that failed.
Outcome signature_hashes(Call& call);
/// Returns the bytes that signature_hash hashes.
Outcome signature_preimage(Call& call);
/// Splits a script. Words: its steps.
Outcome split_script(Call& call);
/// Splits the transactions of a block, and hashes them. Text: the txid of each, then their Merkle root, all in display order. Words: the length of each.
Outcome split_transactions(Call& call);
/// Starts verify_inputs on other threads; everything is copied first.
Outcome start_verification(Call& call);
/// Returns the answer of verify_inputs that a job computed.
Outcome take_verification(Call& call);
/// Computes the txid, in display order.
Outcome transaction_id(Call& call);
/// Verifies all inputs; the selector is the condition support. Text: the keys that signed. Words: a verdict on each input.
Outcome verify_inputs(Call& call);
/// Verifies a signature. Words: its error.
Outcome verify_signature(Call& call);

/// Every function by its name in JavaScript.
inline constexpr Function functions[] = {
    {"addCoins", add_coins, {InputKind::index, InputKind::values, InputKind::numbers}, 3, AnswerKind::text},
    {"answerLines", answer_lines, {InputKind::bytes}, 1, AnswerKind::text},
    {"createCoinIndex", create_coin_index, {InputKind::values, InputKind::numbers}, 2, AnswerKind::index},
    {"decodeCondition", decode_condition, {InputKind::source}, 1, AnswerKind::text},
    {"decodeFulfillment", decode_fulfillment, {InputKind::source}, 1, AnswerKind::text},
    {"decodeTransaction", decode_transaction, {InputKind::source}, 1, AnswerKind::text},
    {"decodeWithTxid", decode_with_txid, {InputKind::source}, 1, AnswerKind::text},
    {"derivePublicKey", derive_public_key, {InputKind::bytes, InputKind::bytes}, 2, AnswerKind::text},
    {"describeScripts", describe_scripts, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeAddresses", encode_addresses, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeTransaction", encode_transaction, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeTrees", encode_trees, {InputKind::hex}, 1, AnswerKind::text},
    {"engineFeatures", engine_features, {}, 0, AnswerKind::text},
    {"freeCoinIndex", free_coin_index, {InputKind::index}, 1, AnswerKind::text},
    {"hash160", hash160, {InputKind::source}, 1, AnswerKind::text},
    {"leadingTransactionBytes", leading_transaction_bytes, {InputKind::source}, 1, AnswerKind::text},
    {"readBlockHeaders", read_block_headers, {InputKind::source}, 1, AnswerKind::text},
    {"readConditionScripts", read_condition_scripts, {InputKind::hex}, 1, AnswerKind::text},
    {"readFulfillments", read_fulfillments, {InputKind::hex}, 1, AnswerKind::text},
    {"readPublicKeys", read_public_keys, {InputKind::hex}, 1, AnswerKind::text},
    {"recoverPublicKey", recover_public_key, {InputKind::hex}, 1, AnswerKind::text},
    {"removeCoins", remove_coins, {InputKind::index, InputKind::numbers}, 2, AnswerKind::text},
    {"selectCoins", select_coins, {InputKind::values, InputKind::numbers, InputKind::bytes}, 3, AnswerKind::text},
    {"selectIndexed", select_indexed, {InputKind::index, InputKind::bytes}, 2, AnswerKind::text},
    {"selectTransfer", select_transfer, {InputKind::values, InputKind::numbers, InputKind::values, InputKind::numbers, InputKind::bytes}, 5, AnswerKind::text},
    {"signHash", sign_hash, {InputKind::hex, InputKind::bytes, InputKind::bytes}, 3, AnswerKind::text},
    {"signatureHash", signature_hash, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"signatureHashes", signature_hashes, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"signaturePreimage", signature_preimage, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"splitScript", split_script, {InputKind::hex}, 1, AnswerKind::text},
    {"splitTransactions", split_transactions, {InputKind::bytes}, 1, AnswerKind::text},
    {"startVerification", start_verification, {InputKind::source, InputKind::hex}, 2, AnswerKind::job},
    {"takeVerification", take_verification, {InputKind::job}, 1, AnswerKind::text},
    {"transactionId", transaction_id, {InputKind::source}, 1, AnswerKind::text},
    {"verifyInputs", verify_inputs, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"verifySignature", verify_signature, {InputKind::hex}, 1, AnswerKind::text},
};

// clang-format on

}  // namespace antara::seam
