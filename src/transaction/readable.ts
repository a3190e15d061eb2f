import { unlessMalformed } from '../errors/malformed.ts'
import { decodeTransaction } from './decode.ts'
import type { Transaction } from './types.ts'

/** Decodes hex of any origin; returns `undefined` if it is not a transaction. */
export function readableTransaction(hex: unknown): Transaction | undefined {
  return typeof hex === 'string' ? unlessMalformed(() => decodeTransaction(hex)) : undefined
}
