// Reads the members of a daemon's raw answers. An answer of another form is an error.

import { isHex32 } from '../primitives/hex-forms.ts'
import { wholeNumberIn } from '../primitives/whole-number.ts'
import { RpcError } from '../rpc/errors.ts'

const isTxid = (text: string): boolean => isHex32(text.toLowerCase())

export function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** @throws {RpcError} of kind `shape` */
export function rowsOf(reply: unknown, method: string): readonly unknown[] {
  if (Array.isArray(reply)) return reply
  throw wrongShape(method, 'a list')
}

/** @throws {RpcError} of kind `shape` */
export function txidOf(value: unknown, method: string): string {
  if (typeof value === 'string' && isTxid(value)) return value.toLowerCase()
  throw wrongShape(method, '64 hexadecimal digits')
}

/**
 * Reads a number, which raw answers keep as it was written.
 *
 * @throws {RpcError} of kind `shape`
 */
export function numberOf(row: unknown, member: string, method: string): number {
  const number = wholeNumberIn(memberOf(row, member))
  if (number !== undefined && number <= 0xffffffff) return number
  throw wrongShape(method, `${member}: a whole number`)
}

export function wrongShape(method: string, expected: string): RpcError {
  const message = `${method}: the daemon's answer has another form; expected ${expected}`
  return new RpcError('shape', message, { method, reason: 'unexpected_value', expected })
}
