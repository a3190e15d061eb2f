// How a payment in plain coins is judged: on every network, whatever the version, of keys and of
// M of N keys behind a script hash.

import { expiryHeightMax } from '../chain/limits.ts'
import { type Effect, type Finding, finding } from '../request/report.ts'
import { isOpenScript, moduleOfScript, whyBurned } from '../script/burned-scripts.ts'
import type { Ownership } from '../signing/own-scripts.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkBound, checkDescent } from './chain-binding.ts'
import { checkSpendable, type ReadyTerms } from './check-terms.ts'
import { checkExpiry, checkOutpoints, checkShielded, checkValues } from './envelope.ts'
import { checkShare } from './fee.ts'
import { hashedBytes, hashedBytesMax } from './hashed-bytes.ts'
import {
  type CheckedInputs,
  checkConfirmed,
  checkInputs,
  checkMature,
  checkNeeded,
  knownOf,
  type ResolvedInputs,
} from './inputs.ts'
import { checkLockTimeAge, checkPaymentLockTime } from './lock-time.ts'
import type { CheckedTransaction, VerificationContext } from './operation.ts'
import { checkDust, type ExpectedOutput, matchOutputs } from './outputs.ts'
import { checkPaymentFee, type FeeRange, feeRange, type PaymentFee } from './payment-fee.ts'
import { paymentSize } from './payment-size.ts'
import { checkReward } from './reward.ts'
import { toBeSigned } from './verify-operation.ts'

/** A payment that was asked for, spelled out. */
export interface ReadyPayment {
  /** `value` is absent for all that is left. */
  readonly recipients: readonly { readonly script: string; readonly value?: bigint }[]
  readonly own: Ownership & {
    /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
    readonly redeemScriptOf: ReadonlyMap<string, string>
  }
  /** Script of the nulldata output; absent where there may be none. */
  readonly nulldata?: string
  readonly fee: PaymentFee
  readonly maxChangeOutputs: number
  readonly lockTime?: number
  readonly expiryHeight?: number
  readonly terms: ReadyTerms
}

export function checkPayment(
  tx: Transaction,
  payment: ReadyPayment,
  { known, resolved, evidence, bytes }: VerificationContext,
): CheckedTransaction {
  const { terms, own } = payment
  const { lockTime } = tx
  const { tipHeight, heights } = evidence
  const spendable = { has: (script: string) => own.has(script) || terms.ownScripts.has(script) }
  const inputs = checkInputs(resolved.prevouts, { native: [], further: spendable })
  const expected = expectedOutputs(payment)
  const { effects, findings: outputFindings } = matchOutputs(tx, expected, {
    isChange: (script) => own.has(script) || own.redeemScriptOf.has(script),
    checksNulldata: true,
    isUnordered: true,
  })
  const reward = checkReward(resolved.prevouts, terms.network, { ...evidence, lockTime })
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
    ...checkChangeScripts(own, effects, resolved.prevouts),
    ...checkPayees(payment, effects),
    ...checkNulldataSize(payment, effects),
    ...checkDust(effects, 'destination'),
    ...checkDust(effects, 'native-change'),
    ...reward.findings,
    ...fee.findings,
    ...checkShare(fee.paid, inputs.total, movedCoins(effects)),
  ]
  const { inputsMinusOutputs } = fee
  return {
    findings,
    effects,
    feeKnown: fee.isClaimed ? 'asserted' : knownOf(resolved.spends),
    ...(inputsMinusOutputs !== undefined && { inputsMinusOutputs }),
    ...(inputsMinusOutputs !== undefined && !fee.isClaimed && { fee: inputsMinusOutputs }),
    ...(signed !== undefined && { signed }),
  }
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

/** Satoshis that go to recipients; undefined where none are paid, and coins only come together. */
function movedCoins(effects: readonly Effect[]): bigint | undefined {
  const paid = effects.reduce((sum, { role, value }) => {
    return role === 'destination' ? sum + value : sum
  }, 0n)
  return paid > 0n ? paid : undefined
}

/** No input is superfluous if the request sends everything. */
function neededCoins(
  { recipients }: ReadyPayment,
  { total = 0n }: CheckedInputs,
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

/**
 * Change to a script that others hold as well, or that has a lock, is out of the wallet's hands. What
 * was behind such a script before may return to it.
 */
function checkChangeScripts(
  { whyLocked }: Ownership,
  effects: readonly Effect[],
  prevouts: ResolvedInputs['prevouts'],
): Finding[] {
  const returned = new Map<string, bigint>()
  const spent = new Map<string | undefined, bigint>()
  for (const it of prevouts)
    spent.set(it?.script, (spent.get(it?.script) ?? 0n) + (it?.value ?? 0n))
  return effects.flatMap(({ output, role, script, value }) => {
    const why = role === 'native-change' ? whyLocked(script) : undefined
    if (why === undefined) return []
    // a reward may come back on top of what was spent
    const isAllSpent = spent.size === 1 && spent.has(script)
    const sum = (returned.get(script) ?? 0n) + value
    returned.set(script, sum)
    if (isAllSpent || sum <= (spent.get(script) ?? 0n)) return []
    const details = { expected: 'a script that own keys alone can spend now', actual: why }
    return [finding('change_locked', `outputs[${output}].script`, details)]
  })
}

/** A request can itself cause a loss; it is carried out, and a warning says so. */
function checkPayees({ own, terms }: ReadyPayment, effects: readonly Effect[]): Finding[] {
  return effects.flatMap(({ output, role, script }) => {
    if (role !== 'destination') return []
    const path = `outputs[${output}]`
    const asked = own.redeemScriptOf.get(script) ?? script
    const module = moduleOfScript(asked)
    if (module !== undefined) return [finding('payee_module_key', path, { actual: module })]
    if (isOpenScript(asked)) return [finding('payee_open', path, { actual: script })]
    const why = whyBurned(script, terms.network, own.redeemScriptOf.get(script))
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

function isTooMuchToHash(tx: Transaction): boolean {
  return hashedBytes(tx) > hashedBytesMax
}
