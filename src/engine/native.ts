// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

/** Coins that the engine keeps between selections, until nothing refers to this any more. */
export type NativeCoinIndex = object & { readonly nativeCoinIndex: never }

/** A verification that other threads have done. */
export type NativeVerification = object & { readonly nativeVerification: never }

/**
 * The interface of the engine: strings and typed arrays in, words and text out. It has no type of
 * Node-API, so that the WebAssembly build can implement it too. Only src/engine calls it.
 *
 * A function that returns `undefined` failed; words 0 to 2 of the scratch say why.
 */
export interface NativeEngine {
  readonly abi: number
  /**
   * So many words, which later calls read and write. An engine whose memory moves by itself tells
   * where they are then.
   */
  makeScratch(count: number, moved: (words: Uint32Array) => void): Uint32Array
  /** The answer of the last call, which did not fit the words of then. */
  takeAnswer(): string | undefined
  addCoins(index: NativeCoinIndex, values: BigInt64Array, numbers: Uint32Array): string | undefined
  createCoinIndex(values: BigInt64Array, numbers: Uint32Array): NativeCoinIndex | undefined
  decodeCondition(source: string | Uint8Array): string | undefined
  decodeFulfillment(source: string | Uint8Array): string | undefined
  decodeTransaction(source: string | Uint8Array): string | undefined
  decodeWithTxid(source: string | Uint8Array): string | undefined
  describeScripts(hex: string): string | undefined
  encodeAddresses(hex: string): string | undefined
  encodeTransaction(hex: string): string | undefined
  encodeTrees(hex: string): string | undefined
  engineFeatures(): string | undefined
  freeCoinIndex(index: NativeCoinIndex): string | undefined
  hash160(source: string | Uint8Array): string | undefined
  leadingTransactionBytes(source: string | Uint8Array): string | undefined
  readConditionScripts(hex: string): string | undefined
  readFulfillments(hex: string): string | undefined
  readPublicKeys(hex: string): string | undefined
  removeCoins(index: NativeCoinIndex, numbers: Uint32Array): string | undefined
  selectCoins(values: BigInt64Array, numbers: Uint32Array, bytes: Uint8Array): string | undefined
  selectIndexed(index: NativeCoinIndex, bytes: Uint8Array): string | undefined
  selectTransfer(
    values: BigInt64Array,
    numbers: Uint32Array,
    moreValues: BigInt64Array,
    moreNumbers: Uint32Array,
    bytes: Uint8Array,
  ): string | undefined
  signatureHash(source: string | Uint8Array, hex: string): string | undefined
  signatureHashes(source: string | Uint8Array, hex: string): string | undefined
  signaturePreimage(source: string | Uint8Array, hex: string): string | undefined
  splitScript(hex: string): string | undefined
  startVerification(
    source: string | Uint8Array,
    hex: string,
  ): Promise<NativeVerification> | undefined
  takeVerification(job: NativeVerification): string | undefined
  transactionId(source: string | Uint8Array): string | undefined
  verifyInputs(source: string | Uint8Array, hex: string): string | undefined
  verifySignature(hex: string): string | undefined
}

/** The only build of the words and functions that this code understands: a hash of them. */
export const engineAbi = 0x16edf223
