// The operations of orders: their rules, and their verifier.

import { assetsEvalCode, assetsV2EvalCode, moduleOfEvalCode } from '../../chain/modules.ts'
import { formatCoins } from '../../primitives/amount.ts'
import { argumentError, requireObject } from '../../primitives/arguments.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { snapshot } from '../../primitives/snapshot.ts'
import type { SliceOptions } from '../../primitives/steps.ts'
import type { Evidence } from '../../request/evidence.ts'
import {
  type OrderIntents,
  orderForms,
  orderOperations,
  type TokenOrderIntent,
} from '../../request/order.ts'
import type { Report } from '../../request/report.ts'
import type { RequestedPrice } from '../../token/rules/order-price.ts'
import { checkInclusion } from '../inclusion.ts'
import type { Operation, RequestLine } from '../operation.ts'
import { checkOrderIntent, type ReadyOrder } from '../order-intent.ts'
import { orderRules } from '../order-rules.ts'
import { commonRoles, type Roles } from '../roles.ts'
import { creationLines } from '../token-lines.ts'
import { verifyOperation, verifyOperationAsync } from '../verify-operation.ts'

/**
 * Verifies that a transaction takes exactly the requested step of an order, and does nothing else:
 * it makes an offer, fills another party's, or cancels your own.
 *
 * The terms of a spent order are read from its own transaction, which is hashed. A finding
 * `fill_price` states the price of each unit, and the rest of the order. An order that can never be
 * filled or cancelled is rejected, whatever the chain would accept.
 *
 * @param hex - the daemon's answer
 * @param intent - the request; `kind` names the step, a price is in satoshis for all units
 * @param evidence - the transactions that are spent from, and more
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for arguments of the wrong type
 * @see komodo src/cc/assets.cpp, AssetsValidate
 * @example
 * const intent = { kind: 'fillAsk', tokenid, order: ask, units: 30n, price: 300_000n, from }
 * verifyTokenOrder(hex, intent, { previousTransactions, tokenCreate, tipHeight }).ok
 */
export function verifyTokenOrder(
  hex: string,
  intent: TokenOrderIntent,
  evidence: Evidence,
): Report {
  const asked = snapshot(intent, 'intent')
  return verifyOperation(operationOf(asked), hex, asked, evidence, checkInclusion)
}

/**
 * Runs `verifyTokenOrder` in slices, between which other work has its turn. The signatures of a
 * large transaction are checked on the threads of Node's pool.
 *
 * @param hex - the transaction
 * @param intent - as `verifyTokenOrder`
 * @param evidence - as `verifyTokenOrder`
 * @param options - a signal that stops the verification
 * @returns as `verifyTokenOrder`
 * @throws {TypeError} by rejection, for arguments of the wrong type
 * @example
 * const intent = { kind: 'fillAsk', tokenid, order: ask, units: 30n, price: 300_000n, from }
 * const report = await verifyTokenOrderAsync(hex, intent, evidence)
 */
export async function verifyTokenOrderAsync(
  hex: string,
  intent: TokenOrderIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  const asked = snapshot(intent, 'intent')
  return verifyOperationAsync(operationOf(asked), hex, asked, evidence, options, checkInclusion)
}

export function operationOf(intent: TokenOrderIntent): Operation<TokenOrderIntent, ReadyOrder> {
  requireObject(intent, 'intent')
  const { kind } = intent
  const operations = {
    ask: tokenAsk,
    bid: tokenBid,
    fillAsk: tokenFillAsk,
    fillBid: tokenFillBid,
    cancelAsk: tokenCancelAsk,
    cancelBid: tokenCancelBid,
  }
  if (!Object.hasOwn(operations, kind)) {
    throw argumentError('intent.kind', Object.keys(operations).join(', '), kind)
  }
  return operations[kind] as unknown as Operation<TokenOrderIntent, ReadyOrder>
}

const marker: Roles = { 'order-marker': { text: 'marker of the order', holds: 'coins' } }
const royalty = { text: 'royalty to its creator', holds: 'coins' } as const
const { 'native-change': change, nulldata } = commonRoles
const ends: Roles = { 'native-change': change, nulldata }

/** Published with the module; it signs every input that spends an order. */
const moduleKeys: readonly string[] = [assetsEvalCode, assetsV2EvalCode].map(
  (code) => moduleOfEvalCode(code)!.key!.privateKey,
)

