// The operations of orders: their rules, and their verifier.

import { assetsEvalCode, assetsV2EvalCode, moduleOfEvalCode } from '../../chain/modules.ts'
import { formatCoins } from '../../primitives/amount.ts'
import { argumentError, requireObject } from '../../primitives/arguments.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { snapshot } from '../../primitives/snapshot.ts'
import type { SliceOptions } from '../../primitives/steps.ts'
import type { Evidence } from '../../request/evidence.ts'
import type { TokenOrderIntent } from '../../request/order.ts'
import { orderForms } from '../../request/order.ts'
import type { Report } from '../../request/report.ts'
import type { RequestedPrice } from '../../token/rules/order-price.ts'
import { checkInclusion } from '../inclusion.ts'
import type { Operation, RequestLine, ValidatedRequest } from '../operation.ts'
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

/** Returns the operation for the intent's kind. */
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

type IntentOf<Kind extends TokenOrderIntent['kind']> = Extract<
  TokenOrderIntent,
  { readonly kind: Kind }
>

const marker: Roles = { 'order-marker': { text: 'marker of the order', holds: 'coins' } }
const royalty = { text: 'royalty to its creator', holds: 'coins' } as const
const { 'native-change': change, nulldata } = commonRoles
const ends: Roles = { 'native-change': change, nulldata }

/** Published with the module; it signs every input that spends an order. */
const moduleKeys: readonly string[] = [assetsEvalCode, assetsV2EvalCode].map(
  (code) => moduleOfEvalCode(code)!.key!.privateKey,
)

export const tokenAsk: Operation<IntentOf<'ask'>, ReadyOrder> = {
  name: 'tokenask',
  about: 'offers units of a token for coins',
  members: orderForms.ask,
  roles: {
    'order-tokens': { text: 'units offered', holds: 'units' },
    ...marker,
    'token-change': commonRoles['token-change'],
    ...ends,
  },
  lines,
  validate: validateAs('ask'),
}

export const tokenBid: Operation<IntentOf<'bid'>, ReadyOrder> = {
  name: 'tokenbid',
  about: 'offers coins for units of a token',
  members: orderForms.bid,
  roles: { 'order-coins': { text: 'coins offered', holds: 'coins' }, ...marker, ...ends },
  lines,
  validate: validateAs('bid'),
}

export const tokenFillAsk: Operation<IntentOf<'fillAsk'>, ReadyOrder> = {
  name: 'tokenfillask',
  about: 'buys units of a token from an ask',
  members: orderForms.fillAsk,
  roles: {
    'order-tokens': { text: 'units left of the ask', holds: 'units' },
    destination: { text: 'units bought', holds: 'units' },
    payment: { text: 'coins to the seller', holds: 'coins' },
    royalty,
    ...marker,
    ...ends,
  },
  moduleKeys,
  lines,
  validate: validateAs('fillAsk'),
}

export const tokenFillBid: Operation<IntentOf<'fillBid'>, ReadyOrder> = {
  name: 'tokenfillbid',
  about: 'sells units of a token to a bid',
  members: orderForms.fillBid,
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
  lines,
  validate: validateAs('fillBid'),
}

export const tokenCancelAsk: Operation<IntentOf<'cancelAsk'>, ReadyOrder> = {
  name: 'tokencancelask',
  about: 'cancels your own ask',
  members: orderForms.cancelAsk,
  roles: {
    destination: { text: 'units back from the ask', holds: 'units' },
    payment: { text: 'coins of the marker', holds: 'coins' },
    ...ends,
  },
  moduleKeys,
  lines,
  validate: validateAs('cancelAsk'),
}

export const tokenCancelBid: Operation<IntentOf<'cancelBid'>, ReadyOrder> = {
  name: 'tokencancelbid',
  about: 'cancels your own bid',
  members: orderForms.cancelBid,
  roles: { payment: { text: 'coins back from the bid', holds: 'coins' }, ...ends },
  moduleKeys,
  lines,
  validate: validateAs('cancelBid'),
}

/** An operation takes intents of its own kind only, because a person reads its name. */
function validateAs(
  kind: TokenOrderIntent['kind'],
): (given: TokenOrderIntent) => ValidatedRequest<ReadyOrder> {
  return (given) => {
    requireObject(given, 'intent')
    orderForms[kind].kind.requireType(given.kind, 'intent.kind')
    const { intent, findings } = checkOrderIntent(given)
    return {
      intent,
      findings,
      tokenid: intent.tokenid,
      rules: (context) => orderRules(intent, context),
    }
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

/** Returns the price paid, or its bounds. */
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
