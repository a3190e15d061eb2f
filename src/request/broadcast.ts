import type { Finding } from './finding.ts'

/**
 * One word about broadcasting: `yes`, `no`, or `your-decision` if a finding leaves open something
 * that could cost money.
 */
export type Broadcast = 'yes' | 'no' | 'your-decision'

/**
 * Warnings about a form that daemons do not write. The amounts and payees are the requested ones,
 * and the chain accepts the form. Any other warning leaves something open.
 */
export type HarmlessWarning = (typeof harmlessWarnings)[number]

/** Facts that leave something open: a server that supplies the request may supply a false one. */
export type OpenFact = (typeof openFacts)[number]

const harmlessWarnings = [
  'extra_input',
  'input_order',
  'output_order',
  'native_change_form',
  'nulldata_push',
  'script_sig',
] as const
const openFacts = ['intent_asserted'] as const

/** Returns true if a finding that rejects nothing leaves open something that could cost money. */
export function isOpen({ severity, code }: Pick<Finding, 'severity' | 'code'>): boolean {
  if (severity === 'warn') return !(harmlessWarnings as readonly string[]).includes(code)
  return severity === 'info' && (openFacts as readonly string[]).includes(code)
}

/** The members of a report that follow from its findings. */
interface Conclusion {
  readonly ok: boolean
  readonly broadcast: Broadcast
  readonly findings: readonly Finding[]
}

/** Concludes from all findings of a report. Call it again when a finding is added. */
export function conclude(findings: readonly Finding[]): Conclusion {
  const ok = findings.every(({ severity }) => severity !== 'reject')
  const broadcast = !ok ? 'no' : findings.some(isOpen) ? 'your-decision' : 'yes'
  return { ok, broadcast, findings }
}
