// Reads the request of a step of an order from the transaction of the step. It reads amounts only where
// the daemon's layout has them. Verification then compares every output.

import { isCompressedKey } from '../../primitives/hex-forms.ts'
import { orderOperations, type TokenOrderIntent } from '../../request/order.ts'
import type { AssetOrder } from '../../token/payload/asset-order.ts'
import { decodeTokenTransaction } from '../../token/read/read.ts'
import type { TokenTransaction } from '../../token/read/token-transaction.ts'
import { type OrderBook, ordersOf } from '../../token/rules/order-book.ts'
import { type CreatedToken, isBid, type OpenOrder } from '../../token/rules/order-layout.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import { feeOf, type Observed, ownKeysOf, type Spending } from './spending.ts'

type Reason = { readonly reason: string }

/** The members of a request that the transaction of a step and its order show. */
type Step = Pick<TokenOrderIntent, 'kind' | 'from'> & {
  readonly order?: string
  readonly units?: bigint
  readonly price?: bigint
  readonly allowUnenforcedPrice?: true
  readonly expiryHeight?: number
}

/** A step with the transactions that it depends on. */
interface Taking {
  readonly token: TokenTransaction
  readonly book: OrderBook
  readonly created: CreatedToken
  readonly txid: string
  readonly order: OpenOrder
}

/** Returns the order that a token transaction carries, as its payload has it. */
export function statedOrder({ payload }: TokenTransaction): AssetOrder | undefined {
  if (payload.kind !== 'transfer') return undefined
  return payload.extras.find(({ order }) => order !== undefined)?.order
}

/**
 * Reads the request of a step of an order.
 *
 * @param previous - hex of the transactions that it spends, and of the token's creation, by txid
 */
export function orderStepOf(
  token: TokenTransaction,
  stated: AssetOrder,
  spending: Spending,
  previous: ReadonlyMap<string, string>,
): Observed {
  const { network } = spending
  const book = ordersOf(network)
  if (token.layout !== book.layout) return { reason: 'its order has a form of other chains' }
  const step = stepOf(token, stated, { book, spending, previous })
  if ('reason' in step) return step
  const { kind, from, units = 1n, price = 1n } = step
  if (!isCompressedKey(from)) return { reason: 'it does not show the key that takes the step' }
  if (units < 1n || price < 1n) return { reason: 'its order has no amount' }
  const intent = {
    network,
    tokenid: token.tokenid,
    ...step,
    ...ownKeysOf(spending, from),
    ...feeOf(spending),
  }
  return { operation: orderOperations[kind], intent } as Observed
}

interface Around {
  readonly book: OrderBook
  readonly spending: Spending
  readonly previous: ReadonlyMap<string, string>
}

function stepOf(
  token: TokenTransaction,
  { action }: AssetOrder,
  { book, spending, previous }: Around,
): Step | Reason {
  if (action === 'swap' || action === 'fillSwap') return { reason: 'it swaps tokens for tokens' }
  if (action === 'ask' || action === 'bid')
    return offerOf(action, book.openOrder(spending.tx), book)
  const spent = token.inputs.find(({ role, vout }) => role === 'order' && vout === 0)
  const made = previous.get(spent?.txid ?? '')
  const order = made === undefined ? undefined : book.openOrder(decodeTransaction(made))
  if (spent === undefined || order === undefined) return { reason: 'it spends no order' }
  const { txid } = spent
  const kind = action
  if (kind === 'cancelAsk' || kind === 'cancelBid') return { kind, order: txid, from: order.origin }
  const created = creationIn(previous.get(token.tokenid), spending)
  if (created === undefined) return { reason: `it moves token ${token.tokenid}, which is missing` }
  const taking = { token, book, created, txid, order }
  return kind === 'fillAsk' ? filledAsk(taking) : filledBid(taking)
}

function offerOf(
  kind: 'ask' | 'bid',
  offer: OpenOrder | undefined,
  book: OrderBook,
): Step | Reason {
  if (offer === undefined) return { reason: 'its order has a form that no chain accepts' }
  const { amount, price, origin: from, expiryHeight } = offer
  const terms = isBid(offer) ? { units: price, price: amount } : { units: amount, price }
  const isUnenforced = kind === 'bid' && !book.ends && terms.units > 1n
  return {
    kind,
    ...terms,
    from,
    ...(isUnenforced && { allowUnenforcedPrice: true }),
    ...(expiryHeight !== undefined && { expiryHeight }),
  }
}

function creationIn(hex: string | undefined, { network }: Spending): CreatedToken | undefined {
  const payload = hex === undefined ? undefined : decodeTokenTransaction(hex, network)?.payload
  return payload?.kind === 'create' ? payload : undefined
}

/** Output 1 has the units, output 2 the coins, and on tokeld's chains output 3 a royalty. */
function filledAsk(taking: Taking): Step | Reason {
  const { token, book, created, txid, order } = taking
  const [, bought, paid, next] = token.outputs
  if (bought === undefined || paid === undefined) return tooShort
  const from = bought.pubkeys?.length === 1 ? bought.pubkeys[0]! : ''
  const units = bought.value
  const withNext = paid.value + (next?.value ?? 0n)
  const fill = book.fill({ order, from, created }, units, withNext)
  const royalty = fill && book.fillAsk({ order, from, created }, fill).outputs[3]
  const hasRoyalty = royalty?.role === 'royalty' && royalty.script === next?.script
  const price = hasRoyalty && royalty.value === next?.value ? withNext : paid.value
  return { kind: 'fillAsk', order: txid, units, price, from }
}

/** The price is the coins that the bid lost. Output 2 or 3 has the sold units. */
function filledBid({ token: { inputs, outputs }, txid, order }: Taking): Step | Reason {
  const [left] = outputs
  const sold = outputs.slice(2, 4).find(({ role }) => holdsUnits.has(role))
  if (left === undefined || sold === undefined) return tooShort
  const sellers = new Set(
    inputs.flatMap(({ role, pubkeys }) => (role === 'token' ? pubkeys?.[0] : []) ?? []),
  )
  const [from] = sellers
  if (from === undefined || sellers.size > 1) return { reason: 'it moves tokens of several keys' }
  return { kind: 'fillBid', order: txid, units: sold.value, price: order.amount - left.value, from }
}

const holdsUnits: ReadonlySet<string> = new Set(['destination', 'token-change'])
const tooShort: Reason = { reason: 'it has too few outputs for its step' }
