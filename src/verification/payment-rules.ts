// How a payment in plain coins is judged: on every network, whatever the version, of keys and of
// M of N keys behind a script hash.

import { expiryHeightMax } from '../chain/limits.ts'
import { networks } from '../chain/network.ts'
import { moduleOfScript, whyBurned } from '../script/lost-scripts.ts'
import { decodeScript } from '../script/script.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkBound, checkDescent } from './chain-binding.ts'
import { checkExpiry, checkOutpoints, checkShielded, checkValues } from './envelope.ts'
import { checkShare } from './fee.ts'
import {
  checkConfirmed,
  checkMature,
  checkNeeded,
  type JudgedInputs,
  judgeInputs,
  knownOf,
} from './inputs.ts'
import { checkSpendable, type ReadyTerms } from './judge-terms.ts'
import { toBeSigned } from './judgement.ts'
import { checkLockTimeAge, checkPaymentLockTime } from './lock-time.ts'
import type { JudgedTransaction, JudgingContext } from './operation.ts'
import { checkDust, type ExpectedOutput, matchOutputs } from './outputs.ts'
import { checkPaymentFee, type FeeRange, feeRange, type PaymentFee } from './payment-fee.ts'
import { paymentSize } from './payment-size.ts'
import { type Effect, type Finding, finding } from './report.ts'
import { judgeReward } from './reward.ts'

/** A payment that was asked for, spelled out. */
export interface ReadyPayment {
  /** `value` is absent for all that is left. */
  readonly recipients: readonly { readonly script: string; readonly value?: bigint }[]
  readonly own: { has(script: string): boolean }
  /** What stands behind own script hashes, by their scripts. */
  readonly redeemScriptOf: ReadonlyMap<string, string>
  /** Script of the nulldata output; absent where there may be none. */
  readonly nulldata?: string
  readonly fee: PaymentFee
  readonly maxChangeOutputs: number
  readonly lockTime?: number
  readonly expiryHeight?: number
  readonly terms: ReadyTerms
}

export function judgePayment(
  tx: Transaction,
  payment: ReadyPayment,
  { known, resolved, evidence, bytes }: JudgingContext,
): JudgedTransaction {
  const { terms, own } = payment
  const { lockTime } = tx
  const { tipHeight, heights } = evidence
  const spendable = { has: (script: string) => isOwnCoin(script, payment) }
  const inputs = judgeInputs(resolved.prevouts, { native: [], further: spendable })
  const expected = expectedOutputs(payment)
  const { effects, findings: outputFindings } = matchOutputs(tx, expected, {
    isChange: (script) => own.has(script) && changeScript.test(script),
    judgesNulldata: true,
    isUnordered: true,
  })
  const reward = judgeReward(resolved.prevouts, terms.network, { ...evidence, lockTime })
  const size = paymentSize(tx, payment, { bytes, prevouts: resolved.prevouts, effects })
  const range = feeRange(payment.fee, size)
  const fee = checkPaymentFee(tx, range, {
    bytes: size.signed,
    isExact: payment.fee.isExact,
    total: inputs.total,
    reward,
    hasChange: effects.some(({ role }) => role === 'native-change'),
  })
  const isTooMuch = isTooMuchToHash(tx)
  const signed = isTooMuch
    ? undefined
    : toBeSigned(tx, resolved.prevouts, {
        network: terms.network,
        inputs,
        signer: () => 'as-the-script-says',
      })
  const hashed = { expected: hashedBytesMax, actual: hashedBytes(tx) }
  const findings = [
    ...known.findings,
    ...checkBound(terms),
    ...checkVersion(tx),
    ...checkPaymentExpiry(tx, payment, tipHeight),
    ...checkPaymentLockTime(tx, payment.lockTime, evidence),
    ...checkLockTimeAge(tx, terms.network, evidence),
    ...checkShielded(tx),
    ...checkOutpoints(tx),
    ...(isTooMuch ? [finding('too_much_to_hash', 'inputs', hashed)] : []),
    ...checkValues(tx, terms.network),
    ...checkSpendable(tx.inputs, terms),
    ...checkDescent(tx.inputs, terms, known),
    ...resolved.findings,
    ...checkConfirmed(tx, heights),
    ...checkMature(resolved.prevouts, terms.network, evidence),
    ...inputs.findings,
    ...checkNeeded(inputs.coins, { native: neededCoins(payment, inputs, range), tokens: 0n }),
    ...outputFindings,
    ...checkRest(payment, effects),
    ...checkChangeCount(payment, effects),
    ...checkPayees(effects),
    ...checkNulldataSize(payment, effects),
    ...checkDust(effects, 'destination'),
    ...checkDust(effects, 'native-change'),
    ...reward.findings,
    ...fee.findings,
    ...checkShare(fee.paid, inputs.total),
  ]
  return {
    findings,
    effects,
    feeKnown: fee.isAsserted ? 'asserted' : knownOf(resolved.spends),
    ...(fee.paid !== undefined && !fee.isAsserted && { fee: fee.paid }),
    ...(signed !== undefined && { signed }),
  }
}

/** Most coins, of which nothing has to be looked up. */
const plainScript = /^(?:76a914.{40}88ac|a914.{40}87|21.{66}ac)$/

