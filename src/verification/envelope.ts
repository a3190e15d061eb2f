import {
  expiryHeightMax,
  finalSequence,
  importVout,
  inputsMax,
  lockedSequence,
} from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { type Finding, finding } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'
import type { ReadyTerms } from './check-terms.ts'

const zeroTxid = '0'.repeat(64)
/** What tokeld gives native inputs; without a lock time it is as final. tokel src/cc/CCtx.cpp, AddNormalinputsRemote */
const tokelSequence = lockedSequence

/** Where judging ends before it begins: with more inputs nothing is walked, hashed or looked up. */
export function checkLimits({ inputs }: Transaction): Finding[] {
  if (inputs.length <= inputsMax) return []
  const details = { expected: `at most ${inputsMax}`, actual: inputs.length }
  return [finding('too_many_inputs', 'inputs', details)]
}

/** Checks the rules of every current transparent transaction, whatever its operation. */
export function checkEnvelope(
  tx: Transaction,
  { network, expiryBlocksMax }: Pick<ReadyTerms, 'network' | 'expiryBlocksMax'>,
  tipHeight: number | undefined,
): Finding[] {
  return [
    ...checkVersion(tx),
    ...checkExpiry(tx.expiryHeight, tipHeight, expiryBlocksMax),
    ...checkLockTime(tx, network),
    ...checkShielded(tx),
    ...checkOutpoints(tx),
  ]
}

/** The version group needs no look: a transaction of version 4 with another does not decode. */
function checkVersion({ overwintered, version }: Transaction): Finding[] {
  if (overwintered && version === 4) return []
  const actual = `${version}${overwintered ? ', overwintered' : ''}`
  return [finding('version', 'version', { expected: '4, overwintered', actual })]
}

export function checkExpiry(
  expiryHeight: number,
  tipHeight: number | undefined,
  blocksMax: number,
): Finding[] {
  const path = 'expiryHeight'
  const actual = expiryHeight
  if (expiryHeight === 0) return [finding('no_expiry', path, { actual })]
  if (expiryHeight >= expiryHeightMax) {
    return [finding('expiry_range', path, { expected: `below ${expiryHeightMax}`, actual })]
  }
  if (tipHeight === undefined) return [finding('expiry_not_checked', path, { actual })]
  if (expiryHeight <= tipHeight) {
    return [finding('expired', path, { expected: `above ${tipHeight}`, actual })]
  }
  if (expiryHeight > tipHeight + blocksMax) {
    const expected = `at most ${tipHeight + blocksMax}`
    return [finding('expiry_range', path, { expected, actual })]
  }
  return []
}

function checkLockTime({ lockTime, inputs }: Transaction, { conditions }: Network): Finding[] {
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
    const isNull = txid === zeroTxid || vout === importVout || vout === 0xffffffff
    if (isNull) findings.push(finding('null_prevout', `inputs[${index}]`, { actual: outpoint }))
    if (seen.has(outpoint)) {
      findings.push(finding('duplicate_input', `inputs[${index}]`, { actual: outpoint }))
    }
    seen.add(outpoint)
  })
  return findings
}

/** Values and their running sum, as consensus bounds them. */
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
  if (sum > maxMoney) {
    findings.push(
      finding('value_range', 'outputs', { expected: `at most ${maxMoney}`, actual: sum }),
    )
  }
  return findings
}
