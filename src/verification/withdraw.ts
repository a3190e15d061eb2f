// Verifies the response of the framework's `withdraw`.

import { defaultNetwork } from '../chain/network.ts'
import { satsOfText } from '../primitives/amount.ts'
import { snapshot } from '../primitives/snapshot.ts'
import { finish, inSlices, type SliceOptions, type Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import { withLowerCaseHeights } from '../request/heights.ts'
import { ownScripts } from '../request/own-scripts.ts'
import { conclude, type Finding, finding, type Report } from '../request/report.ts'
import { paymentOf, requireRewards, type WithdrawIntent } from '../request/withdraw.ts'
import { addressOfScript } from '../script/script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import { indexEvidence } from './evidence.ts'
import { verifyPayment, verifyPaymentAsync } from './operations/payment.ts'
import { paymentFee, usualMaxFee } from './payment-fee.ts'
import { resolveInputs, type SpentOutput } from './previous-outputs.ts'
import { checkReward, type Reward } from './reward.ts'
import { type Members, membersOf, responseMembers } from './withdraw-response.ts'

/**
 * Verifies the response of the framework's `withdraw`, for coins of this family: the transaction,
 * as `verifyPayment` does, and what the response says about it.
 *
 * Wallets show these members of a response, so each is compared with the bytes: the txid, the coin,
 * payers and payees, the amounts, the fee and the reward. `memo`, `block_height`, `timestamp` and
 * `internal_id` are not read. A response of another family (Tendermint, SLP, a hardware wallet's
 * unsigned data) cannot be verified: the finding `cannot_be_judged` names the family.
 *
 * @param response - the `result` of `withdraw`, or the `details` of a finished `task::withdraw`
 * @param intent - the request; amounts in satoshis
 * @param evidence - the transactions that are spent from, and more
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for an intent or evidence of the wrong types, and for KMD on a network without
 *   its rewards; the response is data
 * @see komodo-defi-framework coins/utxo/utxo_withdraw.rs, UtxoWithdraw::build
 * @example
 * const intent = { coin: 'TOKTEST', to: addressOf(destination, networks.assetChain), amount: 1000n, own: [from] }
 * verifyWithdraw({ tx_hex: hex }, intent, evidence).ok // false: the response lacks tx_hash, for one
 */
export function verifyWithdraw(
  response: unknown,
  intent: WithdrawIntent,
  evidence: Evidence,
): Report {
  const given = copied(response, intent, evidence)
  const payment = paymentOf(given.intent)
  requireRewards(given.intent)
  return finish(withResponse(verifyPayment(hexOf(given), payment, given.evidence), given))
}

/**
 * Runs {@link verifyWithdraw} in slices, between which other work has its turn. The signatures of a
 * large transaction are checked on the threads of Node's pool.
 *
 * @param options - a signal that stops the verification
 */
export async function verifyWithdrawAsync(
  response: unknown,
  intent: WithdrawIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  const given = copied(response, intent, evidence)
  const payment = paymentOf(given.intent)
  requireRewards(given.intent)
  const report = await verifyPaymentAsync(hexOf(given), payment, given.evidence, options)
  return inSlices(withResponse(report, given), options)
}

interface Withdrawal {
  readonly response: Members
  readonly intent: WithdrawIntent
  readonly evidence: Evidence
}

/** Copies the arguments, so that later changes by the caller do not reach the verification. */
function copied(response: unknown, intent: WithdrawIntent, evidence: Evidence): Withdrawal {
  return {
    response: responseMembers(response),
    intent: snapshot(intent, 'intent'),
    evidence: snapshot(evidence, 'evidence'),
  }
}

function hexOf({ response: { tx_hex } }: Withdrawal): string {
  return typeof tx_hex === 'string' ? tx_hex : ''
}

function* withResponse(report: Report, withdrawal: Withdrawal): Steps<Report> {
  const reason = unverifiableReason(withdrawal.response)
  const findings =
    reason === undefined
      ? yield* checkResponse(report, withdrawal)
      : [finding('cannot_be_judged', 'response', { actual: reason })]
  if (findings.length === 0) return report
  const { verified: _sealed, ...unsealed } = report
  return { ...unsealed, ...conclude([...findings, ...report.findings]) }
}

/**
 * Returns why a response cannot be verified: it has no signed transaction, or one of another
 * family. Returns `undefined` for a response of this family.
 */
function unverifiableReason({ tx_hex, fee_details, transaction_type }: Members) {
  if (typeof tx_hex !== 'string' || tx_hex === '') return 'no tx_hex, so nothing is signed'
  const { type } = membersOf(fee_details)
  if (type !== undefined && type !== 'Utxo') return `fees of type ${String(brief(type))}`
  const isTransfer = transaction_type === undefined || transaction_type === 'StandardTransfer'
  return isTransfer ? undefined : `a transaction of type ${String(brief(transaction_type))}`
}

const briefLength = 200

/** Shortens a value for a finding; an object, which may have any size, becomes its first key. */
function brief(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, briefLength)
  if (typeof value !== 'object' || value === null) return value
  return Object.keys(value)[0]?.slice(0, briefLength) ?? 'nothing'
}

