import type { ErrorContext } from '../errors/antara-error.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, isBigInt64Array, isUint32Array } from '../primitives/arguments.ts'

/** Bytes that spending a coin adds to a transaction: one number for all coins, or one for each. */
export type InputBytes = number | Uint32Array

/** Bytes of a signed pay-to-public-key-hash input. */
export const nativeInputBytes = 148
/** Bytes of a signed token input. */
export const tokenInputBytes = 164

/** The largest element of a transaction. source: native/core/select/pricing.h, element_bytes_max */
const elementBytesMax = 4_000_000

export function requireValues(values: unknown, path: string): asserts values is BigInt64Array {
  if (!isBigInt64Array(values)) throw argumentError(path, 'a BigInt64Array', values)
}

/** @throws {AntaraError} `input_bytes_out_of_range` */
export function readInputBytes(
  bytes: unknown,
  values: BigInt64Array,
  path: string,
  unlessGiven: number,
): InputBytes {
  if (bytes === undefined) return unlessGiven
  if (isUint32Array(bytes)) {
    if (bytes.length === values.length) return bytes
    throw new TypeError(`${path}: expected ${values.length} sizes, got ${bytes.length}`)
  }
  if (typeof bytes !== 'number') throw argumentError(path, 'a number or a Uint32Array', bytes)
  return readBytes(bytes, path)
}

/** Sizes as the engine takes them: one for each coin, or none and the one that all coins have. */
export function sizesOf(bytes: InputBytes): { each: Uint32Array; same: number } {
  return typeof bytes === 'number' ? { each: noSizes, same: bytes } : { each: bytes, same: 0 }
}

const noSizes = new Uint32Array(0)

/** @throws {AntaraError} `input_bytes_out_of_range` for a number that is not a size: negative, NaN, 1.5 */
export function readBytes(bytes: unknown, path: string): number {
  if (typeof bytes !== 'number') throw argumentError(path, 'a number', bytes)
  if (Number.isInteger(bytes) && bytes >= 0 && bytes <= elementBytesMax) return bytes
  throw new AntaraError('input_bytes_out_of_range', { path, actual: bytes })
}

/** Converts the position that the engine reports to a path; `prefix` is `coins.` or empty. */
export function locateCoin(
  { offset = 0 }: ErrorContext,
  code: string,
  values: BigInt64Array,
  inputBytes: InputBytes,
  prefix: string,
): ErrorContext {
  if (code === 'input_bytes_out_of_range') {
    const actual = typeof inputBytes === 'number' ? inputBytes : inputBytes[offset]
    return { path: `${prefix}inputBytes[${offset}]`, actual }
  }
  return { path: `${prefix}values[${offset}]`, actual: values[offset] }
}
