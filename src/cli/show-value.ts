import { isLosslessNumber, stringify } from 'lossless-json'
import { bigintAsText } from '../primitives/json-replacer.ts'
import { printable, printableJson } from '../primitives/printable.ts'

/**
 * Formats a result as JSON that is safe to show, with amounts as decimal strings and other numbers
 * digit for digit.
 */
export function resultJson(value: unknown): string {
  return `${printableJson(stringify(value, bigintAsText, 2) ?? 'null')}\n`
}

/**
 * Formats a result for people: single values on their lines, the rest indented below their names.
 *
 * All texts came from a server, so each is made safe to show.
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
  const width = entries.reduce((most, [name]) => Math.max(most, printable(name).length), 0)
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
