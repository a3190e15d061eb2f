import { isAntaraError } from '../errors/antara-error.ts'
import { decodeTransaction } from './decode.ts'
import type { Transaction } from './types.ts'

/** Decodes hex of any origin; returns `undefined` if it is not a transaction. */
export function readableTransaction(hex: unknown): Transaction | undefined {
  if (typeof hex !== 'string') return undefined
  try {
    return decodeTransaction(hex)
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}
