import { transactionBytesMax } from '../chain/limits.ts'

// Largest replies by what a method answers. A reply is refused as soon as more of it arrives, so
// what a hostile server can cost is what these allow. Errors are replies too: the longest usage text
// of a daemon has 4 kB.

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** A number, a hash, a word. */
export const scalarReplyBytesMax: number = 64 * kibibyte
/** One object, of a token or an output: scripts of 10,000 bytes, texts of 4,096 characters. */
export const objectReplyBytesMax: number = 256 * kibibyte
/** A transaction in hex, and what stands around it. */
export const transactionReplyBytesMax: number = 2 * transactionBytesMax + 10_000
/** A transaction that was built, with what others have to sign of it. */
export const builtReplyBytesMax: number = mebibyte
/** A transaction in words. */
export const decodedReplyBytesMax: number = 8 * mebibyte
/** Outputs, tokens, orders, history: 50,000 entries of 300 bytes. */
export const listReplyBytesMax: number = 16 * mebibyte
/** The limit of a method that has no row. */
export const untypedReplyBytesMax: number = 16 * mebibyte
