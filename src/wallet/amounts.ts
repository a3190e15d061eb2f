import { sumOf } from '../builders/coins.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import type { TokenProofs, TokenVerdict } from './proofs.ts'
import type { View, WalletCoin } from './view.ts'

/** Satoshis of plain coins. */
export interface WalletBalance {
  /** In blocks, and free to be spent. */
  readonly confirmed: bigint
  /** In transactions that wait for a block. */
  readonly pending: bigint
  /** Made by blocks that are not deep enough yet. */
  readonly immature: bigint
  readonly total: bigint
}

/** A token of which the wallet holds something, or is said to hold something. */
export interface WalletToken {
  readonly tokenid: string
  /** As the creation has them: anyone may give a token any name. Absent if the creation is unknown. */
  readonly name?: string
  readonly description?: string
  /** Units in blocks that are not disproven. */
  readonly balance: bigint
  /** Units in transactions that wait for a block. */
  readonly pending: bigint
  /** Units that break the token's rules. They are not tokens, and are never spent. */
  readonly disproven: bigint
  /** `proven` if everything in `balance` and `pending` is; `disproven` if nothing else is left. */
  readonly proof: TokenVerdict
}

const isPlain = ({ tokenid }: WalletCoin) => tokenid === undefined

/** Tells whether a coin can be in the next block. */
export function isMature(coin: WalletCoin, view: View, coinbaseMaturity: number): boolean {
  return (
    !coin.isCoinbase || (coin.height > 0 && view.tip.height + 1 >= coin.height + coinbaseMaturity)
  )
}

export function balanceOf(view: View, coinbaseMaturity: number): WalletBalance {
  const plain = [...view.coins.values()].filter(isPlain)
  const mature = plain.filter((coin) => isMature(coin, view, coinbaseMaturity))
  const total = sumOf(plain)
  const confirmed = sumOf(mature.filter(({ height }) => height > 0))
  const pending = sumOf(mature.filter(({ height }) => height === 0))
  return { confirmed, pending, immature: total - confirmed - pending, total }
}

/** Coins by the token that they claim to hold. */
export function coinsByToken(view: View): ReadonlyMap<string, readonly WalletCoin[]> {
  const byToken = new Map<string, WalletCoin[]>()
  for (const coin of view.coins.values()) {
    if (coin.tokenid === undefined) continue
    const coins = byToken.get(coin.tokenid)
    if (coins === undefined) byToken.set(coin.tokenid, [coin])
    else coins.push(coin)
  }
  return byToken
}

export function tokenOfCoins(
  tokenid: string,
  coins: readonly WalletCoin[],
  proofs: TokenProofs,
): WalletToken {
  const of = (...verdicts: readonly TokenVerdict[]) =>
    coins.filter((coin) => verdicts.includes(proofs.verdictOf(coin)))
  const real = of('proven', 'open')
  const rest: TokenVerdict = of('open').length > 0 ? 'open' : 'proven'
  return {
    tokenid,
    ...namesOf(proofs.created),
    balance: sumOf(real.filter(({ height }) => height > 0)),
    pending: sumOf(real.filter(({ height }) => height === 0)),
    disproven: sumOf(of('disproven')),
    proof: real.length === 0 ? 'disproven' : rest,
  }
}

function namesOf(created: CreatePayload | undefined): { name?: string; description?: string } {
  return created === undefined ? {} : { name: created.name, description: created.description }
}
