// Copies values that a caller passed, so that later changes have no effect.

import { isUint8Array } from './arguments.ts'
import { isLosslessNumber } from './json.ts'

/** The depth is greater than that of any request; a circular request ends here too. */
const depthMax = 128

/**
 * Copies a request and reads each of its members once. Later changes by the caller then have no
 * effect while the call waits, and a getter has one result.
 *
 * It copies lists, plain objects, bytes, and the members and getters of class instances. Functions,
 * signals and other objects of the platform are not copied.
 *
 * @throws {TypeError} for a request that is nested deeper than 128, or circular
 */
export function snapshot<Request>(request: Request, name: string): Request
export function snapshot(value: unknown, name: string, depth: number): unknown
export function snapshot(value: unknown, name: string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) throw new TypeError(`${name}: nested deeper than ${depthMax}`)
  if (Array.isArray(value)) return copyOfList(value, name, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return copyOfPlain(value, name, depth)
  if (isLosslessNumber(value)) return value
  if (isUint8Array(value)) return new Uint8Array(value)
  if (isOfPlatform(value, prototype)) return hasJson(value) ? value.toJSON() : value
  const copy: object = Object.create(prototype as object | null)
  for (const [member, item] of membersOf(value)) {
    // The class may have a setter of that name, which must not run.
    define(copy, member, snapshot(item, name, depth + 1), Object.hasOwn(value, member))
  }
  return copy
}

/** Names of members that are passed on uncopied, because the object itself matters. */
const live: ReadonlySet<string> = new Set(['signal', 'journal'])

/**
 * Copies options as `snapshot` does, except for a signal of any kind.
 *
 * @throws {TypeError} as `snapshot`
 */
export function snapshotOptions<Options extends object>(options: Options, name: string): Options {
  if (typeof options !== 'object' || options === null) return options
  const copy: Record<string, unknown> = {}
  for (const [member, value] of membersOf(options)) {
    copy[member] = live.has(member) ? value : snapshot(value, `${name}.${member}`, 1)
  }
  return copy as Options
}

/**
 * Copies the most frequent kind. Its members are assigned, because defined ones are slow to read.
 */
function copyOfPlain(value: object, name: string, depth: number): object {
  const copy: Record<string, unknown> = {}
  for (const member of Object.keys(value)) {
    const taken = snapshot((value as Record<string, unknown>)[member], name, depth + 1)
    // An assignment would set the prototype.
    if (member === '__proto__') define(copy, member, taken, true)
    else copy[member] = taken
  }
  return copy
}

function define(copy: object, member: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(copy, member, { value, enumerable, configurable: true, writable: true })
}

function copyOfList(list: readonly unknown[], name: string, depth: number): unknown[] {
  const { length } = list
  const copy: unknown[] = []
  for (let index = 0; index < length; index += 1) {
    if (!(index in list)) {
      // The result is irrelevant: the check of arguments refuses a list with a hole.
      copy.length = length
      break
    }
    copy.push(snapshot(list[index], name, depth + 1))
  }
  return copy
}

/** Returns visible own members and the getters of a class; nothing else reads them. */
function membersOf(value: object): [member: string, item: unknown][] {
  const members = value as Readonly<Record<string, unknown>>
  const names = new Set(Object.keys(value))
  for (const prototype of prototypesOf(value)) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (get !== undefined) names.add(name)
    }
  }
  return [...names].map((name) => [name, members[name]])
}

function* prototypesOf(value: object): Generator<object> {
  let prototype: object | null = Object.getPrototypeOf(value)
  while (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    yield prototype
    prototype = Object.getPrototypeOf(prototype)
  }
}

/**
 * Returns whether the platform made an object: its internal slots cannot be copied. Classes of the
 * caller can.
 */
function isOfPlatform(value: object, prototype: unknown): boolean {
  return prototype !== null && Object.prototype.toString.call(value) !== '[object Object]'
}

/** Returns whether an object has a JSON form. A date or a URL can change, so its JSON is copied. */
function hasJson(value: object): value is { toJSON(): string } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
