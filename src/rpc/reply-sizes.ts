import { transactionBytesMax } from '../chain/limits.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export type ReplySize = keyof typeof replyBytesMax

/**
 * Largest replies in bytes. A reply is refused as soon as more of it arrives, so these limits bound
 * what a hostile server can cost. Errors are replies too: the longest usage text of a daemon has 4 kB.
 */
export const replyBytesMax: {
  /** A number, a hash or a word. */
  readonly scalar: number
  /** One object, of a token or an output: scripts of 10,000 bytes, texts of 4,096 characters. */
  readonly object: number
  /** A transaction in hex, with its envelope. */
  readonly transaction: number
  /** A built transaction, with the inputs that others have to sign. */
  readonly built: number
  /** A decoded transaction. */
  readonly decoded: number
  /** Lists of outputs, tokens, orders or history: 50,000 entries of 300 bytes. */
  readonly list: number
  /** The answer of a method that is not in the tables. */
  readonly untyped: number
} = {
  scalar: 64 * kibibyte,
  object: 256 * kibibyte,
  transaction: 2 * transactionBytesMax + 10_000,
  built: mebibyte,
  decoded: 8 * mebibyte,
  list: 16 * mebibyte,
  untyped: 16 * mebibyte,
}
