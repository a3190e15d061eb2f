import { printable } from '../primitives/printable.ts'
import { type Broadcast, conclude, isOpen } from '../request/broadcast.ts'
import type { Finding, Report } from '../request/report.ts'
import { lacksOnlySignatures } from './case-signing.ts'
import { nextSteps, type OpenCode } from './next-steps.ts'

const broadcastWords: { readonly [Word in Broadcast]: string } = {
  yes: 'Safe to broadcast',
  no: 'Do not broadcast',
  'your-decision': 'Your decision',
}

/**
 * Says in one sentence whether to broadcast, why not, and what to do next. It follows from the
 * findings, so a report that was changed by hand cannot say more.
 */
export function verdictSentence(report: Report): string {
  const { findings } = report
  const { broadcast } = conclude(findings)
  if (broadcast === 'no' || !report.ok) return `${broadcastWords.no}: ${refusal(report)}.`
  if (broadcast === 'yes') return `${broadcastWords.yes}.`
  const open = findings.filter(isOpen)
  // One fact about several inputs is one point.
  const points = new Set(open.map(({ code }) => code)).size
  return `${broadcastWords[broadcast]}: ${openPoint(open[0]!)}${moreOf(points - 1, 'point')}.`
}

function refusal(report: Report): string {
  if (lacksOnlySignatures(report)) return 'the transaction is not signed; sign it first'
  const sent = report.findings.find(({ code }) => code === 'already_in_block')
  if (sent !== undefined && hasOnlyExpired(report)) {
    return `${openPoint(sent)}; its expiry no longer matters`
  }
  const [first, ...others] = report.findings.filter(({ severity }) => severity === 'reject')
  if (first === undefined) return 'the report does not agree'
  return `${printable(first.message)}; see antara-tx explain ${first.code}${moreOf(others.length, 'reject')}`
}

/** A transaction in a block has not expired, whatever its expiry height. */
function hasOnlyExpired({ findings }: Report): boolean {
  const rejects = findings.filter(({ severity }) => severity === 'reject')
  return rejects.every(({ code }) => code === 'expired')
}

function moreOf(count: number, noun: string): string {
  return count === 0 ? '' : `; ${count} more ${noun}${count === 1 ? '' : 's'} below`
}

function openPoint(finding: Finding): string {
  const { code, message } = finding
  const missing = code === 'token_parent_unproven' ? missingAncestors(finding.actual) : undefined
  if (missing !== undefined) return missing
  const step = Object.hasOwn(nextSteps, code) ? `; ${nextSteps[code as OpenCode]}` : ''
  return `${printable(message)}${step}`
}

/** Returns `undefined` if the finding names no ancestor. */
function missingAncestors(actual: unknown): string | undefined {
  const text = typeof actual === 'string' ? actual : ''
  const [first, ...others] = text.match(/\b[0-9a-f]{64}\b/g) ?? []
  if (first === undefined) return undefined
  const count = 1 + others.length + Number(/ and (\d+) more$/.exec(text)?.[1] ?? 0)
  const ancestors = `${count} ancestor${count === 1 ? '' : 's'} missing`
  const fetch = count === 1 ? 'fetch it with' : 'fetch each, beginning with'
  return `token ancestry incomplete (${ancestors}); ${fetch} antara-tx rpc daemon getrawtransaction ${first}`
}
