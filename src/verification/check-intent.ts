// The first step of every verification: a validated request, and evidence with known members only.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { requireObject } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { type Evidence, evidenceTable } from '../request/evidence.ts'
import { mayLackArgument, requireMembers } from '../request/form-table.ts'
import type { Finding } from '../request/report.ts'

export interface Checked<Intent> {
  readonly intent: Intent
  readonly findings: readonly Finding[]
}

/**
 * Members of evidence. An unsigned transaction or the content of a case file may stand in its place,
 * so their members count too.
 */
const givenMembers: readonly string[] = [
  ...evidenceTable.names,
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
  requireMembers(evidence, evidenceTable, 'evidence.', mayLackArgument)
}
