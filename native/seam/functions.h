// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

#pragma once

#include <string_view>

#include "seam/call.h"

namespace antara::seam {

// clang-format off

/// Adds coins, all or none. Words: what the index holds, and the id of the first.
Outcome add_coins(Call& call);
/// Sorts coins. Words: what the index holds.
Outcome create_coin_index(Call& call);
/// The fingerprint's hex. Words: the condition.
Outcome decode_condition(Call& call);
/// The hashes that secp256k1hash nodes stand for. Words: the tree.
Outcome decode_fulfillment(Call& call);
/// The txids of all inputs; of bytes, then the hex of all. Words: header, inputs, outputs, JoinSplits.
Outcome decode_transaction(Call& call);
/// As decode_transaction; the text ends with the txid.
Outcome decode_with_txid(Call& call);
/// Words: each script.
Outcome describe_scripts(Call& call);
/// Addresses of payloads of 21 bytes each, version and hash160, each followed by a space.
Outcome encode_addresses(Call& call);
/// Hex of a transaction whose bytes are in the text, txids as they are displayed; its words as decode_transaction answers them, of which offsets are not looked at.
Outcome encode_transaction(Call& call);
/// Hex of trees whose parts are in the text, each in its form. Words: the length of each. Detail: the tree that failed.
Outcome encode_trees(Call& call);
/// Names of what this build makes use of on this machine, separated by commas.
Outcome engine_features(Call& call);
/// Gives the memory back before the index is collected.
Outcome free_coin_index(Call& call);
/// RIPEMD-160 of SHA-256.
Outcome hash160(Call& call);
/// Words: how long the transaction is that the source starts with.
Outcome leading_transaction_bytes(Call& call);
/// The fingerprint of each, and the hashes that its secp256k1hash nodes stand for. Words: what each holds.
Outcome read_condition_scripts(Call& call);
/// The hashes that secp256k1hash nodes stand for. Words: each scriptSig, with its tree.
Outcome read_fulfillments(Call& call);
/// The hash160 of each key of 33 bytes. Words: what is wrong with each.
Outcome read_public_keys(Call& call);
/// Forgets coins, all or none. Words: what the index holds.
Outcome remove_coins(Call& call);
/// Chooses coins by the terms and a seed. Words: the selection.
Outcome select_coins(Call& call);
/// The same among the coins of an index.
Outcome select_indexed(Call& call);
/// Chooses tokens and coins. Words: the transfer.
Outcome select_transfer(Call& call);
/// The hash that the input of the selector signs; the script is its scriptCode.
Outcome signature_hash(Call& call);
/// The hashes that all inputs sign, scriptCodes chosen by rule. Detail: the input that failed.
Outcome signature_hashes(Call& call);
/// What signature_hash hashes.
Outcome signature_preimage(Call& call);
/// Words: the steps of a script.
Outcome split_script(Call& call);
/// As verify_inputs, on other threads; everything is copied first.
Outcome start_verification(Call& call);
/// What verify_inputs answers.
Outcome take_verification(Call& call);
/// The txid, as it is displayed.
Outcome transaction_id(Call& call);
/// The keys that signed. Words: a verdict for each input; the selector is the condition support.
Outcome verify_inputs(Call& call);
/// Words: what is wrong with a signature.
Outcome verify_signature(Call& call);

/// Every function by its name in JavaScript.
inline constexpr Function functions[] = {
    {"addCoins", add_coins, {InputKind::index, InputKind::values, InputKind::numbers}, 3, AnswerKind::text},
    {"createCoinIndex", create_coin_index, {InputKind::values, InputKind::numbers}, 2, AnswerKind::index},
    {"decodeCondition", decode_condition, {InputKind::source}, 1, AnswerKind::text},
    {"decodeFulfillment", decode_fulfillment, {InputKind::source}, 1, AnswerKind::text},
    {"decodeTransaction", decode_transaction, {InputKind::source}, 1, AnswerKind::text},
    {"decodeWithTxid", decode_with_txid, {InputKind::source}, 1, AnswerKind::text},
    {"describeScripts", describe_scripts, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeAddresses", encode_addresses, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeTransaction", encode_transaction, {InputKind::hex}, 1, AnswerKind::text},
    {"encodeTrees", encode_trees, {InputKind::hex}, 1, AnswerKind::text},
    {"engineFeatures", engine_features, {}, 0, AnswerKind::text},
    {"freeCoinIndex", free_coin_index, {InputKind::index}, 1, AnswerKind::text},
    {"hash160", hash160, {InputKind::source}, 1, AnswerKind::text},
    {"leadingTransactionBytes", leading_transaction_bytes, {InputKind::source}, 1, AnswerKind::text},
    {"readConditionScripts", read_condition_scripts, {InputKind::hex}, 1, AnswerKind::text},
    {"readFulfillments", read_fulfillments, {InputKind::hex}, 1, AnswerKind::text},
    {"readPublicKeys", read_public_keys, {InputKind::hex}, 1, AnswerKind::text},
    {"removeCoins", remove_coins, {InputKind::index, InputKind::numbers}, 2, AnswerKind::text},
    {"selectCoins", select_coins, {InputKind::values, InputKind::numbers, InputKind::bytes}, 3, AnswerKind::text},
    {"selectIndexed", select_indexed, {InputKind::index, InputKind::bytes}, 2, AnswerKind::text},
    {"selectTransfer", select_transfer, {InputKind::values, InputKind::numbers, InputKind::values, InputKind::numbers, InputKind::bytes}, 5, AnswerKind::text},
    {"signatureHash", signature_hash, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"signatureHashes", signature_hashes, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"signaturePreimage", signature_preimage, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"splitScript", split_script, {InputKind::hex}, 1, AnswerKind::text},
    {"startVerification", start_verification, {InputKind::source, InputKind::hex}, 2, AnswerKind::job},
    {"takeVerification", take_verification, {InputKind::job}, 1, AnswerKind::text},
    {"transactionId", transaction_id, {InputKind::source}, 1, AnswerKind::text},
    {"verifyInputs", verify_inputs, {InputKind::source, InputKind::hex}, 2, AnswerKind::text},
    {"verifySignature", verify_signature, {InputKind::hex}, 1, AnswerKind::text},
};

// clang-format on

}  // namespace antara::seam