/** What keys alone release, and at any time: no lock stands before it, and no condition is among it. */
const changeScript =
  /^(?:76a914.{40}88ac|a914.{40}87|21.{66}ac|41.{130}ac|(?:5[1-9a-f]|60)(?:21.{66}|41.{130})+(?:5[1-9a-f]|60)ae)$/

/** A condition holds what a payment knows nothing of, whoever says that it is own. */
function isOwnCoin(script: string, { own, terms }: ReadyPayment): boolean {
  if (!own.has(script) && !terms.ownScripts.has(script)) return false
  if (plainScript.test(script)) return true
  const { type } = decodeScript(script, networks.tokel)
  return ['pubkey', 'pubkeyhash', 'scripthash', 'multisig'].includes(type)
}

function expectedOutputs({ recipients, nulldata }: ReadyPayment): ExpectedOutput[] {
  // what has an amount finds its output before what takes any of the same script
  const exact = recipients.filter(({ value }) => value !== undefined)
  const rest = recipients.filter(({ value }) => value === undefined)
  const paid = [...exact, ...rest].map(({ script, value }): ExpectedOutput => {
    const codes = { missing: 'destination', value: 'amount' } as const
    return { role: 'destination', script, codes, ...(value !== undefined && { value }) }
  })
  if (nulldata === undefined) return paid
  const codes = { missing: 'nulldata_missing', value: 'nulldata_value' } as const
  return [...paid, { role: 'nulldata', script: nulldata, value: 0n, codes }]
}

/** Nothing is superfluous where all is to be sent. */
function neededCoins(
  { recipients }: ReadyPayment,
  { total = 0n }: JudgedInputs,
  { least = 0n }: FeeRange,
): bigint {
  if (recipients.some(({ value }) => value === undefined)) return total
  return recipients.reduce((sum, { value }) => sum + value!, least)
}

/** Where a recipient gets all, nothing comes back. */
function checkRest({ recipients }: ReadyPayment, effects: readonly Effect[]): Finding[] {
  if (recipients.every(({ value }) => value !== undefined)) return []
  const changes = effects.filter(({ role }) => role === 'native-change')
  return changes.map(({ output, value, script }) =>
    finding('unexpected_output', `outputs[${output}]`, { actual: `${value} to ${script}` }),
  )
}

/** Each further change output costs a fee now, and another when it is spent. */
function checkChangeCount(
  { recipients, maxChangeOutputs }: ReadyPayment,
  effects: readonly Effect[],
): Finding[] {
  // any change is rejected there
  if (recipients.some(({ value }) => value === undefined)) return []
  const actual = effects.filter(({ role }) => role === 'native-change').length
  if (actual <= maxChangeOutputs) return []
  const expected = `at most ${maxChangeOutputs} of change`
  return [finding('change_split', 'outputs', { expected, actual })]
}

/** What was asked for may still be a loss: it is paid as asked, and told. */
function checkPayees(effects: readonly Effect[]): Finding[] {
  return effects.flatMap(({ output, role, script }) => {
    if (role !== 'destination') return []
    const path = `outputs[${output}]`
    const module = moduleOfScript(script)
    if (module !== undefined) return [finding('payee_module_key', path, { actual: module })]
    const why = whyBurned(script)
    return why === undefined ? [] : [finding('payee_burn', path, { actual: why })]
  })
}

function checkNulldataSize({ terms }: ReadyPayment, effects: readonly Effect[]): Finding[] {
  const { nulldataBytesMax } = terms.network
  return effects.flatMap(({ output, role, script }) => {
    if (role !== 'nulldata' || script.length / 2 <= nulldataBytesMax) return []
    const details = {
      expected: `at most ${nulldataBytesMax} bytes`,
      actual: `${script.length / 2} bytes`,
    }
    return [finding('nulldata_too_large', `outputs[${output}].script`, details)]
  })
}

function checkVersion({ overwintered, version }: Transaction): Finding[] {
  if (overwintered && version === 4) return []
  const actual = `${version}${overwintered ? ', overwintered' : ''}`
  // of those with the flag the decoder knows 3 and 4
  const isKnown = overwintered || version === 1 || version === 2
  return [finding(isKnown ? 'old_version' : 'version', 'version', { expected: 4, actual })]
}

function checkPaymentExpiry(
  { expiryHeight, overwintered }: Transaction,
  { expiryHeight: asked, terms }: ReadyPayment,
  tipHeight: number | undefined,
): Finding[] {
  const path = 'expiryHeight'
  if (asked !== undefined && asked !== expiryHeight) {
    return [finding('expiry_differs', path, { expected: asked, actual: expiryHeight })]
  }
  if (!overwintered) return [finding('no_expiry', path, { actual: 'a version without' })]
  return checkExpiry(
    expiryHeight,
    tipHeight,
    asked === undefined ? terms.expiryBlocksMax : expiryHeightMax,
  )
}

/** Versions before 3 hash the transaction once for every input; more than this takes a second. */
const hashedBytesMax = 40_000_000

function hashedBytes({ inputs, outputs, overwintered }: Transaction): number {
  if (overwintered) return 0
  const bytes = outputs.reduce((sum, { script }) => sum + 9 + script.length / 2, 0)
  return inputs.length * (inputs.length * 41 + bytes)
}

function isTooMuchToHash(tx: Transaction): boolean {
  return hashedBytes(tx) > hashedBytesMax
}
