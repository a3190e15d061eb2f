import { bigintAsText } from '../primitives/json-replacer.ts'
import { printableJson } from '../primitives/printable.ts'
import type { Finding, Report } from '../request/report.ts'

/** A value that `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [member: string]: PlainJson }

/**
 * Converts a report to plain JSON values: amounts become decimal strings, and members keep their
 * order.
 *
 * JSON cannot carry the proof of verification: verify again before you broadcast.
 *
 * @param report - what a verifier returned
 * @returns an object that `JSON.stringify` writes without loss
 * @example
 * reportToJson(verifyCase(parseCase(text))).fee // '10000'
 */
export function reportToJson(report: Report): { readonly [member: string]: PlainJson } {
  return JSON.parse(written(report)) as { readonly [member: string]: PlainJson }
}

/**
 * Returns the JSON text of `reportToJson` in a third of the time: most of a report is hex and fixed
 * words, in which no character needs to be escaped.
 *
 * @returns one line of visible characters
 */
export function reportLine(report: Report): string {
  let line = ''
  for (const name of Object.keys(report)) {
    const value = report[name as keyof Report]
    if (value === undefined) continue
    const isPlain = plainMembers.has(name) || (name === 'hex' && report.txid !== undefined)
    const text =
      name === 'findings'
        ? findingsText(report.findings)
        : isPlain
          ? plainText(value)
          : quoted(value)
    line += `${line === '' ? '{' : ','}"${name}":${text}`
  }
  return `${line}}`
}

/** Members that contain no text of other parties except hex. */
const plainMembers: ReadonlySet<string> = new Set<keyof Report>([
  'ok',
  'broadcast',
  'operation',
  'effects',
  'txid',
  'verified',
  'fee',
  'inputsMinusOutputs',
  'feeKnown',
  'spends',
])

/** Returns the JSON of a value whose strings need no escapes. */
function plainText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'bigint') return `"${value}"`
  if (typeof value !== 'object' || value === null) return String(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${plainText(item)}`
    return `[${text}]`
  }
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value]
    if (member !== undefined) text += `${text === '' ? '' : ','}"${name}":${plainText(member)}`
  }
  return `{${text}}`
}

/** Returns the JSON of findings: most of their members are texts, which need no replacer. */
function findingsText(findings: readonly Finding[]): string {
  let texts = ''
  for (const finding of findings) {
    let text = ''
    for (const name of Object.keys(finding)) {
      const value = finding[name as keyof Finding]
      if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${quoted(value)}`
    }
    texts += `${texts === '' ? '' : ','}{${text}}`
  }
  return `[${texts}]`
}

/** Matches text that JSON shows as it is: ASCII without a quote, a backslash or a control. */
const unescaped = /^[ !#-[\]-~]*$/

/** Returns JSON that contains only visible characters. */
function quoted(value: unknown): string {
  if (typeof value === 'string' && unescaped.test(value)) return `"${value}"`
  return printableJson(written(value))
}

function written(value: unknown): string {
  return JSON.stringify(value, bigintAsText)
}
