// Orders that are built as a komodod built them, but for what is changed.

import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenFillAsk,
  buildTokenFillBid,
  decodeTransaction,
  encodeTransaction,
  signTransaction,
  type TokenFillIntent,
  type TokenOrderIntent,
  transactionId,
} from '../../src/index.ts'
import { readVectors } from './komodod.ts'
import { chainHexes, circumstancesOf, intentOf, type MadeOrder, madeOrders } from './orders.ts'

/** The builder of each step of an order. */
export const orderBuilders = {
  ask: buildTokenAsk,
  bid: buildTokenBid,
  fillAsk: buildTokenFillAsk,
  fillBid: buildTokenFillBid,
  cancelAsk: buildTokenCancelAsk,
  cancelBid: buildTokenCancelBid,
} satisfies Record<TokenOrderIntent['kind'], (request: never) => unknown>

/** Returns the request for the builder of that step. It has no kind, and only some spend tokens. */
function requestOf(made: MadeOrder, overrides = {}) {
  const { kind, ...wanted } = intentOf(made)
  const { tokenCoins, ...rest } = { ...wanted, ...circumstancesOf(made), ...overrides }
  const spendsTokens = kind === 'ask' || kind === 'fillBid'
  return { ...rest, ...(spendsTokens && { tokenCoins }) }
}

export function build(made: MadeOrder, overrides = {}) {
  const builder = orderBuilders[made.kind] as unknown as typeof buildTokenAsk
  return builder(requestOf(made, overrides) as never)
}

export const made = (kind: TokenOrderIntent['kind']) => madeOrders.find((it) => it.kind === kind)!

/** The recorded ask for another price, which no builder here may make, signed by its maker. */
export function askFor(price: bigint): string {
  const { A } = readVectors<{ A: { privkey: string } }>('komodod/keys.json')
  const { hex, coins } = build(made('ask'))
  return signTransaction(repriced(hex, price), [A.privkey], coins).hex
}

/** An ask whose payload states another price. */
export function repriced(hex: string, price: bigint): string {
  const { outputs, ...rest } = decodeTransaction(hex)
  const nulldata = outputs.at(-1)!
  const stated = Buffer.from(BigInt64Array.of(price).buffer).toString('hex')
  const script = nulldata.script.replace(/(2ce373).{16}(21)/, `$1${stated}$2`)
  return encodeTransaction({ ...rest, outputs: [...outputs.slice(0, -1), { ...nulldata, script }] })
}

/** Buys from an ask that was built here. */
export function fillOf(ask: string, overrides = {}) {
  const { kind: _, tokenid, units, from } = intentOf(made('fillAsk')) as TokenFillIntent<'fillAsk'>
  const { previousTransactions, tokenCoins: __, ...rest } = circumstancesOf(made('fillAsk'))
  return buildTokenFillAsk({
    tokenid,
    units,
    from,
    priceMax: 10_000_000n,
    ...rest,
    order: transactionId(ask),
    previousTransactions: [...previousTransactions, ask],
    ...overrides,
  })
}

export function cancelBid(overrides = {}) {
  const { from, params } = made('bid')
  const { coins } = circumstancesOf(made('fillAsk'))
  return buildTokenCancelBid({
    tokenid: params[1]!,
    order: transactionId(made('bid').hex),
    from,
    coins,
    previousTransactions: chainHexes,
    tipHeight: 102,
    ...overrides,
  })
}
