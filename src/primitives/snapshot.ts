import { isUint8Array } from './arguments.ts'
import { isLosslessNumber } from './json.ts'

/** Deeper than any request; a request that holds itself ends here too. */
const depthMax = 128

/**
 * Copies a request at once and reads each member once. What the caller changes later, while the
 * call waits for a server or lets other work in, changes nothing; a getter has one answer.
 *
 * Copies lists, plain objects, bytes, and the members and getters of a class's instance. Functions,
 * signals and other objects of the platform stay the same.
 *
 * @throws {TypeError} for a request that is nested deeper than 128, or holds itself
 */
export function snapshot<Request>(request: Request, name: string): Request {
  return copyOf(request, name, 0) as Request
}

/** Members that are objects at work: what they are counts, not what they hold. */
const live: ReadonlySet<string> = new Set(['signal', 'journal'])

/**
 * Copies options as `snapshot` does; a signal stays the caller's own, whatever it is made of.
 *
 * @throws {TypeError} as `snapshot`
 */
export function snapshotOptions<Options extends object>(options: Options, name: string): Options {
  if (typeof options !== 'object' || options === null) return options
  const copy: Record<string, unknown> = {}
  for (const [member, value] of membersOf(options)) {
    copy[member] = live.has(member) ? value : copyOf(value, `${name}.${member}`, 1)
  }
  return copy as Options
}

function copyOf(value: unknown, name: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value
  if (depth > depthMax) throw new TypeError(`${name}: nested deeper than ${depthMax}`)
  if (Array.isArray(value)) return copyOfList(value, name, depth)
  if (isUint8Array(value)) return new Uint8Array(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (isOfPlatform(value, prototype)) return hasJson(value) ? value.toJSON() : value
  const copy: object = Object.create(prototype as object | null)
  for (const [member, item] of membersOf(value)) {
    // Defined, not assigned: a member may be called __proto__, or have a setter in the class.
    const isOwn = Object.hasOwn(value, member)
    const taken = copyOf(item, name, depth + 1)
    Object.defineProperty(copy, member, {
      value: taken,
      enumerable: isOwn,
      configurable: true,
      writable: true,
    })
  }
  return copy
}

function copyOfList(list: readonly unknown[], name: string, depth: number): unknown[] {
  const { length } = list
  const copy: unknown[] = []
  for (let index = 0; index < length; index += 1) {
    if (!(index in list)) {
      // The check of arguments refuses a list with a hole: what follows does not matter.
      copy.length = length
      break
    }
    copy.push(copyOf(list[index], name, depth + 1))
  }
  return copy
}

/** Own members that are not hidden, and getters of a class; each is read here and nowhere else. */
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

/** What the engine makes has slots that a copy would lack. A class of the caller's is its own. */
function isOfPlatform(value: object, prototype: unknown): boolean {
  if (prototype === null || prototype === Object.prototype) return false
  return Object.prototype.toString.call(value) !== '[object Object]'
}

/** A date or an address of the platform can change: its JSON is what a server is sent. */
function hasJson(value: object): value is { toJSON(): string } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}
