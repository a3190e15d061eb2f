// Spends of the wallet's coins that its journal does not have. A journal that was restored from a
// copy, or a second machine with a journal of its own, would pay again what others paid already.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { bookOf, pastMax } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { ViewContext } from './view.ts'

/**
 * Looks at the history since the first payment that the journal has in a block. Spends before that
 * were made before there was a journal.
 *
 * @returns txids, oldest first
 */
export async function unrecordedSpends(
  { known, own }: ViewContext,
  journal: Journal,
  history: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<readonly string[]> {
  const book = bookOf(journal)
  await book.catchUp()
  const attempts = book.payments().flatMap((payment) => [...payment.attempts, ...payment.past])
  const heights = attempts.flatMap(({ height }) => height ?? [])
  if (heights.length === 0) return []
  // A full list of payments with the same terms has dropped the ones before it.
  const dropped = book.payments().flatMap(({ past }) => {
    const known = past.flatMap(({ height }) => height ?? [])
    return past.length < pastMax || known.length === 0 ? [] : lowest(known)
  })
  const first = [lowest(heights), ...dropped].reduce((most, height) => Math.max(most, height))
  const isRecorded = (txid: string) => book.paymentsOf(txid).length > 0
  const unknown = history
    .filter(({ txid, height }) => !isRecorded(txid) && (height === 0 || height > first))
    .map(({ txid }) => txid)
  await known.fetch(unknown, options)
  const spends = unknown.filter((txid) => {
    const transaction = known.get(txid)
    return transaction !== undefined && !isCoinbase(transaction)
  })
  await known.fetch(
    spends.flatMap((txid) => known.get(txid)!.inputs.map((input) => input.txid)),
    options,
  )
  return spends.filter((txid) =>
    known.get(txid)!.inputs.some((input) => {
      const output = known.get(input.txid)?.outputs[input.vout]
      const owner = output && own.ownerOf(output.script)
      // Others spend what an order offers, and the marker beside it.
      return owner !== undefined && owner.holds !== 'markers'
    }),
  )
}

/** A journal has more heights than a call can have arguments. */
function lowest(heights: readonly number[]): number {
  return heights.reduce((least, height) => Math.min(least, height))
}
