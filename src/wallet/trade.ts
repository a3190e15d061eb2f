// Orders of the assets module: offers, fills and cancellations.

import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenFillAsk,
  buildTokenFillBid,
} from '../builders/order.ts'
import type { UnsignedOrder, UnsignedTransaction } from '../builders/unsigned.ts'
import { defaultFee, markerSats } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { Case } from '../request/case.ts'
import { requireRequest } from '../request/members.ts'
import { ordersOf } from '../token/rules/order-book.ts'
import { isBid, type OpenOrder } from '../token/rules/order-layout.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import {
  ancestorsOf,
  evidenceOf,
  feesOf,
  furtherKeys,
  keysOf,
  requestText,
  spending,
} from './case-terms.ts'
import {
  atLeast,
  changeMargin,
  isOf,
  type PlanContext,
  plainCoins,
  spendableCoins,
  usableUnits,
  withEarlier,
  withSharedCoins,
} from './choice.ts'
import { readTxid } from './options.ts'
import { openOrderAt, orderAt, takesOrder } from './order-at.ts'
import { ownScriptsOf } from './own-scripts.ts'
import type { CaseOptions, Plan } from './plan.ts'
import {
  type BidRequest,
  bidForms,
  type CancelRequest,
  cancelForms,
  type FillRequest,
  fillForms,
  type OfferRequest,
  offerForms,
} from './requests/order.ts'
import type { View, WalletCoin } from './view.ts'

/** Terms of an offer that another machine built, which no request of the wallet's own has. */
export interface BuiltTerms {
  /** The end of the order; only tokeld's orders have one. */
  readonly expiryHeight?: number | undefined
}

export function askPlan(
  context: PlanContext,
  request: OfferRequest,
  builtTerms: BuiltTerms = {},
): Plan {
  requireRequest(request, offerForms)
  const offer = readOffer(request)
  const { tokenid, units, price } = offer
  return {
    key: JSON.stringify(['ask', tokenid, `${units}`, `${price}`]),
    mayBe: isOffer(context, { action: 'ask', tokenid, amount: units, price }),
    request: () => requestText(context, { wallet: 'ask', ...request, ...builtTerms }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        const wanted = { tokenid, amount: units }
        const held = await usableUnits(context, view, wanted, isFree, isShared)
        const { from, tokenCoins, spend } = held
        const offered = coinsFor(context, view, isFree, { from, needed: markerSats })
        const paid = markerSats + (request.fee ?? defaultFee) + changeMargin
        const coins = spend === undefined ? offered : atLeast(offered, paid)
        return buildTokenAsk({
          ...(spend && { spend }),
          ...feesOf(request),
          ...offer,
          ...termsWith(context, view, coins, tokenCoins, tokenid),
          from,
          tokenCoins: tokenCoins.map(({ txid, vout }) => ({ txid, vout })),
        })
      }),
    caseOf: (hex, state, options) =>
      orderCase(context, hex, state, options, (from) => ({
        operation: 'tokenask',
        intent: {
          kind: 'ask',
          ...offer,
          ...endIn(context, hex, builtTerms),
          ...feesOf(request),
          network: context.network,
          from,
        },
      })),
  }
}

export function bidPlan(
  context: PlanContext,
  request: BidRequest,
  builtTerms: BuiltTerms = {},
): Plan {
  requireRequest(request, bidForms)
  const offer = readOffer(request)
  const { tokenid, units, price } = offer
  const { allowUnenforcedPrice } = request
  const allowed = allowUnenforcedPrice === undefined ? {} : { allowUnenforcedPrice }
  return {
    key: JSON.stringify(['bid', tokenid, `${units}`, `${price}`]),
    mayBe: isOffer(context, { action: 'bid', tokenid, amount: price, price: units }),
    // The builder refuses such a bid unless the request allows its price.
    usualWarnings: ['bid_price_unenforced'],
    request: () => requestText(context, { wallet: 'bid', ...request, ...builtTerms }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        const earlier = plainCoins(context, view, isShared)
        const from = earlier[0]?.publicKey ?? richestKey(context, view, isFree)
        const offered = coinsFor(context, view, isFree, { from, needed: price + markerSats })
        const paid = price + markerSats + (request.fee ?? defaultFee) + changeMargin
        const { coins, spend } = withEarlier(earlier.filter(isOf(from)), offered, paid)
        await context.known.fetch([tokenid])
        return buildTokenBid({
          ...(spend && { spend }),
          ...feesOf(request),
          ...offer,
          ...allowed,
          ...termsWith(context, view, coins, [], tokenid),
          from,
        })
      }),
    caseOf: (hex, state, options) =>
      orderCase(context, hex, state, options, (from) => ({
        operation: 'tokenbid',
        intent: {
          kind: 'bid',
          ...offer,
          ...allowed,
          ...endIn(context, hex, builtTerms),
          ...feesOf(request),
          network: context.network,
          from,
        },
      })),
  }
}

