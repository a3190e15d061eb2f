import type { Report } from './report.ts'

/** What `JSON.stringify` writes and `JSON.parse` reads back the same. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [member: string]: PlainJson }

/**
 * A report as JSON can hold it: amounts as decimal strings, members as in the report, in its order.
 *
 * What is sealed in a report is not: who reads the JSON judges again before broadcasting.
 *
 * @example
 * reportToJson(verifyCase(parseCase(text))).fee // '10000'
 */
export function reportToJson(report: Report): { readonly [member: string]: PlainJson } {
  const text = JSON.stringify(report, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return JSON.parse(text) as { readonly [member: string]: PlainJson }
}
