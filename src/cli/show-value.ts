import { isLosslessNumber, stringify } from 'lossless-json'
import { printable, printableJson } from '../primitives/printable.ts'

/** JSON of a result, safe to show: amounts as decimal strings, other numbers digit for digit. */
export function resultJson(value: unknown): string {
  const replaced = (_member: string, member: unknown): unknown =>
    typeof member === 'bigint' ? member.toString() : member
  return `${printableJson(stringify(value, replaced, 2) ?? 'null')}\n`
}

/**
 * A result for people: what is single on its line, the rest indented below its name.
 *
 * Everything in it came from a server, so every text is made safe to show.
 */
export function resultText(value: unknown): string {
  return `${linesOf(value).join('\n')}\n`
}

function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trimEnd().split('\n').map(printable)
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    return [printable(String(value))]
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? ['(none)'] : value.flatMap((item) => itemLines(item))
  }
  const entries = Object.entries(value)
  const width = Math.max(0, ...entries.map(([name]) => printable(name).length))
  return entries.flatMap(([name, item]) => memberLines(printable(name), item, width))
}

function itemLines(item: unknown): string[] {
  const [first = '', ...rest] = linesOf(item)
  return typeof item === 'object' && item !== null
    ? [`- ${first}`, ...rest.map((line) => `  ${line}`)]
    : [first, ...rest.map((line) => `  ${line}`)]
}

function memberLines(name: string, item: unknown, width: number): string[] {
  const lines = linesOf(item)
  const isSingle = typeof item !== 'object' || item === null || isLosslessNumber(item)
  if (isSingle && lines.length === 1) return [`${name.padEnd(width)}  ${lines[0]}`]
  return [name, ...lines.map((line) => `  ${line}`)]
}
