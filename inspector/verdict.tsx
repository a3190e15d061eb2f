// The request, the effects of the transaction, and every finding at its place.

import type { JSX } from 'preact'
import { type Case, type Finding, formatReport, type Report } from '../src/index.ts'
import { brief, safe } from './words.ts'

interface VerdictProps {
  readonly given: Case
  readonly report: Report
  readonly onSelect: (path: string) => void
}

const severities = { reject: 'Reject', warn: 'Warning', info: 'Note' } as const

export function Verdict({ given, report, onSelect }: VerdictProps): JSX.Element {
  const [headline = '', broadcast = '', ...rest] = formatReport(report, { given }).split('\n')
  // findings follow below, each with its place
  const words = rest.slice(
    0,
    rest.findIndex((line) => /^(?:No f|F)indings/.test(line)),
  )
  const isUndecided = report.ok ? report.broadcast !== 'yes' : headline.startsWith('UNSIGNED')
  const kind = isUndecided ? 'undecided' : report.ok ? 'agrees' : 'rejected'
  return (
    <section class={`verdict is-${kind}`} aria-labelledby="verdict">
      <h2 id="verdict">{headline}</h2>
      <p class="broadcast">{broadcast}</p>
      <pre>{words.join('\n').trim()}</pre>
      {report.findings.length > 0 && (
        <ul class="findings">
          {report.findings.map((finding, at) => (
            <li key={`${at} ${finding.code}`} class={`is-${finding.severity}`}>
              <FindingText finding={finding} onSelect={onSelect} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function FindingText({
  finding: { code, severity, path, message, expected, actual },
  onSelect,
}: {
  readonly finding: Finding
  readonly onSelect: (path: string) => void
}): JSX.Element {
  return (
    <>
      <strong>{severities[severity]}</strong> {safe(message)}{' '}
      <button type="button" class="place" onClick={() => onSelect(path)}>
        {path === '' ? 'the whole' : safe(path)}
      </button>
      <code class="code">{code}</code>
      {expected !== undefined && <Compared name="expected" value={expected} />}
      {actual !== undefined && <Compared name="found" value={actual} />}
    </>
  )
}

function Compared({
  name,
  value,
}: {
  readonly name: string
  readonly value: unknown
}): JSX.Element {
  return (
    <span class="compared">
      {name} <code>{brief(textOf(value))}</code>
    </span>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return value.toString()
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  )
}
