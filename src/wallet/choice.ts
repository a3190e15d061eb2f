// Which coins a transaction may spend.

import { sumOf } from '../builders/coins.ts'
import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { defaultFee } from '../chain/limits.ts'
import { rewardsOf } from '../chain/network.ts'
import { mayAccrue } from '../chain/reward.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import type { Outpoint } from '../transaction/types.ts'
import { NeedsMerge, planMerges, tokenInputsMax } from './merge.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { Taken } from './plan.ts'
import type { TokenProofs } from './proofs.ts'
import type { TransactionHistory, TransactionScripts } from './transaction-history.ts'
import { isMature, type View, type ViewContext, type WalletCoin } from './view.ts'

/** The parts of the wallet that a plan reads. */
export interface PlanContext extends ViewContext {
  /** Grows where keys are found. The first one never changes. */
  readonly publicKeys: readonly string[]
  /** Returns the key that gets the change of payments. */
  changeKey(): string
  readonly coinbaseMaturity: number
  sync(options: ChainOptions): Promise<View>
  /** Returns the heights of the wallet's transactions, by txid; 0 in no block. */
  heights(options: ChainOptions): Promise<ReadonlyMap<string, number>>
  /** Reads the history in which a transaction has to be. */
  historyOf(transaction: TransactionScripts, options: ChainOptions): Promise<TransactionHistory>
  prove(tokenid: string, coins: readonly Outpoint[], options: ChainOptions): Promise<TokenProofs>
  /** Fetches what proves the coins of several tokens, within the limit of one. */
  proveTogether(
    coinsByToken: ReadonlyMap<string, readonly Outpoint[]>,
    options: ChainOptions,
  ): Promise<unknown>
}

/** Coins that one payment chooses from beside those that it needs. */
const offeredMin = 60
/** Satoshis for fees beside what is paid, when coins are offered: too many do no harm. */
export const feeMargin = 1_000_000n
/**
 * Satoshis of change for which further coins are taken, if there are some. Less could be dust: it is
 * added to the fee, which then exceeds its limit.
 */
export const changeMargin = 1000n

/** The key for change, and the keys of the coins. */
export function spendingKeys(changeKey: string, coins: readonly WalletCoin[]): readonly string[] {
  return [...new Set([changeKey, ...coins.map(({ publicKey }) => publicKey)])]
}

export function isOf(publicKey: string): (coin: WalletCoin) => boolean {
  return (coin) => coin.publicKey === publicKey
}

export function byValue(one: WalletCoin, other: WalletCoin): number {
  return one.value < other.value ? -1 : 1
}

export const byValueDown = (one: WalletCoin, other: WalletCoin): number => byValue(other, one)

/**
 * Builds with coins that no other payment uses. After an unsettled attempt at the same payment, the
 * build spends all coins of all attempts again, so that no two of them can be mined.
 *
 * @param build - `isFree` is true for these coins too, `isShared` for them alone
 */
export async function withSharedCoins(
  { reserved, shared }: Taken,
  build: (
    isFree: (coin: WalletCoin) => boolean,
    isShared: (coin: WalletCoin) => boolean,
  ) => Promise<UnsignedTransaction>,
): Promise<UnsignedTransaction> {
  // Another payment may have taken one of these coins after the server refused this payment. The
  // build then spends the others. If an attempt spends none of them, the flow holds the build,
  // because both could be mined.
  const unreserved = [...shared].filter((it) => !reserved.has(it))
  const own = unreserved.length > 0 ? new Set(unreserved) : shared
  const isShared = (coin: WalletCoin) => own.has(keyOfOutpoint(coin))
  const takenBy = new Map<WalletCoin, string>()
  const isFree = (coin: WalletCoin) => {
    if (isShared(coin)) return true
    const other = reserved.get(keyOfOutpoint(coin))
    if (other !== undefined) takenBy.set(coin, other)
    return other === undefined
  }
  try {
    return await build(isFree, isShared)
  } catch (error) {
    throw namingTakenCoins(error, takenBy)
  }
}

/** Returns the first coins, as many as a sum needs. */
export function atLeast(coins: readonly WalletCoin[], needed: bigint): readonly WalletCoin[] {
  let left = needed
  return coins.filter(({ value }) => {
    const isNeeded = left > 0n
    left -= value
    return isNeeded
  })
}

/**
 * Returns the coins of earlier attempts, and the first others that a sum needs beside them. A choice
 * among the coins of several attempts could spend none of the first one.
 */
export function withEarlier(
  earlier: readonly WalletCoin[],
  others: readonly WalletCoin[],
  needed: bigint,
): Choice {
  if (earlier.length === 0) return { coins: others }
  const known = new Set(earlier)
  const further = others.filter((coin) => !known.has(coin))
  return { coins: [...earlier, ...atLeast(further, needed - sumOf(earlier))], spend: 'all' }
}

/** Coins for a builder. It selects among them unless `spend` says otherwise. */
interface Choice {
  readonly coins: readonly WalletCoin[]
  readonly spend?: 'all'
}

const namedMax = 3

/** Names the payments that have taken coins, in an error for a lack of coins. A balance counts these. */
function namingTakenCoins(error: unknown, takenBy: ReadonlyMap<WalletCoin, string>): unknown {
  const isUnits = isAntaraError(error, 'insufficient_tokens')
  if (!isUnits && !isAntaraError(error, 'insufficient_coins')) return error
  const taken = [...takenBy].filter(([{ tokenid }]) => (tokenid !== undefined) === isUnits)
  if (taken.length === 0) return error
  const names = [...new Set(taken.map(([, name]) => name))]
  const more = names.length > namedMax ? ' and others' : ''
  const by = `${names.slice(0, namedMax).join(', ')}${more}`
  const sum = sumOf(taken.map(([coin]) => coin))
  const actual = `${error.context.actual}, beside ${sum} taken by ${by}`
  return new AntaraError(error.code, { ...error.context, actual }, { cause: error })
}

