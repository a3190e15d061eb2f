// Checks of the inputs that an intent allows, whatever its operation is.

import { type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Outpoint } from '../transaction/types.ts'

/**
 * Checks that only allowed outputs are spent, and names the source of that list.
 *
 * @param borrowed - outputs of the order that the intent names, as `txid:vout`; they may be spent
 *   although the list does not have them
 */
export function checkSpendable(
  inputs: readonly Outpoint[],
  { spendable, onChain, chain, ownScripts, reportedBy }: ReadyTerms,
  borrowed?: ReadonlyMap<string, unknown>,
): Finding[] {
  const findings: Finding[] = []
  if (reportedBy !== undefined) {
    const actual = reportedBy
    const reported = finding('intent_asserted', 'intent.spendable', { actual })
    if (spendable !== undefined) findings.push(reported)
    if (onChain !== undefined) findings.push({ ...reported, path: 'intent.onChain' })
    if (chain !== undefined) findings.push({ ...reported, path: 'intent.chain' })
    if (ownScripts.size > 0) findings.push({ ...reported, path: 'intent.ownKeys' })
  }
  if (spendable === undefined) return findings
  for (const [index, { txid, vout }] of inputs.entries()) {
    const outpoint = `${txid}:${vout}`
    if (spendable.has(outpoint) || borrowed?.has(outpoint)) continue
    findings.push(finding('unlisted_input', `inputs[${index}]`, { actual: outpoint }))
  }
  return findings
}
