/** Coins that the engine keeps between selections, until nothing refers to this any more. */
export type NativeCoinIndex = object & { readonly nativeCoinIndex: never }

/**
 * What the native engine offers: strings, numbers and typed arrays, no objects and nothing of
 * Node-API, so that another build of the same core can stand behind it.
 *
 * A function that returns `undefined` failed; words 0 and 1 of the scratch say why.
 */
export interface NativeEngine {
  readonly abi: number
  /** Which libsecp256k1 it was built with: the machine's, or the sources that come along. */
  readonly secp256k1: 'system' | 'bundled'
  registerScratch(words: Uint32Array): void
  addCoins(
    index: NativeCoinIndex,
    coins: BigInt64Array,
    inputBytes: Uint32Array | number,
  ): number | undefined
  /** 0, or the number of the error that the key has. */
  checkPublicKey(pubkey: string): number | undefined
  createCoinIndex(
    coins: BigInt64Array,
    inputBytes: Uint32Array | number,
  ): NativeCoinIndex | undefined
  freeCoinIndex(index: NativeCoinIndex): void
  decodeCondition(source: string | Uint8Array, asDaemon: boolean): string | undefined
  decodeFulfillment(
    source: string | Uint8Array,
    isMixed: boolean,
    checksKeys: boolean,
  ): string | undefined
  decodeTransaction(source: string | Uint8Array): string | undefined
  decodeTransactions(joinedHex: string, count: number): string | undefined
  describeScripts(
    joinedHex: string,
    count: number,
    conditionSupport: number,
    showSighash: boolean,
  ): string | undefined
  /** Names of what this build makes use of on this CPU, separated by commas. */
  engineFeatures(): string
  encodeCondition(joinedHex: string): string | undefined
  encodeFulfillment(joinedHex: string, isMixed: boolean): string | undefined
  encodeTransaction(joinedHex: string): string | undefined
  takePicked(picked: Uint32Array): void
  hash160(hex: string): string | undefined
  leadingTransactionBytes(source: string | Uint8Array): number | undefined
  matchConditionScript(script: string, conditionSupport: number): string | undefined
  readFulfillmentPush(scriptSig: string): string | undefined
  removeCoins(index: NativeCoinIndex, ids: Uint32Array): number | undefined
  /** The terms are read from the scratch. How many coins `takePicked` has to take. */
  selectCoins(
    coins: BigInt64Array,
    inputBytes: Uint32Array | number,
    seed: Uint8Array,
  ): number | undefined
  selectIndexed(index: NativeCoinIndex, seed: Uint8Array): number | undefined
  selectTransfer(
    tokens: BigInt64Array,
    tokenInputBytes: Uint32Array | number,
    coins: BigInt64Array,
    coinInputBytes: Uint32Array | number,
    seed: Uint8Array,
  ): number | undefined
  signatureHash(source: string | Uint8Array, scriptCode: string): string | undefined
  signatureHashes(
    source: string | Uint8Array,
    joinedScripts: string,
    prevouts: number,
  ): string | undefined
  signaturePreimage(source: string | Uint8Array, scriptCode: string): string | undefined
  splitScript(script: string): string | undefined
  transactionId(source: string | Uint8Array): string | undefined
  transactionIds(joinedHex: string, count: number): string | undefined
  verifyInputs(
    source: string | Uint8Array,
    joinedScripts: string,
    prevouts: number,
  ): string | undefined
  verifyInputsAsync(
    source: string | Uint8Array,
    joinedScripts: string,
    prevouts: number,
    verdicts: Uint32Array,
  ): Promise<string> | undefined
  verifySignature(
    hashKeyAndSignature: string,
    keyCharacters: number,
    isDer: boolean,
  ): number | undefined
}

/** The only revision of the words and functions that this code understands. */
export const engineAbi = 1
