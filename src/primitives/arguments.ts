// Checks of arguments. A wrong argument is a mistake of the calling program and therefore a
// TypeError. Malformed data that a program passes on is an AntaraError, thrown where the data is
// read.

/** Describes a value's type, in words that help the caller. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return nameOfClass(value) ?? 'an object'
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`
}

/** Returns the name of an object's class; `undefined` if there is none, or a proxy or a getter throws. */
function nameOfClass(value: object): string | undefined {
  try {
    const name: unknown = value.constructor.name
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    return undefined
  }
}

export function argumentError(name: string, expected: string, actual: unknown): TypeError {
  return new TypeError(`${name}: expected ${expected}, got ${kindOf(actual)}`)
}

const tagOfTypedArray = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!.get!

/** Returns the name of a typed array of any realm or subclass; `undefined` for anything else. */
export function typedArrayName(value: unknown): string | undefined {
  return tagOfTypedArray.call(value)
}

/**
 * Returns whether `value` is a Uint8Array of any realm. Unlike `instanceof`, this accepts bytes
 * that test runners make with another realm's class, and it calls no traps of a proxy.
 */
export function isUint8Array(value: unknown): value is Uint8Array {
  return tagOfTypedArray.call(value) === 'Uint8Array'
}

/**
 * Returns whether `value` is a BigInt64Array of any realm. The values of coins are passed in these.
 */
export function isBigInt64Array(value: unknown): value is BigInt64Array {
  return tagOfTypedArray.call(value) === 'BigInt64Array'
}

/** Returns whether `value` is a Uint32Array of any realm. */
export function isUint32Array(value: unknown): value is Uint32Array {
  return tagOfTypedArray.call(value) === 'Uint32Array'
}

/** @param item - one item of the array, without an article */
export function requireSome(value: readonly unknown[], name: string, item: string): void {
  if (value.length > 0) return
  throw new TypeError(`${name}: expected at least one ${item}, got an empty array`)
}

export function requireString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw argumentError(name, 'a string', value)
}

export function requireBigint(value: unknown, name: string): asserts value is bigint {
  if (typeof value !== 'bigint') throw argumentError(name, 'a bigint', value)
}

export function requireBoolean(value: unknown, name: string): asserts value is boolean {
  if (typeof value !== 'boolean') throw argumentError(name, 'true or false', value)
}

export function requireUint32(value: unknown, name: string): asserts value is number {
  if (typeof value !== 'number') throw argumentError(name, 'a number', value)
  if (value >>> 0 !== value) {
    throw new TypeError(`${name}: expected an integer from 0 to 2^32 - 1, got ${value}`)
  }
}

export function requireByte(value: unknown, name: string): asserts value is number {
  if (typeof value !== 'number') throw argumentError(name, 'a number', value)
  if ((value & 0xff) !== value) {
    throw new TypeError(`${name}: expected an integer from 0 to 255, got ${value}`)
  }
}

/** Requires a time, which may be infinite. A comparison with `NaN` would be false for ever. */
export function requireMilliseconds(value: unknown, name: string): asserts value is number {
  if (typeof value !== 'number') throw argumentError(name, 'milliseconds, a number', value)
  if (!(value >= 0)) throw new TypeError(`${name}: expected milliseconds from 0, got ${value}`)
}

export function requireObject(value: unknown, name: string): asserts value is object {
  if (typeof value !== 'object' || value === null) throw argumentError(name, 'an object', value)
}

/** Requires an array. It also refuses holes, which loops skip and later code does not expect. */
export function requireArray(value: unknown, name: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw argumentError(name, 'an array', value)
  for (let index = 0; index < value.length; index += 1) {
    if (!(index in value)) throw new TypeError(`${name}[${index}]: expected an item, got none`)
  }
}
