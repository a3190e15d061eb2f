import { lossyUtf8Bytes } from './utf8.ts'

/** Values that were computed before, by key. */
interface Cache<Value> {
  /**
   * Returns the values of some keys, and computes those that are missing together.
   *
   * @param compute - returns the values of new keys, each of which is passed once
   */
  getAll(keys: readonly string[], compute: (missing: string[]) => readonly Value[]): Value[]
  /** Returns the value of a key, if it was computed before. */
  get(key: string): Value | undefined
}

/** More keys at once would only make a call larger than the native core takes. */
export const batchMax = 1024

/** Creates a cache that empties itself when it is full, which costs less than tracking age. */
export function createCache<Value extends {}>(entriesMax: number): Cache<Value> {
  const values = new Map<string, Value>()
  return {
    get: (key) => values.get(key),
    getAll(keys, compute) {
      const found = keys.map((key) => values.get(key))
      if (!found.includes(undefined)) return found as Value[]
      const missing = keys.filter((_, at) => found[at] === undefined)
      const computed = computeInBatches([...new Set(missing)], compute)
      if (values.size + computed.size > entriesMax) values.clear()
      for (const [key, value] of computed) {
        if (values.size < entriesMax) values.set(detached(key), value)
      }
      return found.map((value, at) => value ?? computed.get(keys[at]!)!)
    },
  }
}

function computeInBatches<Value>(
  keys: readonly string[],
  compute: (missing: string[]) => readonly Value[],
): Map<string, Value> {
  const computed = new Map<string, Value>()
  for (let at = 0; at < keys.length; at += batchMax) {
    const batch = keys.slice(at, at + batchMax)
    for (const [index, value] of compute(batch).entries()) computed.set(batch[index]!, value)
  }
  return computed
}

const decoder = new TextDecoder()

/** Returns a copy of `text`: a slice would keep alive the whole text that it was cut from. */
export function detached(text: string): string {
  return decoder.decode(lossyUtf8Bytes(text))
}