export function fillPlan(context: PlanContext, request: FillRequest): Plan {
  requireRequest(request, fillForms)
  const { amount: units, price } = request
  const total = units * price
  const txid = readTxid(request.order, 'order')
  return {
    key: JSON.stringify(['fill', txid, `${units}`, `${price}`]),
    mayBe: (transaction) => takesOrder(transaction, txid),
    request: () => requestText(context, { wallet: 'fill', ...request }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync(limits)
        const order = await openOrderAt(context, txid, limits)
        const { tokenid } = order
        const common = { ...feesOf(request), tokenid, order: txid, units }
        if (isBid(order)) {
          const wanted = { tokenid, amount: units }
          const { from, tokenCoins } = await usableUnits(context, view, wanted, isFree)
          const coins = coinsFor(context, view, isFree, { from, needed: markerSats })
          const outpoints = tokenCoins.map(({ txid: id, vout }) => ({ txid: id, vout }))
          const terms = termsWith(context, view, coins, tokenCoins, tokenid, txid)
          const sale = { ...common, ...terms, from, tokenCoins: outpoints, priceMin: total }
          return asRequested(buildTokenFillBid(sale), { priceMin: total })
        }
        const from = richestKey(context, view, isFree)
        await context.prove(tokenid, [{ txid, vout: 0 }], {})
        const coins = coinsFor(context, view, isFree, { from, needed: total + markerSats })
        const terms = termsWith(context, view, coins, [], tokenid, txid)
        const purchase = { ...common, ...terms, from, priceMax: total }
        return asRequested(buildTokenFillAsk(purchase), { priceMax: total })
      }),
    async caseOf(hex, state, options) {
      const order = await orderAt(context, txid, options)
      const { tokenid } = order
      const common = { ...feesOf(request), network: context.network, tokenid, order: txid, units }
      return orderCase(context, hex, state, options, (from) =>
        isBid(order)
          ? {
              operation: 'tokenfillbid',
              intent: { kind: 'fillBid', ...common, from, priceMin: total },
            }
          : {
              operation: 'tokenfillask',
              intent: { kind: 'fillAsk', ...common, from, priceMax: total },
            },
      )
    },
  }
}

/**
 * A built case states the price of the fill, which may be better than the requested one. `submit`
 * reads the request from the case, so the case has to state the requested bound.
 */
function asRequested(
  built: UnsignedOrder<'fillAsk' | 'fillBid'>,
  bound: { readonly priceMax: bigint } | { readonly priceMin: bigint },
): UnsignedTransaction {
  const { price, ...intent } = built.intent as { readonly price?: bigint }
  if (price === Object.values(bound)[0]) return built
  return { ...built, intent: { ...intent, ...bound } } as UnsignedTransaction
}

export function cancelPlan(context: PlanContext, request: CancelRequest): Plan {
  requireRequest(request, cancelForms)
  const txid = readTxid(request.order, 'order')
  return {
    key: JSON.stringify(['cancel', txid]),
    mayBe: (transaction) => takesOrder(transaction, txid),
    request: () => requestText(context, { wallet: 'cancel', ...request }),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree) => {
        const view = await context.sync(limits)
        const order = await openOrderAt(context, txid, limits)
        const { tokenid, origin: from } = order
        if (!context.publicKeys.includes(from)) {
          throw new AntaraError('order_not_own', { path: 'order', actual: from })
        }
        if (!isBid(order)) await context.prove(tokenid, [{ txid, vout: 0 }], {})
        const coins = coinsFor(context, view, isFree, { from, needed: 0n })
        const terms = termsWith(context, view, coins, [], tokenid, txid)
        const built = { ...feesOf(request), ...terms, tokenid, order: txid, from }
        return isBid(order) ? buildTokenCancelBid(built) : buildTokenCancelAsk(built)
      }),
    async caseOf(hex, state, options) {
      const order = await orderAt(context, txid, options)
      const { tokenid, origin: from } = order
      const common = { ...feesOf(request), network: context.network, tokenid, order: txid, from }
      return orderCase(context, hex, state, options, () =>
        isBid(order)
          ? { operation: 'tokencancelbid', intent: { kind: 'cancelBid', ...common } }
          : { operation: 'tokencancelask', intent: { kind: 'cancelAsk', ...common } },
      )
    },
  }
}

