import type { UnsignedTransaction } from '../builders/unsigned.ts'
import {
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { type ClaimedAmount, type Evidence, evidenceMembers } from '../request/case.ts'
import type { Finding } from '../request/report.ts'

export interface Checked<Intent> {
  readonly intent: Intent
  readonly findings: readonly Finding[]
}

/**
 * Of evidence, or of an unsigned transaction or the content of a case file, which may be given for
 * it.
 */
const givenMembers: readonly string[] = [
  ...evidenceMembers,
  ...memberNames<UnsignedTransaction>({
    operation: true,
    intent: true,
    hex: true,
    evidence: true,
    previousTransactions: true,
    tokenCreate: true,
    tipHeight: true,
    tipTime: true,
    medianTime: true,
    heights: true,
    coins: true,
    leftOut: true,
    fee: true,
    unproven: true,
  }),
  'network',
  'note',
]

/** @throws {TypeError} */
export function requireEvidence(evidence: Evidence): void {
  requireObject(evidence, 'evidence')
  requireKnownMembers(evidence, givenMembers, 'evidence')
  requireArray(evidence.previousTransactions, 'evidence.previousTransactions')
  evidence.previousTransactions.forEach((hex, index) => {
    requireString(hex, `evidence.previousTransactions[${index}]`)
  })
  if (evidence.tokenCreate !== undefined) {
    requireString(evidence.tokenCreate, 'evidence.tokenCreate')
  }
  const { tipHeight, tipTime, medianTime, heights, amounts } = evidence
  if (tipHeight !== undefined) requireUint32(tipHeight, 'evidence.tipHeight')
  if (tipTime !== undefined) requireUint32(tipTime, 'evidence.tipTime')
  if (medianTime !== undefined) requireUint32(medianTime, 'evidence.medianTime')
  if (heights !== undefined) {
    requireObject(heights, 'evidence.heights')
    for (const [txid, height] of Object.entries(heights)) {
      requireUint32(height, `evidence.heights.${txid}`)
    }
  }
  if (amounts !== undefined) requireAmounts(amounts)
}

function requireAmounts(amounts: unknown): void {
  requireArray(amounts, 'evidence.amounts')
  for (const [at, amount] of amounts.entries()) {
    const path = `evidence.amounts[${at}]`
    requireObject(amount, path)
    const { txid, vout, value } = amount as Partial<ClaimedAmount>
    requireString(txid, `${path}.txid`)
    requireUint32(vout, `${path}.vout`)
    requireBigint(value, `${path}.value`)
  }
}
