// The parts of the checks that payments in plain coins supply: on every network, of any version, of
// keys and of M of N keys behind a script hash.

import { type Effect, type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { isOpenScript, moduleOfScript, whyBurned } from '../script/burned-scripts.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { keysNeeded } from '../script/keys-needed.ts'
import { stepsOf } from '../script/template.ts'
import type { Ownership } from '../signing/own-scripts.ts'
import type { Transaction } from '../transaction/types.ts'
import { type CheckedFee, checkShare } from './fee.ts'
import { changeIn, checkDust, type ExpectedOutput, unexpectedOutput } from './outputs.ts'
import { checkPaymentFee, feeRange, type PaymentFee } from './payment-fee.ts'
import { paymentSize, type SizedPayment } from './payment-size.ts'
import type { ResolvedInputs } from './previous-outputs.ts'
import { checkOutputScripts, checkSigops } from './relayed.ts'
import { moreThanReturned } from './returned-change.ts'
import { checkReward } from './reward.ts'
import type { Classified, OperationRules } from './rules.ts'

/** A validated payment, with nothing left to defaults. */
export interface ReadyPayment extends SizedPayment {
  readonly own: SizedPayment['own'] & Ownership
  readonly fee: PaymentFee
  readonly lockTime?: number
  readonly expiryHeight?: number
  readonly terms: ReadyTerms
}

export function paymentRules(payment: ReadyPayment): OperationRules {
  const { terms, own, lockTime, expiryHeight } = payment
  return {
    moves: 'coins',
    terms,
    ...(lockTime !== undefined && { lockTime }),
    ...(expiryHeight !== undefined && { expiryHeight }),
    isUnbound: true,
    findings: [],
    own: {
      native: [],
      further: { has: (script) => own.has(script) || terms.ownScripts.has(script) },
    },
    matching: {
      isChange: (script) => own.has(script) || own.redeemScriptOf.has(script),
      checksNulldata: true,
      isUnordered: true,
    },
    inputFindings: () => [],
    expectedOutputs: () => expectedOutputs(payment),
    changeFindings: ({ tx, effects, resolved: { prevouts } }) => [
      ...checkRest(payment, effects),
      ...checkChangeCount(payment, effects),
      ...checkChangeScripts(own, effects, prevouts),
      ...checkChangeKeys(own, tx, effects, prevouts),
    ],
    payloadFindings: ({ tx, effects, resolved: { prevouts } }) => [
      ...checkPayees(payment, effects),
      ...checkNulldataSize(payment, effects),
      ...checkOutputScripts(effects, payment.terms.network),
      ...checkSigops(tx, spentRedeemScripts(payment, tx, prevouts)),
      ...checkDust(effects.filter(({ role }) => role === 'destination')),
      ...checkDust(changeIn(effects)),
    ],
    fee: (classified) => feeOfPayment(payment, classified),
    signerOf: () => 'as-the-script-says',
  }
}

function feeOfPayment(
  payment: ReadyPayment,
  { tx, bytes, evidence, resolved: { prevouts }, inputs: { total }, effects }: Classified,
): CheckedFee {
  const { lockTime } = tx
  const reward = checkReward(prevouts, payment.terms.network, { ...evidence, lockTime })
  const size = paymentSize(tx, payment, { bytes, prevouts, effects })
  const range = feeRange(payment.fee, size)
  const { paid, ...fee } = checkPaymentFee(tx, range, {
    bytes: size.signed,
    isExact: payment.fee.isExact,
    total,
    reward,
    hasChange: changeIn(effects).length > 0,
  })
  return {
    ...fee,
    findings: [
      ...reward.findings,
      ...fee.findings,
      ...checkShare(paid, total, movedCoins(effects)),
    ],
    least: range.least ?? 0n,
  }
}

function expectedOutputs({ recipients, nulldata }: ReadyPayment): ExpectedOutput[] {
  // exact amounts are matched first, because the rest matches any output of the same script
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

/** Returns the satoshis for recipients; `undefined` for a consolidation, which has none. */
function movedCoins(effects: readonly Effect[]): bigint | undefined {
  const paid = effects.reduce((sum, { role, value }) => {
    return role === 'destination' ? sum + value : sum
  }, 0n)
  return paid > 0n ? paid : undefined
}

/** Rejects change where a recipient gets everything that is left. */
function checkRest({ recipients }: ReadyPayment, effects: readonly Effect[]): Finding[] {
  if (recipients.every(({ value }) => value !== undefined)) return []
  return changeIn(effects).map(unexpectedOutput)
}

/** Limits change outputs: each costs a fee now, and another one when it is spent. */
function checkChangeCount(
  { recipients, maxChangeOutputs }: ReadyPayment,
  effects: readonly Effect[],
): Finding[] {
  // `checkRest` rejects any change there
  if (recipients.some(({ value }) => value === undefined)) return []
  const actual = changeIn(effects).length
  if (actual <= maxChangeOutputs) return []
  const expected = `at most ${maxChangeOutputs} of change`
  return [finding('change_split', 'outputs', { expected, actual })]
}

/**
 * Rejects change to a script that the wallet cannot spend alone, or not yet. Coins that such a
 * script held before may return to it.
 */
function checkChangeScripts(
  { whyLocked }: Ownership,
  effects: readonly Effect[],
  prevouts: ResolvedInputs['prevouts'],
): Finding[] {
  const locked = changeIn(effects).flatMap(({ output, script, value }) => {
    const why = whyLocked(script)
    return why === undefined ? [] : [{ output, payee: script, value, why }]
  })
  const spent = prevouts.map((it) => ({ payer: it?.script, value: it?.value ?? 0n }))
  return moreThanReturned(locked, spent).map(({ output, why: actual }) => {
    const details = { expected: 'a script that own keys alone can spend now', actual }
    return finding('change_locked', `outputs[${output}].script`, details)
  })
}

/**
 * Warns of change that fewer keys can spend than the coins that it comes from. Coins of few keys may
 * return to as few, up to their sum: one small coin of a single key must not hide the others.
 */
function checkChangeKeys(
  { redeemScriptOf }: ReadyPayment['own'],
  { inputs }: Transaction,
  effects: readonly Effect[],
  prevouts: ResolvedInputs['prevouts'],
): Finding[] {
  const spent = inputs.map(({ scriptSig }, index) => {
    const { script = '', value = 0n } = prevouts[index] ?? {}
    const listed = redeemScriptOf.get(script) ?? behind(script, scriptSig)
    return { keys: keysNeeded(listed) ?? 1, value }
  })
  const change = changeIn(effects).flatMap(({ output, script, value }) => {
    const keys = keysNeeded(redeemScriptOf.get(script) ?? script)
    return keys === undefined ? [] : [{ output, keys, value }]
  })
  // A script lists few keys, so these sets are small, however long the transaction is.
  const needed = [...new Set(spent.map(({ keys }) => keys))].sort((one, other) => one - other)
  const weaker = new Map<number, number>()
  for (const actual of new Set(change.map(({ keys }) => keys))) {
    const expected = needed.find((keys) => keys > actual)
    // A reward may be added to coins of as few keys.
    if (expected === undefined || sumOf(change, actual) <= sumOf(spent, actual)) continue
    weaker.set(actual, expected)
  }
  return change.flatMap(({ output, keys: actual }) => {
    const expected = weaker.get(actual)
    if (expected === undefined) return []
    return [finding('change_weaker', `outputs[${output}].script`, { expected, actual })]
  })
}

/** Returns the sum of those amounts that as many keys can spend, or fewer. */
function sumOf(
  amounts: readonly { readonly keys: number; readonly value: bigint }[],
  most: number,
): bigint {
  return amounts.reduce((sum, { keys, value }) => (keys <= most ? sum + value : sum), 0n)
}

/** Returns the redeem script that a co-signer put into the scriptSig, which a request may lack. */
function behind(script: string, scriptSig: string): string {
  if (addressedScript(script)?.type !== 'scripthash') return script
  const pushed = stepsOf(scriptSig)?.at(-1)?.data ?? ''
  return pushed !== '' && scriptHashOf(pushed) === script ? pushed : script
}

/** Returns the redeem script of each input; '' where there is none. */
function spentRedeemScripts(
  { own: { redeemScriptOf } }: ReadyPayment,
  { inputs }: Transaction,
  prevouts: ResolvedInputs['prevouts'],
): string[] {
  return inputs.map(({ scriptSig }, index) => {
    const { script = '' } = prevouts[index] ?? {}
    const redeemScript = redeemScriptOf.get(script) ?? behind(script, scriptSig)
    return redeemScript === script ? '' : redeemScript
  })
}

/** Warns of payees that lose the coins. The request is still valid. */
function checkPayees({ own, terms }: ReadyPayment, effects: readonly Effect[]): Finding[] {
  return effects.flatMap(({ output, role, script }) => {
    if (role !== 'destination') return []
    const path = `outputs[${output}]`
    const spendScript = own.redeemScriptOf.get(script) ?? script
    const module = moduleOfScript(spendScript)
    if (module !== undefined) return [finding('payee_module_key', path, { actual: module })]
    if (isOpenScript(spendScript)) return [finding('payee_open', path, { actual: script })]
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