/**
 * Returns the end of an offer if it is the one that was recorded. Another transaction of the payment
 * must have the end that tokeld gives.
 */
function endIn(
  { network }: PlanContext,
  hex: string,
  { expiryHeight }: BuiltTerms,
): { readonly expiryHeight?: number } {
  if (expiryHeight === undefined) return {}
  const made = ordersOf(network).openOrder(decodeTransaction(hex))
  return made?.expiryHeight === expiryHeight ? { expiryHeight } : {}
}

function readOffer({ tokenid, amount, price }: OfferRequest): {
  readonly tokenid: string
  readonly units: bigint
  readonly price: bigint
} {
  return { tokenid: readTxid(tokenid, 'tokenid'), units: amount, price: amount * price }
}

/** Returns a function that recognises transactions that may make this offer. */
function isOffer(
  { network }: PlanContext,
  { action, tokenid, amount, price }: Pick<OpenOrder, 'action' | 'tokenid' | 'amount' | 'price'>,
): NonNullable<Plan['mayBe']> {
  return (transaction) => {
    const made = ordersOf(network).openOrder(transaction)
    return (
      made?.action === action &&
      made.tokenid === tokenid &&
      made.amount === amount &&
      made.price === price
    )
  }
}

function coinsFor(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
  { from, needed }: { readonly from: string; readonly needed: bigint },
): WalletCoin[] {
  return spendableCoins(context, view, isFree, { publicKey: from, needed: needed + defaultFee })
}

/** The key whose plain coins are worth most: an order is paid by one key. */
function richestKey(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
): string {
  const worth = new Map(context.publicKeys.map((key) => [key, 0n]))
  for (const { publicKey, value } of spendableCoins(context, view, isFree, { needed: 'max' })) {
    worth.set(publicKey, worth.get(publicKey)! + value)
  }
  const [[richest]] = [...worth].toSorted(([, one], [, other]) => (one < other ? 1 : -1)) as [
    [string, bigint],
  ]
  return richest
}

/** Returns what order builders need, with the ancestors of the units and of the order. */
function termsWith(
  context: PlanContext,
  view: View,
  coins: readonly WalletCoin[],
  tokenCoins: readonly WalletCoin[],
  tokenid: string,
  order?: string,
) {
  const {
    previousTransactions,
    network,
    coins: outpoints,
    tipHeight,
  } = spending(context, view, coins, 'tokens')
  const roots = [...tokenCoins, ...(order === undefined ? [] : [{ txid: order }])]
  const all = new Set([...previousTransactions, ...ancestorsOf(context, roots, [tokenid])])
  return { network, tipHeight, coins: outpoints, previousTransactions: [...all] }
}

/** @param requested - the request of a key of the wallet that made the transaction */
async function orderCase(
  context: PlanContext,
  hex: string,
  state: 'new' | 'on-chain',
  options: CaseOptions,
  requested: (from: string) => Omit<Case, 'hex' | 'evidence'>,
): Promise<Case> {
  const { known, network } = context
  const evidence = await evidenceOf(context, hex, state, options)
  const makers = ownScriptsOf(keysOf(context, options), network)
  const { inputs } = decodeTransaction(hex)
  const owners = inputs.flatMap((input) => {
    const output = known.get(input.txid)?.outputs[input.vout]
    return (output && makers.ownerOf(output.script)) ?? []
  })
  const owner = owners.find(({ holds }) => holds === 'units') ?? owners[0]
  const from = owner?.publicKey ?? context.publicKeys[0]!
  const given = requested(from)
  const intent = { ...given.intent, ...furtherKeys(context, options, from) }
  const { tokenid } = given.intent as { readonly tokenid: string }
  const spent = inputs.map(({ txid, vout }) => ({ txid, vout }))
  await context.prove(tokenid, spent, options)
  const ancestors = ancestorsOf(context, spent, [tokenid])
  const previousTransactions = [...new Set([...evidence.previousTransactions, ...ancestors])]
  return { ...given, intent, hex, evidence: { ...evidence, previousTransactions } } as Case
}
