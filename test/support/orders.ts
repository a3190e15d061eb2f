// The orders that a real komodod made: recording 29, with what was asked of it.

import { decodeTransaction, transactionId } from '../../src/index.ts'
import type { TokenOrderIntent } from '../../src/request/order.ts'
import { keys, readVectors } from './komodod.ts'
import { chain } from './vectors.ts'

// Published in komodo src/cc/CCcustom.cpp: anyone can sign with it.
const assetsPrivateKey = '9b1766e58266acb6ba438374f763113bf0f3506fd96b6785f97af0544db13077'
export const assetsKey = '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702'
const owners = readVectors<Record<'A' | 'B', { privkey: string }>>('komodod/keys.json')
/** The private keys of both owners and of the module. */
export const orderKeys: readonly string[] = [owners.A.privkey, owners.B.privkey, assetsPrivateKey]

interface Exchange {
  at: string
  request: string
  response: string
}

export interface MadeOrder {
  readonly kind: TokenOrderIntent['kind']
  readonly method: string
  readonly params: readonly string[]
  readonly hex: string
  /** The key of the daemon that made it. */
  readonly from: string
}

const kinds: Readonly<Record<string, TokenOrderIntent['kind']>> = {
  tokenask: 'ask',
  tokenbid: 'bid',
  tokenfillask: 'fillAsk',
  tokenfillbid: 'fillBid',
  tokencancelask: 'cancelAsk',
  tokencancelbid: 'cancelBid',
}

/** The makers of orders: A made asks and filled the bid, B the rest. No recording names them. */
const makers: Readonly<Partial<Record<TokenOrderIntent['kind'], string>>> = {
  ask: keys.A.pubkey,
  cancelAsk: keys.A.pubkey,
  fillBid: keys.A.pubkey,
  fillAsk: keys.B.pubkey,
  bid: keys.B.pubkey,
}

const { exchanges } = readVectors<{ exchanges: Exchange[] }>('rpc/komodod.json')

export const madeOrders: readonly MadeOrder[] = exchanges
  .filter(({ at }) => at.startsWith('29-'))
  .flatMap(({ request, response }) => {
    const { method, params } = JSON.parse(request) as { method: string; params: string[] }
    const kind = kinds[method]
    const { result } = JSON.parse(response) as { result: { hex?: string } }
    if (kind === undefined || result?.hex === undefined) return []
    return [{ kind, method, params, hex: result.hex, from: makers[kind]! }]
  })

export const chainHexes: readonly string[] = chain.map(({ hex }) => hex)

/** Satoshis of a decimal amount of coins, exactly. */
export function satoshis(coins: string): bigint {
  const [whole = '', fraction = ''] = coins.split('.')
  return BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
}

/** Returns the intent of a recorded order, in a verifier's terms. */
export function intentOf({ kind, params, from, hex }: MadeOrder): TokenOrderIntent {
  const [first = '', second = '', third = ''] = params
  switch (kind) {
    case 'ask':
    case 'bid': {
      const units = BigInt(first)
      const offer = { tokenid: second, units, price: units * satoshis(third), from }
      if (kind === 'ask') return { kind, ...offer }
      // the recorded bid is for ten units, whose price komodod does not enforce
      return { kind, ...offer, allowUnenforcedPrice: true }
    }
    case 'fillAsk':
    case 'fillBid': {
      const fill = { tokenid: first, order: second, units: BigInt(third), price: paidIn(hex, kind) }
      return { kind, ...fill, from } as TokenOrderIntent
    }
    default:
      return { kind, tokenid: first, order: second, from }
  }
}

/**
 * Returns the payment of the recorded fill, komodo src/cc/CCassetstx.cpp: in output 2 to the seller
 * of an ask, in output 1 to the seller who fills a bid.
 */
export function paidIn(hex: string, kind: 'fillAsk' | 'fillBid'): bigint {
  return decodeTransaction(hex).outputs[kind === 'fillAsk' ? 2 : 1]!.value
}

/** Coins, order and height that the daemon used. */
export function circumstancesOf({ hex, kind }: MadeOrder) {
  const { inputs, expiryHeight } = decodeTransaction(hex)
  const outpoints = inputs.map(({ txid, vout }) => ({ txid, vout }))
  const isCondition = inputs.map(({ scriptSig }) => scriptSig.startsWith('4c'))
  const conditions = outpoints.filter((_, at) => isCondition[at])
  const ofOrder = { ask: 0, bid: 0, fillAsk: 1, fillBid: 1, cancelAsk: 2, cancelBid: 2 }[kind]
  const known = new Set([transactionId(hex)])
  return {
    coins: outpoints.filter((_, at) => !isCondition[at]),
    tokenCoins: conditions.slice(ofOrder),
    previousTransactions: chainHexes.filter((it) => !known.has(transactionId(it))),
    tipHeight: expiryHeight - 201,
  }
}

/** Returns true if a finding concerns orders alone. */
export function isOrderCode(code: string): boolean {
  return /^(?:order_|intent_order$|intent_price$|payment|bid_|fill_)/.test(code)
}
