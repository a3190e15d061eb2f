// The requests of a journal, as the wallet wrote them.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { requestIn } from '../journal/request-text.ts'

const amountNames = ['amount', 'price', 'supply', 'fee', 'maxFee', 'feeRate']

/**
 * Reads a recorded request, whose amounts are decimal digits.
 *
 * @throws {AntaraError} `malformed_case`
 */
export function readRecorded(text: string): Readonly<Record<string, unknown>> {
  return requestIn(text, (name, member) => {
    const isAmount = amountNames.includes(name) && typeof member === 'string' && member !== 'max'
    return isAmount ? BigInt(member) : member
  })
}

/** The wallet's own names in a record. */
interface OwnNames {
  /** Keys, addresses and scripts that the caller of `submit` named. */
  readonly own: readonly string[]
  /** Public keys of the wallet; in records of an older version, names of the caller as well. */
  readonly keys: readonly string[]
}

/** Returns no names for the request of another program, which may share the journal. */
function namesIn(text: string | undefined): OwnNames {
  try {
    const { own, keys } = text === undefined ? {} : readRecorded(text)
    return { own: namesOf(own), keys: namesOf(keys) }
  } catch {
    return { own: [], keys: [] }
  }
}

const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Returns the keys, addresses and scripts that were the wallet's own when it recorded a payment. */
export function recordedNames(text: string | undefined): readonly string[] {
  const { own, keys } = namesIn(text)
  return [...own, ...keys]
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
 * Adds the wallet's own names to the request that a transaction is recorded with. A wallet that is
 * opened with fewer keys would take its change for a stranger's.
 *
 * @param used - keys that the transaction pays or spends
 * @param before - the request as it was recorded before
 */
export function withNames(
  text: string,
  { used, before }: { readonly used: readonly string[]; readonly before: string | undefined },
): string {
  const request = JSON.parse(text)
  // The request of a case that another machine signed is not the wallet's own.
  if (request.operation !== 'wallet') return text
  const [now, then] = [namesIn(text), namesIn(before)]
  const own = [...new Set([...now.own, ...then.own])]
  const keys = [...new Set([...used, ...then.keys, ...now.keys])].slice(0, recordedKeysMax)
  return JSON.stringify({ ...request, ...(own.length > 0 && { own }), keys })
}

/** Adds names of the caller's own to a request of a wallet. */
export function withOwn(text: string, own: readonly string[]): string {
  return own.length === 0 ? text : JSON.stringify({ ...JSON.parse(text), own })
}
