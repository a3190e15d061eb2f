// Spends of the wallet's coins that its journal does not have, and that hold a payment.

import type { Report } from '../request/report.ts'
import { paysOther } from '../rpc/safe-flow/pays-other.ts'
import type { Plan } from './plan.ts'
import type { UnrecordedSpend } from './unrecorded.ts'

/** Both lists begin with the oldest txid. */
export interface HoldingSpends {
  /** All that hold the payment. */
  readonly unrecorded: readonly string[]
  /** The spends among them that make this very payment. */
  readonly equal: readonly string[]
}

export const noSpends: HoldingSpends = { unrecorded: [], equal: [] }

/**
 * Equal payments that one call looks for. After a lost journal, each of thousands of calls would
 * verify thousands of them.
 */
const equalMax = 16

interface Asked {
  readonly plan: Plan
  /** Txids that the caller knows. An equal payment holds although the caller knows it. */
  readonly acknowledged: readonly string[]
  /** The txid of the call's own transaction: its bytes pay only once, also if others sent them. */
  readonly submitted: string | undefined
  verify(hex: string): Promise<Report>
}

export async function holdingSpends(
  spends: readonly UnrecordedSpend[],
  { plan, acknowledged, submitted, verify }: Asked,
): Promise<HoldingSpends> {
  const known = new Set(acknowledged.map((txid) => txid.toLowerCase()))
  const equal: string[] = []
  const unrecorded: string[] = []
  for (const { transaction, hex, isBefore } of spends) {
    const { txid } = transaction
    if (txid === submitted) continue
    // Verification reads all ancestors, so what cannot be the payment is left out before.
    const isEqual =
      equal.length < equalMax &&
      plan.mayBe?.(transaction) === true &&
      !paysOther({ report: await verify(hex) })
    if (isEqual) equal.push(txid)
    if (isEqual || !(isBefore || known.has(txid))) unrecorded.push(txid)
  }
  return { unrecorded, equal }
}
