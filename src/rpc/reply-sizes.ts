import { transactionBytesMax } from '../chain/limits.ts'

// Largest replies by kind of answer. A reply is refused as soon as more of it arrives, so these
// limits bound what a hostile server can cost. Errors are replies too: the longest usage text of a
// daemon has 4 kB.

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** A number, a hash or a word. */
export const scalarReplyBytesMax: number = 64 * kibibyte
/** One object, of a token or an output: scripts of 10,000 bytes, texts of 4,096 characters. */
export const objectReplyBytesMax: number = 256 * kibibyte
/** A transaction in hex, with its envelope. */
export const transactionReplyBytesMax: number = 2 * transactionBytesMax + 10_000
/** A built transaction, with the inputs that others have to sign. */
export const builtReplyBytesMax: number = mebibyte
/** A decoded transaction. */
export const decodedReplyBytesMax: number = 8 * mebibyte
/** Lists of outputs, tokens, orders or history: 50,000 entries of 300 bytes. */
export const listReplyBytesMax: number = 16 * mebibyte
/** Limit for a method that is not in the tables. */
export const untypedReplyBytesMax: number = 16 * mebibyte
