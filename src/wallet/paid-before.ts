// A transaction that the caller names as the one that has made this payment: the option `paidBy`.

import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled } from '../journal/recorded-payment.ts'
import { RpcError } from '../rpc/errors.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Payment } from '../rpc/safe-flow/flow.ts'
import { settleRecorded } from '../rpc/safe-flow/idempotent-send.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'

/** @throws {RpcError} if the source does not have it */
export async function namedTransaction(
  chain: ChainSource,
  paidBy: string,
  options: ChainOptions,
): Promise<string> {
  const txid = paidBy.toLowerCase()
  const [hex] = await chain.transactions([txid], options)
  if (typeof hex === 'string' && (await readTransaction(hex))?.txid === txid) return hex
  const details = { method: 'transactions', reason: 'unexpected_value', path: 'paidBy' } as const
  throw new RpcError('shape', `paidBy: ${chain.name} does not have ${txid}`, details)
}

/**
 * Returns true if another transaction than the named one has made the payment of an id. The named one
 * made another payment then, and would be missing there.
 */
export async function isMadeByOther(
  payment: Payment<Checked>,
  journal: Journal,
  { name, paidBy }: { readonly name: string; readonly paidBy: string },
): Promise<boolean> {
  const book = bookOf(journal)
  await book.catchUp()
  const recorded = book.payment(name)
  if (recorded?.id === undefined) return false
  await settleRecorded(payment, recorded, () => true)
  const made = book.payment(name)?.attempts.find(isSettled)
  return made !== undefined && made.txid !== paidBy.toLowerCase()
}
