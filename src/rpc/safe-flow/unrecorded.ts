// Payments that the chain has and the journal has not. A journal that was restored from a copy, or a
// second machine with a journal of its own, would make them again.

import type { Checked } from './check.ts'
import type { Flow, Outcome, Paid } from './flow.ts'
import { paysOther } from './pending.ts'
import { readTransaction } from './transaction.ts'

/**
 * Looks for the same payment among the payer's transactions since the first payment that the
 * journal has in a block. Other spends do not count: the wallet of a daemon serves other programs.
 */
export async function unrecordedPayment<Result extends Checked>({
  payment,
  book,
  named,
  isDurable,
}: Flow<Result>): Outcome<Result> {
  const { amounts, options } = payment
  if (!isDurable || payment.spends === undefined || amounts === undefined) return undefined
  const acknowledged = new Set((options.acknowledged ?? []).map((txid) => txid.toLowerCase()))
  const isPassed = (txid: string) => acknowledged.has(txid) || book.paymentsOf(txid).length > 0
  const unrecorded: string[] = []
  let result: Result | undefined
  const read = payment.readSpend ?? payment.lookUp
  for (const txid of await payment.spends(book.lowestHeight(named.chain))) {
    if (isPassed(txid)) continue
    const hex = await read(txid)
    const tx = typeof hex === 'string' ? await readTransaction(hex) : undefined
    // Verification reads all ancestors, so what cannot be the payment is left out before.
    const isLike = amounts.every((amount) => tx?.outputs.some(({ value }) => value === amount))
    if (tx?.txid !== txid || !isLike) continue
    const checked = await payment.check(hex as string, 'on-chain')
    if (paysOther(checked)) continue
    result ??= checked
    unrecorded.push(txid)
  }
  if (result === undefined) return undefined
  return { ...result, held: 'unrecorded-spends', unrecorded } as Paid<Result>
}