function* checkResponse(
  report: Report,
  { response, intent, evidence }: Withdrawal,
): Steps<Finding[]> {
  const { coin, to, network = defaultNetwork } = intent
  // Without effects there is no transaction to compare with, and the report rejects already.
  if (report.effects.length === 0) return []
  const findings: Finding[] = []
  const compare = (member: string, isRight: boolean, expected: unknown, actual: unknown): void => {
    if (isRight) return
    const details = { expected, actual: brief(actual) }
    findings.push(finding('response_contradicts', `response.${member}`, details))
  }
  const compareAmount = (member: string, expected: bigint): void =>
    compare(member, satsOfText(response[member]) === expected, expected, response[member])
  compare('tx_hash', lower(response.tx_hash) === report.txid, report.txid, response.tx_hash)
  if (response.coin !== undefined) compare('coin', response.coin === coin, coin, response.coin)

  const transaction = decodeTransaction(report.hex)
  const addressesOf = (outputs: readonly { readonly script: string }[]) =>
    new Set(outputs.flatMap(({ script }) => addressOfScript(script, network) ?? []))
  const payees = addressesOf(report.effects)
  const named = texts(response.to)
  const payeesMatch = named.includes(to) && named.every((it) => payees.has(it))
  compare('to', payeesMatch, to, named.slice(0, 8).join(', '))

  const spent = yield* spentOutputs(transaction, evidence)
  if (spent === undefined) return findings
  const payers = addressesOf(spent)
  const from = [...new Set(texts(response.from))]
  const payersMatch = from.length === payers.size && from.every((it) => payers.has(it))
  compare('from', payersMatch, [...payers].join(', '), from.slice(0, 8).join(', '))

  const total = spent.reduce((sum, { value }) => sum + value, 0n)
  const paidOut = report.effects.reduce((sum, { value }) => sum + value, 0n)
  const details = membersOf(response.fee_details)
  const { lockTime } = transaction
  const { rewardInReport, rewardByFee } = claimedReward(report, satsOfText(details.amount), {
    feeWithoutReward: total - paidOut,
    accrued: checkReward(spent, network, { ...withLowerCaseHeights(evidence), lockTime }),
    maxFee: paymentFee(paymentOf(intent)).most ?? usualMaxFee,
  })
  const reward = rewardByFee ?? rewardInReport
  // The framework counts the coins alone as spent (utxo_common.rs, UtxoTxBuilder::build). A response
  // that adds the reward is true as well, if it does so in every member.
  const withReward = total + reward
  const spentByMe = satsOfText(response.spent_by_me) === withReward ? withReward : total
  compareAmount('total_amount', spentByMe)
  compareAmount('spent_by_me', spentByMe)
  const isOwn = ownScripts(intent, network)
  const received = report.effects.reduce(
    (sum, { script, value }) => (isOwn.has(script) ? sum + value : sum),
    0n,
  )
  compareAmount('received_by_me', received)
  compareAmount('my_balance_change', received - spentByMe)
  const fee = total + rewardInReport - paidOut
  compare('fee_details.amount', rewardByFee !== undefined, fee, details.amount)
  if (details.coin !== undefined && details.coin !== null) {
    compare('fee_details.coin', details.coin === coin, coin, details.coin)
  }
  const { kmd_rewards } = response
  if (kmd_rewards === undefined || kmd_rewards === null) return findings
  const { amount, claimed_by_me } = membersOf(kmd_rewards)
  compare('kmd_rewards.amount', satsOfText(amount) === reward, reward, amount)
  // For a reward of zero, servers report either value.
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

/** Returns `undefined` if an output is not proven; the report then rejects already. */
function* spentOutputs(
  transaction: Transaction,
  evidence: Evidence,
): Steps<readonly SpentOutput[] | undefined> {
  const known = yield* indexEvidence(evidence, undefined)
  const { prevouts } = resolveInputs(transaction, known)
  return prevouts.every((it) => it !== undefined) ? prevouts : undefined
}

/**
 * Finds the reward that the transaction claims. The fee in a response includes it: what the coins
 * alone pay, and the reward.
 *
 * The report finds a reward only where the coins alone pay no sufficient fee. Elsewhere the
 * response decides whether the reward pays a part of the fee, up to the largest fee that the
 * request allows.
 *
 * @returns satoshis: the reward that the report finds, and the one by the fee of the response. The
 *   latter is undefined if that fee is false. It is the reward of a time between lock time and tip,
 *   or zero where the report finds none.
 */
function claimedReward(
  { findings }: Report,
  reportedFee: bigint | undefined,
  {
    feeWithoutReward,
    accrued,
    maxFee,
  }: {
    readonly feeWithoutReward: bigint
    readonly accrued: Reward
    /** The largest fee that the request allows, satoshis. */
    readonly maxFee: bigint
  },
): { readonly rewardInReport: bigint; readonly rewardByFee?: bigint } {
  const isClaimed = findings.some(({ code }) => claimCodes.includes(code))
  const rewardInReport = isClaimed ? accrued.amount : 0n
  if (reportedFee === undefined) return { rewardInReport }
  const rewardByFee = reportedFee - feeWithoutReward
  const isAccrued = rewardByFee <= accrued.amount && rewardByFee >= accrued.amount - accrued.late
  const mayBeClaimed = isClaimed || reportedFee <= maxFee
  const isTrue = (mayBeClaimed && isAccrued) || (!isClaimed && rewardByFee === 0n)
  return isTrue ? { rewardInReport, rewardByFee } : { rewardInReport }
}

/** Findings about a reward that pays outputs, or a part of the fee. */
const claimCodes: readonly Finding['code'][] = ['reward_claimed', 'reward_in_fee']
