// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

import { failureOf, isReadable, type Locate, native, recover } from './call.ts'
import type { NativeCoinIndex, NativeVerification } from './native.ts'
import * as records from './records.ts'

// Every call of the native core; each returns a value or throws. `locate` refines the place of an
// error. Text is checked after the call, which has flattened it to one string.

/** Adds coins, all or none. Words: the contents of the index, and the id of the first added coin. */
export function addCoins(
  index: NativeCoinIndex,
  values: BigInt64Array,
  numbers: Uint32Array,
  sizes: records.Sizes,
  locate?: Locate,
): string {
  records.writeSizes(sizes)
  return native.addCoins(index, values, numbers) ?? recover([], locate)
}

/** Answers lines of hex with lines of JSON, until the text is long enough. Words: how far, and each line that it leaves to the caller: malformed data, shielded parts, and every line in WebAssembly. */
export function answerLines(bytes: Uint8Array, lines: records.Lines): string {
  records.writeLines(lines)
  return native.answerLines(bytes) ?? recover([])
}

/** Sorts coins. Words: the contents of the index. */
export function createCoinIndex(
  values: BigInt64Array,
  numbers: Uint32Array,
  sizes: records.Sizes,
  locate?: Locate,
): NativeCoinIndex {
  records.writeSizes(sizes)
  const answer = native.createCoinIndex(values, numbers)
  if (answer !== undefined) return answer
  throw failureOf([], locate)
}

