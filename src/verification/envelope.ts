// Checks that need no other transaction: version, expiry, lock time, shielded parts, and amounts.

import {
  expiryHeightThreshold,
  finalSequence,
  importVout,
  inputsMax,
  lockedSequence,
  transactionValueMax,
} from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'
import { problemFindings } from '../request/problem.ts'
import { type Finding, finding } from '../request/report.ts'
import { expiryProblems, type ReadyTerms } from '../request/terms.ts'
import type { Transaction } from '../transaction/types.ts'

/**
 * tokeld's sequence of native inputs, final without a lock time. source: tokel src/cc/CCtx.cpp,
 * AddNormalinputsRemote
 */
const tokelSequence = lockedSequence

/** Rejects a transaction that is too large to be looked into. */
export function checkLimits({ inputs }: Transaction): Finding[] {
  if (inputs.length <= inputsMax) return []
  const details = { expected: `at most ${inputsMax}`, actual: inputs.length }
  return [finding('too_many_inputs', 'inputs', details)]
}

/** The version group needs no check: a transaction of version 4 with another does not decode. */
export function checkVersion({ overwintered, version }: Transaction): Finding[] {
  if (overwintered && version === 4) return []
  const actual = `${version}${overwintered ? ', overwintered' : ''}`
  return [finding('version', 'version', { expected: '4, overwintered', actual })]
}

/** Payments may have a version that chains mined before. */
export function checkPaymentVersion({ overwintered, version }: Transaction): Finding[] {
  if (overwintered && version === 4) return []
  const actual = `${version}${overwintered ? ', overwintered' : ''}`
  // with the flag, the decoder reads versions 3 and 4
  const isKnown = overwintered || version === 1 || version === 2
  return [finding(isKnown ? 'old_version' : 'version', 'version', { expected: 4, actual })]
}

export function checkExpiry(
  expiryHeight: number,
  tipHeight: number | undefined,
  blocksMax: number,
): Finding[] {
  const path = 'expiryHeight'
  const actual = expiryHeight
  if (expiryHeight === 0) return [finding('no_expiry', path, { actual })]
  const problems = expiryProblems(expiryHeight, tipHeight, blocksMax)
  if (problems.length > 0) return problemFindings(problems, '')
  return tipHeight === undefined ? [finding('expiry_not_checked', path, { actual })] : []
}

/** Payments may request an expiry height, however far away. */
export function checkPaymentExpiry(
  { expiryHeight, overwintered }: Transaction,
  {
    expiryHeight: requested,
    terms,
  }: { readonly expiryHeight?: number; readonly terms: Pick<ReadyTerms, 'expiryBlocksMax'> },
  tipHeight: number | undefined,
): Finding[] {
  const path = 'expiryHeight'
  if (requested !== undefined && requested !== expiryHeight) {
    return [finding('expiry_differs', path, { expected: requested, actual: expiryHeight })]
  }
  if (!overwintered) return [finding('no_expiry', path, { actual: 'a version without' })]
  const blocksMax = requested === undefined ? terms.expiryBlocksMax : expiryHeightThreshold
  return checkExpiry(expiryHeight, tipHeight, blocksMax)
}

export function checkNoLockTime(
  { lockTime, inputs }: Transaction,
  { conditions }: Network,
): Finding[] {
  const findings: Finding[] = []
  if (lockTime !== 0) {
    findings.push(finding('lock_time', 'lockTime', { expected: 0, actual: lockTime }))
  }
  inputs.forEach(({ sequence }, index) => {
    if (sequence === finalSequence) return
    if (conditions === 'tokel' && sequence === tokelSequence) return
    const path = `inputs[${index}].sequence`
    findings.push(finding('sequence', path, { expected: finalSequence, actual: sequence }))
  })
  return findings
}

export function checkShielded(tx: Transaction): Finding[] {
  const findings: Finding[] = []
  if (tx.valueBalance !== 0n) {
    findings.push(finding('shielded', 'valueBalance', { expected: 0n, actual: tx.valueBalance }))
  }
  for (const part of ['shieldedSpends', 'shieldedOutputs', 'joinSplits'] as const) {
    if (tx[part].length === 0) continue
    findings.push(finding('shielded', part, { expected: 0, actual: tx[part].length }))
  }
  return findings
}

export function checkOutpoints({ inputs }: Transaction): Finding[] {
  const findings: Finding[] = []
  if (inputs.length === 0) findings.push(finding('no_inputs', 'inputs'))
  const seen = new Set<string>()
  inputs.forEach(({ txid, vout }, index) => {
    const outpoint = `${txid}:${vout}`
    const isNull = txid === zeroHex32 || vout === importVout || vout === 0xffffffff
    if (isNull) findings.push(finding('null_prevout', `inputs[${index}]`, { actual: outpoint }))
    if (seen.has(outpoint)) {
      findings.push(finding('duplicate_input', `inputs[${index}]`, { actual: outpoint }))
    }
    seen.add(outpoint)
  })
  return findings
}

/** Checks the values and their sum against the limits of consensus. */
export function checkValues({ outputs }: Transaction, { maxMoney }: Network): Finding[] {
  const findings: Finding[] = []
  let sum = 0n
  outputs.forEach(({ value }, index) => {
    const path = `outputs[${index}].value`
    if (value < 0n || value > maxMoney) {
      findings.push(finding('value_range', path, { expected: `0 to ${maxMoney}`, actual: value }))
    }
    sum += value
  })
  const most = maxMoney < transactionValueMax ? maxMoney : transactionValueMax
  if (sum > most) {
    findings.push(finding('value_range', 'outputs', { expected: `at most ${most}`, actual: sum }))
  }
  return findings
}
