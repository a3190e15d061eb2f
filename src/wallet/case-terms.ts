// This file gives builders, verifiers and the journal what they need: keys, coins, evidence, a text.

import { lockTimeThreshold } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import { bigintAsText } from '../primitives/json-replacer.ts'
import type { Evidence } from '../request/evidence.ts'
import type { IntentTerms } from '../request/terms.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { PlanContext } from './choice.ts'
import type { CaseOptions } from './plan.ts'
import type { FeeTerms } from './requests/common.ts'
import type { View, WalletCoin } from './view.ts'

/** Returns the wallet's keys, and the names that were its own when it made a transaction. */
export function keysOf(
  { publicKeys }: PlanContext,
  { madeBy = [] }: CaseOptions,
): readonly string[] {
  return [...new Set([...publicKeys, ...madeBy])]
}

/**
 * Returns the further keys whose coins may pay the fee of a recorded transaction: the machine that
 * built it may have taken any coins of the wallet.
 *
 * @param from - the key that the request names
 */
export function furtherKeys(
  context: PlanContext,
  options: CaseOptions,
  from: string,
): Pick<IntentTerms, 'ownKeys'> {
  if (options.madeBy === undefined) return {}
  return { ownKeys: keysOf(context, options).filter((key) => key !== from) }
}

interface SpendingTerms {
  readonly network: Network
  readonly coins: readonly Outpoint[]
  readonly previousTransactions: readonly string[]
  readonly tipHeight: number
  /** On KMD, where coins claim their reward. */
  readonly tipTime?: number
  readonly heights?: Readonly<Record<string, number>>
}

/** Returns what builders need: outpoints, the transactions of the coins, and the tip. */
export function spending(
  { known, network }: PlanContext,
  { tip }: View,
  coins: readonly WalletCoin[],
  kind: 'coins' | 'tokens' = 'coins',
): SpendingTerms {
  const txids = [...new Set(coins.map(({ txid }) => txid))]
  const claimsRewards = kind === 'coins' && rewardsOf(network) === 'komodo'
  const heights = Object.fromEntries(coins.map(({ txid, height }) => [txid, height]))
  return {
    network,
    coins: coins.map(({ txid, vout }) => ({ txid, vout })),
    previousTransactions: txids.map((txid) => known.hexOf(txid)!),
    tipHeight: tip.height,
    ...(claimsRewards && { tipTime: tip.time, heights }),
  }
}

/** Hex digits of ancestors that one case has. */
const ancestorDigitsMax = 16_000_000

/**
 * Every known transaction that token coins come from, back to the creations and what paid for them.
 */
export function ancestorsOf(
  { known }: PlanContext,
  coins: readonly { readonly txid: string }[],
  tokenids: readonly string[],
): string[] {
  const seen = new Set<string>([...tokenids, ...coins.map(({ txid }) => txid)])
  const found: string[] = []
  let digits = 0
  const waiting = [...seen]
  for (let txid = waiting.pop(); txid !== undefined; txid = waiting.pop()) {
    const hex = known.hexOf(txid)
    if (hex === undefined || digits + hex.length > ancestorDigitsMax) continue
    digits += hex.length
    found.push(hex)
    for (const input of known.get(txid)!.inputs) {
      if (seen.has(input.txid)) continue
      seen.add(input.txid)
      waiting.push(input.txid)
    }
  }
  return found
}

export async function evidenceOf(
  { known, chain, network, historyOf }: PlanContext,
  hex: string,
  state: 'new' | 'on-chain',
  options: ChainOptions,
): Promise<Evidence> {
  const transaction = decodeTransaction(hex)
  const spent = new Set(transaction.inputs.map(({ txid }) => txid))
  await known.fetch(spent, options)
  const previous = [...spent].flatMap((txid) => known.hexOf(txid) ?? [])
  const hasRewards = rewardsOf(network) === 'komodo'
  const tip = state === 'new' ? await chain.tip(options) : undefined
  const evidence = { previousTransactions: previous, ...(tip && { tipHeight: tip.height }) }
  if (!hasRewards) return evidence
  // Without these, a payment that claims a reward would look like one that pays out too much.
  const { listed } = await historyOf(transaction, options)
  const heights = Object.fromEntries(
    listed.filter(({ txid }) => spent.has(txid)).map(({ txid, height }) => [txid, height]),
  )
  // A reward is claimed up to the lock time, which is too old to be sent an hour later.
  const { lockTime } = transaction
  const tipTime = tip?.time ?? (lockTime < lockTimeThreshold ? undefined : lockTime)
  return { ...evidence, ...(tipTime !== undefined && { tipTime }), heights }
}

const recordedKeysMax = 20

/** Amounts are written as decimal digits. */
export function requestText({ publicKeys }: PlanContext, request: object): string {
  // A keychain finds its keys again, and a record is no place for hundreds of them.
  const keys = publicKeys.slice(0, recordedKeysMax)
  return JSON.stringify({ operation: 'wallet', ...request, keys }, bigintAsText)
}

/** The fee terms of a request, without members that it does not have. */
export function feesOf({
  fee,
  maxFee,
}: {
  readonly fee?: bigint | undefined
  readonly maxFee?: bigint | undefined
}): FeeTerms {
  return { ...(fee !== undefined && { fee }), ...(maxFee !== undefined && { maxFee }) }
}
