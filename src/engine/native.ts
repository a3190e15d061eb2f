// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

/** Coins that the native core keeps between selections, until this object is collected. */
export type NativeCoinIndex = object & { readonly nativeCoinIndex: never }

/** A verification that was done on other threads. */
export type NativeVerification = object & { readonly nativeVerification: never }

/**
 * The native core: it takes strings and typed arrays, and returns words and text. Nothing here is of
 * Node-API, so that both builds of the core can implement it. Only src/engine calls it.
 *
 * A function that returns `undefined` failed; words 0 to 2 of the scratch hold the reason.
 */
export interface NativeEngine {
  readonly abi: number
  /** True in the addon. No other build may be given a private key. */
  readonly takesKeys?: boolean
  /**
   * Allocates the words that later calls read and write, and calls `moved` when a build whose
   * memory moves has put them elsewhere.
   */
  makeScratch(count: number, moved: (words: Uint32Array) => void): Uint32Array
  /** Returns the answer of the last call, which did not fit the scratch. */
  takeAnswer(): string | undefined
  addCoins(index: NativeCoinIndex, values: BigInt64Array, numbers: Uint32Array): string | undefined
  answerLines(bytes: Uint8Array): string | undefined
  createCoinIndex(values: BigInt64Array, numbers: Uint32Array): NativeCoinIndex | undefined
  decodeCondition(source: string | Uint8Array): string | undefined
  decodeFulfillment(source: string | Uint8Array): string | undefined
  decodeTransaction(source: string | Uint8Array): string | undefined
  decodeWithTxid(source: string | Uint8Array): string | undefined
  derivePublicKey(bytes: Uint8Array, moreBytes: Uint8Array): string | undefined
  describeScripts(hex: string): string | undefined
  encodeAddresses(hex: string): string | undefined
  encodeTransaction(hex: string): string | undefined
  encodeTrees(hex: string): string | undefined
  engineFeatures(): string | undefined
  freeCoinIndex(index: NativeCoinIndex): string | undefined
  hash160(source: string | Uint8Array): string | undefined
  leadingTransactionBytes(source: string | Uint8Array): string | undefined
  readBlockHeaders(source: string | Uint8Array): string | undefined
  readConditionScripts(hex: string): string | undefined
  readFulfillments(hex: string): string | undefined
  readPublicKeys(hex: string): string | undefined
  recoverPublicKey(hex: string): string | undefined
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
  signHash(hex: string, bytes: Uint8Array, moreBytes: Uint8Array): string | undefined
  signatureHash(source: string | Uint8Array, hex: string): string | undefined
  signatureHashes(source: string | Uint8Array, hex: string): string | undefined
  signaturePreimage(source: string | Uint8Array, hex: string): string | undefined
  splitScript(hex: string): string | undefined
  splitTransactions(bytes: Uint8Array): string | undefined
  startVerification(
    source: string | Uint8Array,
    hex: string,
  ): Promise<NativeVerification> | undefined
  takeVerification(job: NativeVerification): string | undefined
  transactionId(source: string | Uint8Array): string | undefined
  verifyInputs(source: string | Uint8Array, hex: string): string | undefined
  verifySignature(hex: string): string | undefined
}

/** The hash of the words and functions that this code understands. */
export const engineAbi = 0x008fcad9
