// The requests of a journal, as the wallet wrote them. A journal that the caller implements may
// return any text.

import { AntaraError } from '../errors/antara-error.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'

const amountNames = ['amount', 'price', 'supply', 'fee', 'maxFee', 'feeRate']

/**
 * Reads a recorded request, whose amounts are decimal digits.
 *
 * @throws {AntaraError} `malformed_case`
 */
export function readRecorded(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text, (name, member: unknown) => {
      const isAmount = amountNames.includes(name) && typeof member === 'string' && member !== 'max'
      return isAmount ? BigInt(member) : member
    })
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The text is not JSON, or an amount has no digits.
  }
  throw new AntaraError('malformed_case', { path: 'request', expected: 'a recorded request' })
}

/**
 * Returns the keys that the wallet had when it recorded a payment; none for the request of another
 * program, which may share the journal.
 */
export function recordedKeys(text: string | undefined): readonly string[] {
  try {
    const { keys } = text === undefined ? {} : readRecorded(text)
    return Array.isArray(keys) ? keys.map(String) : []
  } catch {
    return []
  }
}

/** Returns true for the request of a wallet, not of another program that shares the journal. */
function isOfWallet(text: string): boolean {
  try {
    return readRecorded(text).operation === 'wallet'
  } catch {
    return false
  }
}

/** Returns true for a transaction that the journal has. */
export async function isInJournal(journal: Journal, txid: string): Promise<boolean> {
  const book = bookOf(journal)
  await book.catchUp()
  return book.paymentsOf(txid).length > 0
}

/** Returns true for a transaction that the journal has, and that a wallet built. */
export async function isBuiltByWallet(journal: Journal, txid: string): Promise<boolean> {
  const book = bookOf(journal)
  await book.catchUp()
  return book.paymentsOf(txid).some(({ request = '', attempts, past }) => {
    const found = [...attempts, ...past].find((it) => it.txid === txid || it.minedAs === txid)
    return found !== undefined && !found.isBuiltElsewhere && isOfWallet(request)
  })
}

const recordedKeysMax = 100

/**
 * Adds the keys that a transaction pays or spends to the request that it is recorded with. A wallet
 * that is opened with fewer keys would take its change for a stranger's.
 */
export function withKeys(text: string, keys: readonly string[]): string {
  const request = JSON.parse(text)
  // The request of a case that another machine signed is not the wallet's own.
  if (request.operation !== 'wallet') return text
  const all = new Set([...keys, ...recordedKeys(text)])
  return JSON.stringify({ ...request, keys: [...all].slice(0, recordedKeysMax) })
}
