// Units in open asks. The key that spends them is public, and the chain lets it only fill or cancel
// the ask, so a ledger counts the units for the maker.

import type { Network } from '../chain/network.ts'
import { type OrderBook, ordersOf } from '../token/rules/order-book.ts'
import { isBid } from '../token/rules/order-layout.ts'
import type { CreatedData } from '../token/rules/rules.ts'
import { conditionKey } from '../token/rules/slot-script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Database, SqlValue } from './sqlite.ts'
import { hexOf } from './store.ts'

/** Public keys of the makers of open asks, by the txid whose output 0 is on offer. */
export type AskMakers = ReadonlyMap<string, string>

/** Returns true if a script is the one that holds the open asks of a token. */
export function isAskScript(script: string, created: CreatedData, network: Network): boolean {
  return ordersOf(network).offeredScript({ action: 'ask' }, created) === script
}

/** Returns the makers of the open asks at a place. An output there without an order has none. */
export function askMakersAt(
  database: Database,
  { token, place }: { readonly token: SqlValue; readonly place: SqlValue },
  network: Network,
): AskMakers {
  const book = ordersOf(network)
  const makers = new Map<string, string>()
  const rows = database
    .prepare(
      `SELECT x.txid, x.raw, k.txid tokenid FROM holding h JOIN tx x ON x.id = h.tx
         JOIN token k ON k.id = h.token
         WHERE h.spent_by IS NULL AND h.token = ? AND h.place = ? AND h.vout = 0`,
    )
    .iterate(token, place)
  for (const { txid, raw, tokenid } of rows) {
    const maker = makerOf(hexOf(raw), hexOf(tokenid), book)
    if (maker !== undefined) makers.set(hexOf(txid), maker)
  }
  return makers
}

function makerOf(hex: string, tokenid: string, book: OrderBook): string | undefined {
  const order = book.openOrder(decodeTransaction(hex))
  if (order === undefined || isBid(order) || order.tokenid !== tokenid) return undefined
  return conditionKey(order.origin)
}
