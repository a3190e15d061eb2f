// Verifies the answer of the framework's `withdraw`.

import { defaultNetwork } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { satsOfText } from '../primitives/amount.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import { withLowerCaseHeights } from '../request/heights.ts'
import { ownScripts } from '../request/own-scripts.ts'
import { conclude, type Finding, finding, type Report } from '../request/report.ts'
import { paymentOf, type WithdrawIntent } from '../request/withdraw.ts'
import { addressOfScript } from '../script/script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint } from '../transaction/types.ts'
import { verifyPayment, verifyPaymentAsync } from './operations/payment.ts'
import { paymentFee, usualMaxFee } from './payment-fee.ts'
import type { SpentOutput } from './previous-outputs.ts'
import { checkReward, type Reward } from './reward.ts'
import { claimsOf, type Members, membersOf } from './withdraw-answer.ts'

/**
 * Verifies the response of the framework's `withdraw`, for coins of this family: the transaction,
 * as `verifyPayment` does, and every claim that the response makes about it.
 *
 * Claims are checked against the bytes, because wallets show them. A response of another family
 * (Tendermint, SLP, a hardware wallet's unsigned data) never agrees: the finding `cannot_be_judged`
 * names it.
 *
 * @param response - the `result` of `withdraw`, or the `details` of a finished `task::withdraw`
 * @param intent - the request; amounts in satoshis
 * @param evidence - the transactions that are spent from, and more
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for an intent or evidence of the wrong types; the response is data
 * @see komodo-defi-framework coins/utxo/utxo_withdraw.rs, UtxoWithdraw::build
 * @example
 * const intent = { coin: 'TOKTEST', to: addressOf(destination, networks.assetChain), amount: 1000n, own: [from] }
 * verifyWithdraw({ tx_hex: hex }, intent, evidence).ok // false
 */
export function verifyWithdraw(
  response: unknown,
  intent: WithdrawIntent,
  evidence: Evidence,
): Report {
  const given = copied(response, intent, evidence)
  const payment = paymentOf(given.intent)
  return withClaims(verifyPayment(hexOf(given), payment, given.evidence), given)
}

/**
 * {@link verifyWithdraw} in slices. The signatures of a large transaction are checked on the
 * threads of Node's pool.
 */
export async function verifyWithdrawAsync(
  response: unknown,
  intent: WithdrawIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  const given = copied(response, intent, evidence)
  const payment = paymentOf(given.intent)
  return withClaims(await verifyPaymentAsync(hexOf(given), payment, given.evidence, options), given)
}

interface Withdrawal {
  readonly response: Members
  readonly intent: WithdrawIntent
  readonly evidence: Evidence
}

/** Copies the arguments, so that later changes by the caller do not reach the verification. */
function copied(response: unknown, intent: WithdrawIntent, evidence: Evidence): Withdrawal {
  return {
    response: claimsOf(response),
    intent: snapshot(intent, 'intent'),
    evidence: snapshot(evidence, 'evidence'),
  }
}

function hexOf({ response: { tx_hex } }: Withdrawal): string {
  return typeof tx_hex === 'string' ? tx_hex : ''
}

function withClaims(report: Report, { response, intent, evidence }: Withdrawal): Report {
  const other = otherFamily(response)
  const findings =
    other === undefined
      ? checkClaims(response, intent, { report, evidence })
      : [finding('cannot_be_judged', 'response', { actual: other })]
  if (findings.length === 0) return report
  const { verified: _sealed, ...unsealed } = report
  return { ...unsealed, ...conclude([...findings, ...report.findings]) }
}

/** Returns why a response belongs to another family; `undefined` for one of this family. */
function otherFamily({ tx_hex, fee_details, transaction_type }: Members): string | undefined {
  if (typeof tx_hex !== 'string' || tx_hex === '') return 'no tx_hex, so nothing is signed'
  const { type } = membersOf(fee_details)
  if (type !== undefined && type !== 'Utxo') return `fees of type ${String(brief(type))}`
  const isTransfer = transaction_type === undefined || transaction_type === 'StandardTransfer'
  return isTransfer ? undefined : `a transaction of type ${String(brief(transaction_type))}`
}

const briefLength = 200

/** Shortens a claim for a finding; an object, which may have any size, becomes its first member. */
function brief(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, briefLength)
  if (typeof value !== 'object' || value === null) return value
  return Object.keys(value)[0]?.slice(0, briefLength) ?? 'nothing'
}