/**
 * Plain coins that can be in the next block, without those of a stranger's pending transaction. An
 * output of no value gives nothing for the fee of its input, so it is left out.
 */
export function plainCoins(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
): WalletCoin[] {
  return [...view.coins.values()].filter(
    (coin) =>
      coin.tokenid === undefined &&
      coin.value > 0n &&
      isFree(coin) &&
      isMature(coin, view, context.coinbaseMaturity) &&
      !isAheadOfTip(context, view, coin) &&
      isSettled(context, coin),
  )
}

/**
 * Returns true for a coin of KMD whose reward cannot be computed yet, because its lock time is above
 * the time of the tip. Anyone can make such a coin, and builders refuse to choose from it.
 */
function isAheadOfTip(
  { known, network }: PlanContext,
  { tip }: View,
  { txid, value }: WalletCoin,
): boolean {
  if (rewardsOf(network) !== 'komodo') return false
  const lockTime = known.get(txid)?.lockTime ?? 0
  return lockTime > tip.time && mayAccrue(value, lockTime)
}

/**
 * The largest coins that suffice for a sum, and some more to choose from. `max` gives all coins, even
 * if they are too many for one transaction: the builder then refuses, and no coin stays behind.
 */
export function spendableCoins(
  context: PlanContext,
  view: View,
  isFree: (coin: WalletCoin) => boolean,
  { publicKey, needed }: { readonly publicKey?: string; readonly needed: bigint | 'max' },
): WalletCoin[] {
  const coins = plainCoins(context, view, isFree)
    .filter((coin) => publicKey === undefined || coin.publicKey === publicKey)
    .toSorted(byValueDown)
  if (needed === 'max') return coins
  let left = needed + feeMargin
  const enough = coins.findIndex(({ value }) => {
    left -= value
    return left <= 0n
  })
  return enough < 0 ? coins : coins.slice(0, enough + offeredMin)
}

/** A pending transaction counts if the wallet alone paid it, from coins that are in blocks. */
function isSettled({ known, own }: PlanContext, { txid, height }: WalletCoin): boolean {
  if (height > 0) return true
  const transaction = known.get(txid)
  if (transaction === undefined) return false
  return transaction.inputs.every((input) => {
    const output = known.get(input.txid)?.outputs[input.vout]
    return output !== undefined && own.ownerOf(output.script) !== undefined
  })
}

function isUsable(coin: WalletCoin, proofs: TokenProofs, context: PlanContext): boolean {
  return proofs.verdictOf(coin) === 'proven' && isSettled(context, coin)
}

/** The units of one key that a transaction spends. */
interface UsableUnits {
  readonly from: string
  readonly tokenCoins: readonly WalletCoin[]
  /** Present if an earlier attempt spends some of them. */
  readonly spend?: 'all'
}

/** @throws {NeedsMerge} where a key holds enough, in more coins than a transaction should spend */
export async function usableUnits(
  context: PlanContext,
  view: View,
  { tokenid, amount }: { readonly tokenid: string; readonly amount: bigint },
  isFree: (coin: WalletCoin) => boolean,
  isShared: (coin: WalletCoin) => boolean = () => false,
): Promise<UsableUnits> {
  const real = await provenUnits(context, view, tokenid, isFree)
  const earlier = real.filter(isShared)
  const from = earlier[0]?.publicKey ?? payingKey(context, real, amount)
  if (earlier.length > 0) {
    const others = real.filter(isOf(from)).toSorted(byValueDown)
    const { coins: tokenCoins } = withEarlier(earlier.filter(isOf(from)), others, amount)
    return { from, tokenCoins, spend: 'all' }
  }
  const tokenCoins = real.filter(isOf(from))
  if (tokenCoins.length <= tokenInputsMax) return { from, tokenCoins }
  const largest = tokenCoins.toSorted(byValueDown).slice(0, tokenInputsMax)
  if (sumOf(tokenCoins) < amount || sumOf(largest) >= amount) return { from, tokenCoins: largest }
  const values = tokenCoins.map(({ value }) => value)
  const terms = { tokenid, inputs: tokenInputsMax, fee: defaultFee }
  const plan = planMerges(values, amount, terms)
  if (plan === undefined) return { from, tokenCoins: largest }
  throw new NeedsMerge(plan)
}

/** The units of all keys that are free, proven, and not a stranger's pending ones. */
export async function provenUnits(
  context: PlanContext,
  view: View,
  tokenid: string,
  isFree: (coin: WalletCoin) => boolean,
): Promise<readonly WalletCoin[]> {
  const held = [...view.coins.values()].filter((coin) => coin.tokenid === tokenid)
  const proofs = await context.prove(tokenid, held, {})
  return held.filter((coin) => isFree(coin) && isUsable(coin, proofs, context))
}

/** The first key that holds enough units, or else the one that holds the most. */
export function payingKey(
  { publicKeys }: PlanContext,
  coins: readonly WalletCoin[],
  amount: bigint,
): string {
  const sums = new Map<string, bigint>()
  for (const { publicKey, value } of coins) sums.set(publicKey, (sums.get(publicKey) ?? 0n) + value)
  const heldBy = (key: string) => sums.get(key) ?? 0n
  const [most] = publicKeys.toSorted((one, other) => (heldBy(one) < heldBy(other) ? 1 : -1))
  return publicKeys.find((key) => heldBy(key) >= amount) ?? most!
}
