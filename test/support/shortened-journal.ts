// A journal that compaction shortens.

import { bookOf } from '../../src/journal/book.ts'
import type { Journal } from '../../src/journal/index.ts'

/** Records a payment of a block. Compaction shortens payments 10,080 blocks below the highest one. */
export async function recordPaymentAt(
  journal: Journal,
  chain: string,
  height: number,
  name = 'last',
): Promise<void> {
  const book = bookOf(journal)
  await book.catchUp()
  const about = { payment: `terms ${name}`, txid: name, at: new Date().toISOString() }
  const made = { ...about, terms: name, request: '{}', hex: '00', chain }
  await book.append({ kind: 'attempt', ...made }, book.next)
  await book.note({ kind: 'settled', ...about, height })
}

/**
 * Shortens a journal by a clock that is a month ahead.
 *
 * @param highest - the height of the last payment that the journal has
 */
export async function shortenByClock(
  journal: Journal,
  chain: string,
  highest: number,
): Promise<void> {
  await recordPaymentAt(journal, chain, highest)
  // Many other payments make the journal worth shortening.
  for (let count = 0; count < 40; count += 1) await recordPaymentAt(journal, chain, 1, `${count}`)
  const keepMs = 30 * 24 * 3_600_000
  const at = new Date(Date.now() + keepMs + 60_000).toISOString()
  await bookOf(journal).compact({ at, keepMs })
}