function checkClaims(
  claims: Members,
  intent: WithdrawIntent,
  { report, evidence }: { readonly report: Report; readonly evidence: Evidence },
): Finding[] {
  const { coin, to, network = defaultNetwork } = intent
  if (report.effects.length === 0) return []
  const findings: Finding[] = []
  const compare = (member: string, isRight: boolean, expected: unknown, actual: unknown): void => {
    if (isRight) return
    const details = { expected, actual: brief(actual) }
    findings.push(finding('response_contradicts', `response.${member}`, details))
  }
  const satsOf = (member: string) => satsOfText(claims[member])
  compare('tx_hash', lower(claims.tx_hash) === report.txid, report.txid, claims.tx_hash)
  if (claims.coin !== undefined) compare('coin', claims.coin === coin, coin, claims.coin)

  const { lockTime, inputs } = decodeTransaction(report.hex)
  const spent = spentOutputs(inputs, evidence)
  const paid = report.effects.map(({ script }) => script)
  const addressesOf = (scripts: readonly string[]) =>
    new Set(scripts.flatMap((script) => addressOfScript(script, network) ?? []))
  const payees = addressesOf(paid)
  const named = texts(claims.to)
  const areNamed = named.includes(to) && named.every((it) => payees.has(it))
  compare('to', areNamed, to, named.slice(0, 8).join(', '))

  if (spent === undefined) return findings
  const total = spent.reduce((sum, { value }) => sum + value, 0n)
  const payers = addressesOf(spent.map(({ script }) => script))
  const from = [...new Set(texts(claims.from))]
  const areFrom = from.length === payers.size && from.every((it) => payers.has(it))
  compare('from', areFrom, [...payers].join(', '), from.slice(0, 8).join(', '))

  const paidOut = report.effects.reduce((sum, { value }) => sum + value, 0n)
  const details = membersOf(claims.fee_details)
  // some versions of the framework count the reward of KMD as spent
  const { due, claimed } = claimedReward(report, satsOfText(details.amount), {
    without: total - paidOut,
    reward: checkReward(spent, network, { ...withLowerCaseHeights(evidence), lockTime }),
    bound: paymentFee(paymentOf(intent)).most ?? usualMaxFee,
  })
  const isSpent = (sats: bigint | undefined) => sats === total || sats === total + (claimed ?? due)
  compare('total_amount', isSpent(satsOf('total_amount')), total, claims.total_amount)
  compare('spent_by_me', isSpent(satsOf('spent_by_me')), total, claims.spent_by_me)
  const isOwn = ownScripts(intent, network)
  const received = report.effects.reduce(
    (sum, { script, value }) => (isOwn.has(script) ? sum + value : sum),
    0n,
  )
  compare('received_by_me', satsOf('received_by_me') === received, received, claims.received_by_me)
  const change = received - (satsOf('spent_by_me') ?? total)
  compare(
    'my_balance_change',
    satsOf('my_balance_change') === change,
    change,
    claims.my_balance_change,
  )
  const fee = total + due - paidOut
  compare('fee_details.amount', claimed !== undefined, fee, details.amount)
  if (details.coin !== undefined && details.coin !== null) {
    compare('fee_details.coin', details.coin === coin, coin, details.coin)
  }
  const { kmd_rewards } = claims
  if (kmd_rewards === undefined || kmd_rewards === null) return findings
  const { amount, claimed_by_me } = membersOf(kmd_rewards)
  const reward = claimed ?? due
  compare('kmd_rewards.amount', satsOfText(amount) === reward, reward, amount)
  // for a reward of zero, servers report either value
  const isRight = claimed_by_me === true || (reward === 0n && claimed_by_me === false)
  compare('kmd_rewards.claimed_by_me', isRight, reward > 0n, claimed_by_me)
  return findings
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/** Returns the items of an array, with an empty text for those that are not text. */
function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map((it) => (typeof it === 'string' ? it : '')) : []
}

type Spent = Pick<SpentOutput, 'txid' | 'value' | 'script' | 'transaction'>

/** Returns `undefined` if an output is not proven; the report then rejects already. */
function spentOutputs(
  inputs: readonly Outpoint[],
  { previousTransactions }: Evidence,
): Spent[] | undefined {
  const known = new Map(
    previousTransactions.flatMap((source) => {
      const transaction = decodeOr(source)
      return transaction === undefined ? [] : [[transaction.txid, transaction] as const]
    }),
  )
  const spent = inputs.map(({ txid, vout }) => {
    const transaction = known.get(txid)
    const output = transaction?.outputs[vout]
    return output && { txid, ...output, transaction: transaction! }
  })
  return spent.every((it) => it !== undefined) ? spent : undefined
}

function decodeOr(hex: string) {
  try {
    return decodeTransaction(hex)
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}

/**
 * Computes the claimed reward: the excess of the reported fee over the fee that the coins alone
 * pay. A reward that the report does not find claimed may still pay a part of the fee, within the
 * request.
 *
 * @returns satoshis: the reward by the report, and the claimed one; the latter is undefined unless
 *   it is the reward of a time between lock time and tip
 */
function claimedReward(
  { findings }: Report,
  reportedFee: bigint | undefined,
  {
    without,
    reward,
    bound,
  }: {
    readonly without: bigint
    readonly reward: Reward
    /** The largest fee that the request allows, satoshis. */
    readonly bound: bigint
  },
): { readonly due: bigint; readonly claimed?: bigint } {
  const isClaimed = findings.some(({ code }) => claimCodes.includes(code))
  const due = isClaimed ? reward.amount : 0n
  if (reportedFee === undefined) return { due }
  const claimed = reportedFee - without
  const isReward = claimed <= reward.amount && claimed >= reward.amount - reward.late
  const mayBeClaimed = isClaimed || reportedFee <= bound
  return (mayBeClaimed && isReward) || (!isClaimed && claimed === 0n) ? { due, claimed } : { due }
}

/** Findings about a reward that pays outputs, or a part of the fee. */
const claimCodes: readonly Finding['code'][] = ['reward_claimed', 'reward_in_fee']
