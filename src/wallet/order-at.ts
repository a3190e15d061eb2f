// The order that a transaction made, and whether it is still open.

import type { ChainOptions } from '../chain-source/source.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { ordersOf } from '../token/rules/order-book.ts'
import type { OpenOrder } from '../token/rules/order-layout.ts'
import type { Transaction } from '../transaction/types.ts'
import type { PlanContext } from './choice.ts'

/** Returns true if a transaction fills or cancels an order, whose output 0 holds what it offers. */
export function takesOrder({ inputs }: Transaction, order: string): boolean {
  return inputs.some(({ txid, vout }) => txid === order && vout === 0)
}

/** @throws {AntaraError} `order_malformed` where the source does not have it, or it has no order */
export async function orderAt(
  { known, network }: PlanContext,
  txid: string,
  options: ChainOptions = {},
): Promise<OpenOrder> {
  await known.fetch([txid], options)
  const made = known.get(txid)
  const order = made && ordersOf(network).openOrder(made)
  if (order !== undefined) {
    await known.fetch([order.tokenid], options)
    return order
  }
  const actual = made === undefined ? 'no such transaction' : 'no order'
  throw new AntaraError('order_malformed', { path: 'order', expected: 'an open order', actual })
}

/** @throws {AntaraError} `order_malformed` also where a known transaction of a block spends it */
export async function openOrderAt(
  context: PlanContext,
  txid: string,
  options: ChainOptions,
): Promise<OpenOrder> {
  const { known, network } = context
  const order = await orderAt(context, txid, options)
  for (const [spender, height] of await context.heights(options)) {
    const next = height > 0 ? known.get(spender) : undefined
    if (next === undefined || !takesOrder(next, txid)) continue
    const rest = ordersOf(network).openOrder(next)
    const isLeft = rest !== undefined && rest.amount > 0n
    const actual = isLeft
      ? `one that was filled in part; the rest is the order ${spender}`
      : `one that ${spender} filled or cancelled`
    throw new AntaraError('order_malformed', { path: 'order', expected: 'an open order', actual })
  }
  return order
}
