// Balances and holdings of a wallet, from its view of the chain.

import { sumOf } from '../builders/coins.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { WalletOrder } from './order.ts'
import type { TokenProofs, TokenVerdict } from './proofs.ts'
import { isMature, type View, type WalletCoin } from './view.ts'

/** Satoshis of plain coins. */
export interface WalletBalance {
  /** In blocks, and free to be spent. */
  readonly confirmed: bigint
  /** In transactions that wait for a block. */
  readonly pending: bigint
  /** Made by blocks that are not deep enough yet. */
  readonly immature: bigint
  readonly total: bigint
  /** In open bids of the wallet, and not counted above: `cancel` brings it back. */
  readonly locked: bigint
}

/** A token of which the wallet holds units, or may hold units. */
export interface WalletToken {
  readonly tokenid: string
  /**
   * As the creation has them: anyone may give a token any name. Absent if the creation is unknown.
   */
  readonly name?: string
  readonly description?: string
  /** Units in blocks that are not disproven. */
  readonly balance: bigint
  /** Units in transactions that wait for a block. */
  readonly pending: bigint
  /**
   * Units in open asks of the wallet, which `balance` and `pending` do not include: `cancel`
   * returns them.
   */
  readonly locked: bigint
  /** Units that break the token's rules. They are not tokens, and are never spent. */
  readonly disproven: bigint
  /** `proven` if all counted units are proven; `disproven` if every unit is. */
  readonly proof: TokenVerdict
}

const isPlain = ({ tokenid }: WalletCoin) => tokenid === undefined

export function balanceOf(
  view: View,
  coinbaseMaturity: number,
  orders: readonly WalletOrder[],
): WalletBalance {
  const plain = [...view.coins.values()].filter(isPlain)
  const mature = plain.filter((coin) => isMature(coin, view, coinbaseMaturity))
  const total = sumOf(plain)
  const confirmed = sumOf(mature.filter(({ height }) => height > 0))
  const pending = sumOf(mature.filter(({ height }) => height === 0))
  const locked = orders.reduce((sum, it) => (it.kind === 'bid' ? sum + it.locked : sum), 0n)
  return { confirmed, pending, immature: total - confirmed - pending, total, locked }
}

/** Coins by the token that they claim to hold. */
function coinsByToken(all: View['coins']): ReadonlyMap<string, readonly WalletCoin[]> {
  const byToken = new Map<string, WalletCoin[]>()
  for (const coin of all.values()) {
    if (coin.tokenid === undefined) continue
    const coins = byToken.get(coin.tokenid)
    if (coins === undefined) byToken.set(coin.tokenid, [coin])
    else coins.push(coin)
  }
  return byToken
}

/** The wallet's coins and open asks of one token. */
interface Holding {
  readonly coins: readonly WalletCoin[]
  readonly asks: readonly WalletOrder[]
}

export function holdingsOf(
  coins: View['coins'],
  orders: readonly WalletOrder[],
): Map<string, Holding> {
  const held = coinsByToken(coins)
  const offered = orders.filter(({ kind }) => kind === 'ask')
  const tokenids = new Set([...held.keys(), ...offered.map(({ tokenid }) => tokenid)])
  return new Map(
    [...tokenids].map((tokenid) => {
      const asks = offered.filter((ask) => ask.tokenid === tokenid)
      return [tokenid, { coins: held.get(tokenid) ?? [], asks }]
    }),
  )
}

/** The outputs of a holding, of which the units are proven. */
export function outpointsOf({ coins, asks }: Holding): readonly Outpoint[] {
  return [...coins, ...asks.map(askedOutput)]
}

/** Returns false for an ask of units that break the rules of their token: nobody can buy them. */
export function isRealOrder(order: WalletOrder, proofs: ReadonlyMap<string, TokenProofs>): boolean {
  if (order.kind === 'bid') return true
  return proofs.get(order.tokenid)!.verdictOf(askedOutput(order)) !== 'disproven'
}

/** Output 0 of an order holds what it offers. */
const askedOutput = ({ order }: WalletOrder): Outpoint => ({ txid: order, vout: 0 })

export function tokenOfHolding(
  tokenid: string,
  { coins, asks }: Holding,
  proofs: TokenProofs,
): WalletToken {
  const isReal = (verdict: TokenVerdict) => verdict !== 'disproven'
  const real = coins.filter((coin) => isReal(proofs.verdictOf(coin)))
  const offered = asks.filter((ask) => isReal(proofs.verdictOf(askedOutput(ask))))
  const verdicts = outpointsOf({ coins: real, asks: offered }).map(proofs.verdictOf)
  const rest: TokenVerdict = verdicts.includes('open') ? 'open' : 'proven'
  return {
    tokenid,
    ...namesOf(proofs.created),
    balance: sumOf(real.filter(({ height }) => height > 0)),
    pending: sumOf(real.filter(({ height }) => height === 0)),
    locked: offered.reduce((sum, { locked }) => sum + locked, 0n),
    disproven: sumOf(coins) - sumOf(real),
    proof: verdicts.length === 0 ? 'disproven' : rest,
  }
}

function namesOf(created: CreatePayload | undefined): { name?: string; description?: string } {
  return created === undefined ? {} : { name: created.name, description: created.description }
}
