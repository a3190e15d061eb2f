// Spends of the wallet's coins that its journal does not have. A journal that was restored from a
// copy, or a second machine with a journal of its own, would pay again what others paid already.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { pastMax, type RecordedAttempt } from '../journal/recorded-payment.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import { withoutScriptSigs } from '../transaction/malleated-copy.ts'
import type { Transaction } from '../transaction/types.ts'
import type { ViewContext } from './view.ts'

/** A payment that is about to be made, and what the caller knows of others. */
export interface Intended {
  /** Identifies the chain; `undefined` if the source does not. */
  readonly chain: string | undefined
  /** Spends that the caller knows of. */
  readonly acknowledged: ReadonlySet<string>
  /** Looks for the same payment alone, above this height. */
  readonly sameAbove?: number
  /** Returns true for a transaction of the wallet that makes the same payment. */
  isSame(transaction: Transaction, hex: string): Promise<boolean>
}

interface Recorded extends Intended {
  readonly journal: Journal
  /** Returns the height of the last block. */
  tipHeight(options: ChainOptions): Promise<number>
}

/** Blocks in which the same payment counts, whatever the journal has: a week of one-minute blocks. */
const sameBlocks = 10_080

/**
 * Looks at the history since the first payment that the journal has in a block. Spends before that
 * were made before there was a journal, or are of payments that the journal has forgotten. A recent
 * one that makes the same payment counts all the same, because the journal may have been lost.
 *
 * @returns txids, oldest first
 */
export async function unrecordedSpends(
  { known, own }: ViewContext,
  { journal, chain, acknowledged, sameAbove, isSame, tipHeight }: Recorded,
  history: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<readonly string[]> {
  const book = bookOf(journal)
  await book.catchUp()
  const listed = new Map(history.map(({ txid, height }) => [txid, height]))
  /** A payment that nobody asked for again has no height in the journal. */
  const heightsOf = ({ txid, minedAs = txid, hex, height }: RecordedAttempt): number[] => {
    // Compaction leaves such a payment no bytes, and may have dropped older payments without an id.
    if (hex === '') return []
    const now = listed.get(minedAs) ?? 0
    if (now > 0) return [now]
    return height === undefined ? [] : [height]
  }
  const attempts = book.payments().flatMap((payment) => [...payment.attempts, ...payment.past])
  const heights = attempts.flatMap(heightsOf)
  // A full list of payments with the same terms has dropped the ones before it.
  const dropped = book.payments().flatMap(({ past }) => {
    const known = past.flatMap(heightsOf)
    return past.length < pastMax || known.length === 0 ? [] : lowest(known)
  })
  const forgotten = book.forgottenTo(chain)
  // The history has the payments that are forgotten, so a height above all of it is false.
  const isPossible = history.some(({ height }) => height >= forgotten)
  const forgottenTo = [...(isPossible ? [forgotten] : []), ...dropped].reduce(
    (most, height) => Math.max(most, height),
    0,
  )
  const first =
    sameAbove === undefined ? Math.max(lowest(heights), forgottenTo) : Number.POSITIVE_INFINITY
  const isKnown = (txid: string) => acknowledged.has(txid) || book.paymentsOf(txid).length > 0
  const isAbove = (from: number) => (entry: HistoryEntry) =>
    entry.height > from || (entry.height === 0 && from < Number.POSITIVE_INFINITY)
  const others = history.filter(({ txid }) => !isKnown(txid))
  const isSince = isAbove(first)
  const recent = others.every(isSince) ? first : (await tipHeight(options)) - sameBlocks
  const compared = others.filter(
    isAbove(Math.max(Math.min(first, recent), forgottenTo, sameAbove ?? 0)),
  )
  const since = new Set(compared.filter(isSince).map(({ txid }) => txid))
  const unknown = compared.map(({ txid }) => txid)
  await known.fetch(unknown, options)
  const spends = unknown.filter((txid) => {
    const transaction = known.get(txid)
    return transaction !== undefined && !isCoinbase(transaction)
  })
  await known.fetch(
    spends.flatMap((txid) => known.get(txid)!.inputs.map((input) => input.txid)),
    options,
  )
  const spent = spends.filter((txid) =>
    known.get(txid)!.inputs.some((input) => {
      const output = known.get(input.txid)?.outputs[input.vout]
      const owner = output && own.ownerOf(output.script)
      // Others spend what an order offers, and the marker beside it.
      return owner !== undefined && owner.holds !== 'markers'
    }),
  )
  const ours: string[] = []
  for (const txid of spent) {
    const [transaction, hex] = [known.get(txid)!, known.hexOf(txid)!]
    if (since.has(txid) || (await isSame(transaction, hex))) ours.push(txid)
  }
  if (ours.length === 0) return []
  const recorded = await Promise.all(attempts.map(({ hex }) => readTransaction(hex)))
  // Anyone can change the scriptSigs of a recorded transaction, and its txid with them.
  const copies = new Set(recorded.flatMap((it) => (it === undefined ? [] : withoutScriptSigs(it))))
  return ours.filter((txid) => !copies.has(withoutScriptSigs(known.get(txid)!)))
}

/** A journal has more heights than a call can have arguments. Infinite for an empty list. */
function lowest(heights: readonly number[]): number {
  return heights.reduce((least, height) => Math.min(least, height), Number.POSITIVE_INFINITY)
}