export const tokenAsk: OrderOperation<'ask'> = step('ask', {
  about: 'offers units of a token for coins',
  roles: {
    'order-tokens': { text: 'units offered', holds: 'units' },
    ...marker,
    'token-change': commonRoles['token-change'],
    ...ends,
  },
})

export const tokenBid: OrderOperation<'bid'> = step('bid', {
  about: 'offers coins for units of a token',
  roles: { 'order-coins': { text: 'coins offered', holds: 'coins' }, ...marker, ...ends },
})

export const tokenFillAsk: OrderOperation<'fillAsk'> = step('fillAsk', {
  about: 'buys units of a token from an ask',
  roles: {
    'order-tokens': { text: 'units left of the ask', holds: 'units' },
    destination: { text: 'units bought', holds: 'units' },
    payment: { text: 'coins to the seller', holds: 'coins' },
    royalty,
    ...marker,
    ...ends,
  },
  moduleKeys,
})

export const tokenFillBid: OrderOperation<'fillBid'> = step('fillBid', {
  about: 'sells units of a token to a bid',
  roles: {
    'order-coins': { text: 'coins left of the bid', holds: 'coins' },
    payment: { text: 'coins for the units', holds: 'coins' },
    royalty,
    destination: { text: 'units to the bidder', holds: 'units' },
    ...marker,
    'token-change': commonRoles['token-change'],
    ...ends,
  },
  moduleKeys,
})

export const tokenCancelAsk: OrderOperation<'cancelAsk'> = step('cancelAsk', {
  about: 'cancels your own ask',
  roles: {
    destination: { text: 'units back from the ask', holds: 'units' },
    payment: { text: 'coins of the marker', holds: 'coins' },
    ...ends,
  },
  moduleKeys,
})

export const tokenCancelBid: OrderOperation<'cancelBid'> = step('cancelBid', {
  about: 'cancels your own bid',
  roles: { payment: { text: 'coins back from the bid', holds: 'coins' }, ...ends },
  moduleKeys,
})

type OrderOperation<Kind extends keyof OrderIntents> = Operation<OrderIntents[Kind], ReadyOrder>

function step<Kind extends keyof OrderIntents>(
  kind: Kind,
  own: Pick<OrderOperation<Kind>, 'about' | 'roles' | 'moduleKeys'>,
): OrderOperation<Kind> {
  return {
    name: orderOperations[kind],
    members: orderForms[kind],
    ...own,
    lines,
    // An operation takes intents of its own kind only, because a person reads its name.
    validate(given) {
      requireObject(given, 'intent')
      orderForms[kind as keyof OrderIntents].kind.requireType(given.kind, 'intent.kind')
      return checkOrderIntent(given)
    },
    // The command line loads this rule when it is needed: scripts/rarely.mjs.
    rules: (intent, context) => orderRules(intent, context),
  }
}

const words: { readonly [Kind in TokenOrderIntent['kind']]: string } = {
  ask: 'offer',
  bid: 'want',
  fillAsk: 'buy',
  fillBid: 'sell',
  cancelAsk: 'cancel',
  cancelBid: 'cancel',
}

function lines(intent: TokenOrderIntent, evidence: Evidence): RequestLine[] {
  const { kind, tokenid, from } = intent
  const order = 'order' in intent ? intent.order : ''
  const what = 'units' in intent ? `${intent.units} units` : `order ${order}`
  const rest: RequestLine[] = [
    ...('units' in intent && order !== '' ? [['order', order] as const] : []),
    ...priceLines(intent),
    ...('expiryHeight' in intent && intent.expiryHeight !== undefined
      ? [['until', `height ${intent.expiryHeight}`] as const]
      : []),
    ['by', redactKey(from)],
  ]
  return [
    [words[kind], `${what} of token ${tokenid}`],
    ...creationLines(tokenid.toLowerCase(), evidence),
    ...rest,
  ]
}

function priceLines(intent: TokenOrderIntent): RequestLine[] {
  const { price, priceMax, priceMin } = intent as RequestedPrice
  const units = 'units' in intent ? intent.units : 0n
  if (price !== undefined) return [['for', priceText(price, units)]]
  if (priceMax !== undefined) return [['for', `at most ${priceText(priceMax, units)}`]]
  if (priceMin !== undefined) return [['for', `at least ${priceText(priceMin, units)}`]]
  return []
}

/** The price of all units, and that of each where it is a whole number of satoshis. */
function priceText(price: bigint, units: bigint): string {
  const all = `${formatCoins(price)} coins in all`
  if (units <= 1n || price % units !== 0n) return all
  return `${all}, ${formatCoins(price / units)} for each unit`
}
