// Values as an Electrum server reads and prints them. ElectrumX is written in Python.

import { isHex32 } from '../../primitives/hex-forms.ts'
import { isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { RpcFailure } from '../../server/json-rpc.ts'

const badRequest = 1

export function refused(message: string): RpcFailure {
  return new RpcFailure(badRequest, message)
}

export function hashOf(value: JsonValue | undefined, kind: string, verb = 'is not'): string {
  const hash = typeof value === 'string' ? value.toLowerCase() : undefined
  if (isHex32(hash)) return hash
  throw refused(`${textOf(value)} ${verb} ${kind}`)
}

/** Python's `int` takes numbers, which it cuts to whole ones, and digits in a text. */
export function wholeNumber(value: JsonValue | undefined): number {
  const text = isLosslessNumber(value) || typeof value === 'string' ? String(value) : 'x'
  const number = typeof value === 'boolean' ? Number(value) : Math.trunc(Number(text))
  if (Number.isSafeInteger(number) && number >= 0 && text !== '') return number
  throw refused(`${textOf(value)} should be a non-negative integer`)
}

export const isBoolean = (value: JsonValue): boolean =>
  typeof value === 'boolean' || (isLosslessNumber(value) && /^[01]$/.test(value.value))

export const isTrue = (value: JsonValue | undefined): boolean =>
  value === true || String(value) === '1'

/** A value as Python prints it. */
export function textOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string' || isLosslessNumber(value)) return String(value)
  return JSON.stringify(value)
}

export const grouped = (value: number): string => value.toLocaleString('en-US')

/** A text as Python prints it. */
export function quoted(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text}'`
}
