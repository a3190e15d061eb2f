// Schemas for the members of replies.

import * as v from 'valibot'
import { hex32 } from '../primitives/hex-forms.ts'
import { isLosslessNumber, type JsonValue } from '../primitives/json.ts'
import { integerOf, satsOfCoins } from './amounts.ts'
import { RpcError, type RpcErrorReason } from './errors.ts'

/** The schema of a reply or a part of one, with its type. */
export type Schema<T> = v.GenericSchema<unknown, T>

/** Makes a schema from a function that returns `undefined` for a value that does not fit. */
export function field<T>(
  expected: string,
  read: (value: unknown) => T | undefined,
  reason: RpcErrorReason = 'unexpected_value',
): Schema<T> {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value)
      if (value !== undefined) return value
      addIssue({ message: reason, expected, received: shown(dataset.value) })
      return NEVER
    }),
  )
}

function numberText(value: unknown): string | undefined {
  return isLosslessNumber(value) ? value.value : undefined
}

/** An object that may have unknown members. Numbers in these are `LosslessNumber`. */
export interface Open {
  readonly [member: string]: unknown
}

export function optional<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.exactOptional(schema)
}

export const anything: Schema<JsonValue> = v.unknown() as Schema<JsonValue>

export const text: Schema<string> = v.string()

export const texts: Schema<readonly string[]> = v.array(text)

export const flag: Schema<boolean> = v.boolean()

/**
 * Coins as a decimal number, or as a string from older daemons, read as satoshis; may be negative.
 */
export const satsFromCoins: Schema<bigint> = field('an amount in coins', (value) =>
  satsOfCoins(typeof value === 'string' ? value : (numberText(value) ?? '')),
)

/** Integer from 0 to 2^63 - 1: satoshis or token units. */
export const units: Schema<bigint> = field('an amount in satoshis or token units', (value) => {
  const amount = integerOf(numberText(value) ?? '')
  return amount !== undefined && amount >= 0n ? amount : undefined
})

/** Integer from -2^63 to 2^63 - 1. */
export const wideInteger: Schema<bigint> = field('an integer', (value) =>
  integerOf(numberText(value) ?? ''),
)

/** Integer that a double holds exactly. */
export const integer: Schema<number> = field('an integer', safeInteger)

function safeInteger(value: unknown): number | undefined {
  const number = Number(integerOf(numberText(value) ?? '') ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Integer from 0 that a double holds exactly: heights, counts, times, indexes. */
export const count: Schema<number> = field('an integer from 0', (value) => {
  const number = safeInteger(value)
  return number !== undefined && number >= 0 ? number : undefined
})

/** A number that the server computed as a double. */
export const measure: Schema<number> = field('a number', (value) => {
  const number = Number(numberText(value) ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
})

const hexDigits = /^(?:[0-9a-f]{2})*$/

/** Bytes as lower-case hex. */
export const hex: Schema<string> = field('hex', (value) => {
  const digits = typeof value === 'string' ? value.toLowerCase() : 'x'
  return hexDigits.test(digits) ? digits : undefined
})

/** Transaction or block id: 32 bytes as lower-case hex, display order. */
export const hash256: Schema<string> = field('64 hex digits', (value) => {
  const digits = typeof value === 'string' ? value.toLowerCase() : ''
  return hex32.test(digits) ? digits : undefined
})

export const hashes: Schema<readonly string[]> = v.array(hash256)

/** The name of a member that is the id of a transaction or a block. */
export const hashName: v.GenericSchema<string, string> = v.pipe(v.string(), v.regex(hex32))

/** The reply of a method that has nothing to say. */
export const nothing: Schema<null> = v.null()

/**
 * Reads a value of a reply by its schema.
 *
 * @throws {RpcError} of kind `shape`, for the first value that does not fit
 */
export function readValue<T>(schema: Schema<T>, value: JsonValue, at = 'result'): T {
  const outcome = v.safeParse(schema, value, { abortEarly: true })
  if (outcome.success) return outcome.output
  const [issue] = outcome.issues
  const within = v.getDotPath(issue)
  const path = within === null ? at : `${at}.${within}`
  const expected = issue.expected ?? 'another value'
  const received = issue.type === 'raw_transform' ? issue.received : shown(issue.input)
  throw new RpcError('shape', `${path}: expected ${expected}, received ${received}`, {
    reason: issue.type === 'raw_transform' ? (issue.message as RpcErrorReason) : 'unexpected_value',
    path,
    expected,
    received,
  })
}

/** Describes a value of a reply. It is cut only after redaction, which needs whole secrets. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/**
 * Chooses one of several schemas by the value, so that errors name the place in the chosen form.
 */
export function chosen<T>(pick: (value: unknown) => Schema<T>): Schema<T> {
  return v.lazy(pick)
}

export const success: Schema<'success'> = v.literal('success')
