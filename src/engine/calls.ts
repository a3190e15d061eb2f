// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

import { failureOf, isReadable, type Locate, native, recover } from './call.ts'
import type { NativeCoinIndex, NativeVerification } from './native.ts'
import * as records from './records.ts'

// Every call of the engine, each of which returns a value or throws. `locate` refines the place of
// an error. Text is looked at after the call, which has made one flat string of its pieces.

/** Adds coins, all or none. Words: what the index holds, and the id of the first. */
export function addCoins(
  index: NativeCoinIndex,
  values: BigInt64Array,
  numbers: Uint32Array,
  sizes: records.Sizes,
  locate?: Locate,
): string {
  records.writeSizes(sizes)
  const answer = native.addCoins(index, values, numbers)
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** Sorts coins. Words: what the index holds. */
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

/** The fingerprint's hex. Words: the condition. */
export function decodeCondition(
  source: string | Uint8Array,
  reading: records.Reading,
  locate?: Locate,
): string {
  records.writeReading(reading)
  const answer = native.decodeCondition(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** The hashes that secp256k1hash nodes stand for. Words: the tree. */
export function decodeFulfillment(
  source: string | Uint8Array,
  fulfillment: records.Fulfillment,
  locate?: Locate,
): string {
  records.writeFulfillment(fulfillment)
  const answer = native.decodeFulfillment(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** The txids of all inputs; of bytes, then the hex of all. Words: header, inputs, outputs, JoinSplits. */
export function decodeTransaction(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.decodeTransaction(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** As decode_transaction; the text ends with the txid. */
export function decodeWithTxid(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.decodeWithTxid(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** Words: each script. */
export function describeScripts(hex: string, scripts: records.Scripts, locate?: Locate): string {
  records.writeScripts(scripts)
  const answer = native.describeScripts(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** Addresses of payloads of 21 bytes each, version and hash160, each followed by a space. */
export function encodeAddresses(hex: string, locate?: Locate): string {
  const answer = native.encodeAddresses(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** Hex of a transaction whose bytes are in the text, txids as they are displayed; its words as decode_transaction answers them, of which offsets are not looked at. */
export function encodeTransaction(hex: string, locate?: Locate): string {
  const answer = native.encodeTransaction(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** Hex of trees whose parts are in the text, each in its form. Words: the length of each. Detail: the tree that failed. */
export function encodeTrees(hex: string, trees: records.Trees, locate?: Locate): string {
  records.writeTrees(trees)
  const answer = native.encodeTrees(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** Names of what this build makes use of on this machine, separated by commas. */
export function engineFeatures(locate?: Locate): string {
  const answer = native.engineFeatures()
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** Gives the memory back before the index is collected. */
export function freeCoinIndex(index: NativeCoinIndex, locate?: Locate): string {
  const answer = native.freeCoinIndex(index)
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** RIPEMD-160 of SHA-256. */
export function hash160(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.hash160(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** Words: how long the transaction is that the source starts with. */
export function leadingTransactionBytes(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.leadingTransactionBytes(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** The fingerprint of each, and the hashes that its secp256k1hash nodes stand for. Words: what each holds. */
export function readConditionScripts(
  hex: string,
  conditionScripts: records.ConditionScripts,
  locate?: Locate,
): string {
  records.writeConditionScripts(conditionScripts)
  const answer = native.readConditionScripts(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** The hashes that secp256k1hash nodes stand for. Words: each scriptSig, with its tree. */
export function readFulfillments(
  hex: string,
  scriptSigs: records.ScriptSigs,
  locate?: Locate,
): string {
  records.writeScriptSigs(scriptSigs)
  const answer = native.readFulfillments(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** The hash160 of each key of 33 bytes. Words: what is wrong with each. */
export function readPublicKeys(hex: string, locate?: Locate): string {
  const answer = native.readPublicKeys(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** Forgets coins, all or none. Words: what the index holds. */
export function removeCoins(index: NativeCoinIndex, numbers: Uint32Array, locate?: Locate): string {
  const answer = native.removeCoins(index, numbers)
  if (answer !== undefined) return answer
  return recover([], locate)
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
  const answer = native.selectCoins(values, numbers, bytes)
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** The same among the coins of an index. */
export function selectIndexed(
  index: NativeCoinIndex,
  bytes: Uint8Array,
  terms: records.Terms,
  locate?: Locate,
): string {
  records.writeTerms(terms)
  const answer = native.selectIndexed(index, bytes)
  if (answer !== undefined) return answer
  return recover([], locate)
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
  const answer = native.selectTransfer(values, numbers, moreValues, moreNumbers, bytes)
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** The hash that the input of the selector signs; the script is its scriptCode. */
export function signatureHash(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signatureHash(source, hex)
  if (answer !== undefined && isReadable(source) && isReadable(hex)) return answer
  return recover([source, hex], locate)
}

/** The hashes that all inputs sign, scriptCodes chosen by rule. Detail: the input that failed. */
export function signatureHashes(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signatureHashes(source, hex)
  if (answer !== undefined && isReadable(source) && isReadable(hex)) return answer
  return recover([source, hex], locate)
}

/** What signature_hash hashes. */
export function signaturePreimage(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.signaturePreimage(source, hex)
  if (answer !== undefined && isReadable(source) && isReadable(hex)) return answer
  return recover([source, hex], locate)
}

/** Words: the steps of a script. */
export function splitScript(hex: string, locate?: Locate): string {
  const answer = native.splitScript(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}

/** As verify_inputs, on other threads; everything is copied first. */
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

/** What verify_inputs answers. */
export function takeVerification(job: NativeVerification, locate?: Locate): string {
  const answer = native.takeVerification(job)
  if (answer !== undefined) return answer
  return recover([], locate)
}

/** The txid, as it is displayed. */
export function transactionId(source: string | Uint8Array, locate?: Locate): string {
  const answer = native.transactionId(source)
  if (answer !== undefined && isReadable(source)) return answer
  return recover([source], locate)
}

/** The keys that signed. Words: a verdict for each input; the selector is the condition support. */
export function verifyInputs(
  source: string | Uint8Array,
  hex: string,
  signing: records.Signing,
  locate?: Locate,
): string {
  records.writeSigning(signing)
  const answer = native.verifyInputs(source, hex)
  if (answer !== undefined && isReadable(source) && isReadable(hex)) return answer
  return recover([source, hex], locate)
}

/** Words: what is wrong with a signature. */
export function verifySignature(
  hex: string,
  signature: records.Signature,
  locate?: Locate,
): string {
  records.writeSignature(signature)
  const answer = native.verifySignature(hex)
  if (answer !== undefined && isReadable(hex)) return answer
  return recover([hex], locate)
}