/** Decodes a condition. Text: hex of the fingerprint. Words: the condition. */
export function decodeCondition(source: string | Uint8Array, reading: records.Reading): string {
  records.writeReading(reading)
  const answer = native.decodeCondition(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Decodes a fulfillment. Text: the hashes that its secp256k1hash nodes name. Words: the tree. */
export function decodeFulfillment(
  source: string | Uint8Array,
  fulfillment: records.Fulfillment,
): string {
  records.writeFulfillment(fulfillment)
  const answer = native.decodeFulfillment(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Decodes a transaction. Text: the txids of all inputs, then, if the source was bytes, all of it as hex. Words: header, inputs, outputs, JoinSplits. */
export function decodeTransaction(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.decodeTransaction(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source], locate)
}

/** Decodes as decode_transaction does; the text ends with the txid. */
export function decodeWithTxid(source: string | Uint8Array): string {
  const answer = native.decodeWithTxid(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Derives the public key of a private key, in its form of 65 bytes. The second array is a seed: 32 fresh random bytes, which blind the arithmetic. In the addon only. */
export function derivePublicKey(bytes: Uint8Array, moreBytes: Uint8Array): string {
  return native.derivePublicKey(bytes, moreBytes) ?? recover([])
}

/** Describes scripts. Words: each script. */
export function describeScripts(hex: string, scripts: records.Scripts): string {
  records.writeScripts(scripts)
  const answer = native.describeScripts(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Encodes addresses, each followed by a space, from payloads of 21 bytes: version and hash160. */
export function encodeAddresses(hex: string): string {
  const answer = native.encodeAddresses(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Encodes a transaction as hex from the bytes in the text, with txids in display order, and from words as decode_transaction answers them, whose offsets are ignored. */
export function encodeTransaction(hex: string, locate?: Locate): string {
  const answer = native.encodeTransaction(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex], locate)
}

/** Encodes trees as hex, each in its form, from the parts in the text. Words: the length of each. Detail: the tree that failed. */
export function encodeTrees(hex: string, trees: records.Trees, locate?: Locate): string {
  records.writeTrees(trees)
  const answer = native.encodeTrees(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex], locate)
}

/** Names the processor features that this build uses on this machine, separated by commas. */
export function engineFeatures(): string {
  return native.engineFeatures() ?? recover([])
}

/** Releases the memory of an index before the index is collected. */
export function freeCoinIndex(index: NativeCoinIndex): string {
  return native.freeCoinIndex(index) ?? recover([])
}

/** Computes RIPEMD-160 of SHA-256. */
export function hash160(source: string | Uint8Array): string {
  const answer = native.hash160(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Measures the transaction that the source starts with. Words: its length. */
export function leadingTransactionBytes(source: string | Uint8Array): string {
  const answer = native.leadingTransactionBytes(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Reads headers that follow each other, from the start. Words: each header. */
export function readBlockHeaders(
  source: string | Uint8Array,
  blockReading: records.BlockReading,
): string {
  records.writeBlockReading(blockReading)
  const answer = native.readBlockHeaders(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source])
}

/** Reads scripts that pay conditions. Text: each fingerprint and the hashes that secp256k1hash nodes name. Words: the contents of each. */
export function readConditionScripts(
  hex: string,
  conditionScripts: records.ConditionScripts,
): string {
  records.writeConditionScripts(conditionScripts)
  const answer = native.readConditionScripts(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Reads scriptSigs. Text: the hashes that secp256k1hash nodes name. Words: each scriptSig with its tree. */
export function readFulfillments(hex: string, scriptSigs: records.ScriptSigs): string {
  records.writeScriptSigs(scriptSigs)
  const answer = native.readFulfillments(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Checks keys of 33 bytes. Text: the hash160 of each. Words: the error of each. */
export function readPublicKeys(hex: string): string {
  const answer = native.readPublicKeys(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Recovers the key that signed, from a hash of 32 bytes, r and s. Text: its form of 65 bytes, or nothing if no key signed. */
export function recoverPublicKey(hex: string, recovery: records.Recovery): string {
  records.writeRecovery(recovery)
  const answer = native.recoverPublicKey(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Removes coins, all or none. Words: the contents of the index. */
export function removeCoins(index: NativeCoinIndex, numbers: Uint32Array, locate?: Locate): string {
  return native.removeCoins(index, numbers) ?? recover([], locate)
}

/** Chooses coins by the terms and a seed. Words: the selection. */
export function selectCoins(
  values: BigInt64Array,
  numbers: Uint32Array,
  bytes: Uint8Array,
  terms: records.Terms,
  locate?: Locate,
): string {
  records.writeTerms(terms)
  return native.selectCoins(values, numbers, bytes) ?? recover([], locate)
}

/** Chooses among the coins of an index, as select_coins does. */
export function selectIndexed(
  index: NativeCoinIndex,
  bytes: Uint8Array,
  terms: records.Terms,
  locate?: Locate,
): string {
  records.writeTerms(terms)
  return native.selectIndexed(index, bytes) ?? recover([], locate)
}

/** Chooses tokens and coins. Words: the transfer. */
export function selectTransfer(
  values: BigInt64Array,
  numbers: Uint32Array,
  moreValues: BigInt64Array,
  moreNumbers: Uint32Array,
  bytes: Uint8Array,
  terms: records.Terms,
  locate?: Locate,
): string {
  records.writeTerms(terms)
  return (
    native.selectTransfer(values, numbers, moreValues, moreNumbers, bytes) ?? recover([], locate)
  )
}

/** Signs a hash of 32 bytes with a private key and a seed, as derive_public_key takes them. Text: r and s. In the addon only. */
export function signHash(hex: string, bytes: Uint8Array, moreBytes: Uint8Array): string {
  const answer = native.signHash(hex, bytes, moreBytes)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Computes the hash that the input of the selector signs; the script is its scriptCode. */
export function signatureHash(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signatureHash(source, hex)
  return answer !== undefined && isReadable(source) && isReadable(hex)
    ? answer
    : recover([source, hex], locate)
}

/** Computes the hashes that all inputs sign, with scriptCodes chosen by rule. Detail: the input that failed. */
export function signatureHashes(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signatureHashes(source, hex)
  return answer !== undefined && isReadable(source) && isReadable(hex)
    ? answer
    : recover([source, hex], locate)
}

/** Returns the bytes that signature_hash hashes. */
export function signaturePreimage(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signaturePreimage(source, hex)
  return answer !== undefined && isReadable(source) && isReadable(hex)
    ? answer
    : recover([source, hex], locate)
}

/** Splits a script. Words: its steps. */
export function splitScript(hex: string): string {
  const answer = native.splitScript(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex])
}

/** Splits the transactions of a block, and hashes them. Text: the txid of each, then their Merkle root, all in display order. Words: the length of each. */
export function splitTransactions(
  bytes: Uint8Array,
  countedTransactions: records.CountedTransactions,
): string {
  records.writeCountedTransactions(countedTransactions)
  return native.splitTransactions(bytes) ?? recover([])
}

/** Starts verify_inputs on other threads; everything is copied first. */
export function startVerification(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): Promise<NativeVerification> {
  records.writeSigning(signing)
  const answer = native.startVerification(source, hex)
  if (answer !== undefined && isReadable(source) && isReadable(hex)) return answer
  throw failureOf([source, hex], locate)
}

/** Returns the answer of verify_inputs that a job computed. */
export function takeVerification(job: NativeVerification): string {
  return native.takeVerification(job) ?? recover([])
}

/** Computes the txid, in display order. */
export function transactionId(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.transactionId(source)
  return answer !== undefined && isReadable(source) ? answer : recover([source], locate)
}

/** Verifies all inputs; the selector is the condition support. Text: the keys that signed. Words: a verdict on each input. */
export function verifyInputs(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.verifyInputs(source, hex)
  return answer !== undefined && isReadable(source) && isReadable(hex)
    ? answer
    : recover([source, hex], locate)
}

/** Verifies a signature. Words: its error. */
export function verifySignature(
  hex: string,
  signature: records.Signature,
  locate?: Locate,
): string {
  records.writeSignature(signature)
  const answer = native.verifySignature(hex)
  return answer !== undefined && isReadable(hex) ? answer : recover([hex], locate)
}
