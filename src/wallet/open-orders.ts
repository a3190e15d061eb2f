// The wallet's own open orders.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { rulesOf } from '../token/rules/network.ts'
import { ordersOf } from '../token/rules/order-book.ts'
import { isBid, type OpenOrder } from '../token/rules/order-layout.ts'
import { type CreatedData, fungible } from '../token/rules/rules.ts'
import type { PlanContext } from './choice.ts'
import type { WalletOrder } from './order.ts'
import { keyOfOutpoint } from './outpoint-key.ts'

/**
 * Reads the wallet's own open orders. A marker that pays one of its keys names each. A transaction
 * that fills one pays the wallet, so the wallet's history shows which are spent.
 *
 * @param marked - the transactions that made or spent markers
 */
export async function readOpenOrders(
  context: PlanContext,
  marked: readonly { readonly txid: string }[],
  history: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<WalletOrder[]> {
  const { known, network, publicKeys } = context
  const book = ordersOf(network)
  const txids = [...new Set(marked.map(({ txid }) => txid))]
  await known.fetch(txids, options)
  const named = txids.flatMap((txid) => {
    const transaction = known.get(txid)
    const order = transaction && book.openOrder(transaction)
    const isOwn = order !== undefined && publicKeys.includes(order.origin) && order.amount > 0n
    return isOwn ? [{ txid, order, outputs: transaction!.outputs }] : []
  })
  const asked = named.flatMap(({ order }) => (isBid(order) ? [] : [order.tokenid]))
  await known.fetch(asked, options)
  const isOpenAfter = (later: readonly string[]): ((made: { txid: string }) => boolean) => {
    const spent = new Set(later.flatMap((txid) => known.get(txid)?.inputs.map(keyOfOutpoint) ?? []))
    return ({ txid }) => !spent.has(keyOfOutpoint({ txid, vout: 0 }))
  }
  // A stranger can name the wallet as maker, and offer nothing that the module holds.
  const made = named
    .filter(isOpenAfter(txids))
    .filter(
      ({ order, outputs }) =>
        outputs[0]!.script === book.offeredScript(order, createdOf(context, order.tokenid)) &&
        book.missingMarker(order, outputs) === undefined,
    )
  const first = history.findIndex(({ txid }) => made.some((it) => it.txid === txid))
  const since = first < 0 ? [] : history.slice(first).map(({ txid }) => txid)
  await known.fetch(since, options)
  return made.filter(isOpenAfter(since)).map(({ txid, order }) => ({
    order: txid,
    kind: isBid(order) ? 'bid' : 'ask',
    tokenid: order.tokenid,
    locked: order.amount,
    wanted: order.price,
    price: order.unitPrice ?? perUnit(order),
  }))
}

/** Returns the creation of a token; that of a fungible one if the source does not have it. */
function createdOf({ known, network }: PlanContext, tokenid: string): CreatedData {
  const { outputs = [] } = known.get(tokenid) ?? {}
  const payload = rulesOf(network, outputs).payloadOf(outputs)
  return payload?.kind === 'create' ? payload : fungible
}

function perUnit(order: OpenOrder): bigint {
  const [coins, units] = isBid(order) ? [order.amount, order.price] : [order.price, order.amount]
  return units === 0n ? 0n : coins / units
}
