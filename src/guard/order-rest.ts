import type { Network } from '../chain/network.ts'
import type { AskedFor } from '../request/case.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { ordersOf } from '../token/rules/order-book.ts'
import { isBid } from '../token/rules/order-layout.ts'

/**
 * Returns the request with the units that an order still has, if a fill asks for more: daemons then
 * fill the whole order. They come from the order's own bytes, whose hash is the id in the call.
 *
 * @see komodo src/cc/CCassetsCore.cpp, SetAskFillamounts, SetBidFillamounts
 */
export async function withinOrder(
  asked: AskedFor,
  { evidence, network }: { readonly evidence: DaemonClient; readonly network: Network },
): Promise<AskedFor> {
  if (asked.operation !== 'tokenfillask' && asked.operation !== 'tokenfillbid') return asked
  const { intent } = asked
  const rest = await restOf(intent.order, { evidence, network })
  if (rest === undefined || intent.units <= rest) return asked
  return { ...asked, intent: { ...intent, units: rest } } as AskedFor
}

/**
 * Returns `undefined` for a transaction that is not an order; the daemon or the verifier then
 * refuses it.
 */
async function restOf(
  txid: string,
  { evidence, network }: { readonly evidence: DaemonClient; readonly network: Network },
): Promise<bigint | undefined> {
  const made = await evidence.getrawtransaction({ txid }).catch((error: unknown) => {
    if (isRpcError(error, 'daemon')) return undefined
    throw error
  })
  const tx = made === undefined ? undefined : await readTransaction(made)
  if (tx?.txid !== txid) return undefined
  const order = ordersOf(network).openOrder(tx)
  return order && (isBid(order) ? order.price : order.amount)
}
