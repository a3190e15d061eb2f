/** Values by key, of which those that were not used for the longest time are forgotten. */
export interface RecentValues<Value> {
  get(key: string): Value | undefined
  /** Keeps a value of some size, unless the key has one already. */
  add(key: string, value: Value, size: number): void
  remove(key: string): void
  clear(): void
}

/** @param sizeMax - of all values together */
export function recentValues<Value extends {}>(sizeMax: number): RecentValues<Value> {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let total = 0
  /**
   * Yields the oldest key next. A new iterator steps over the place of each deleted key, which takes
   * time, and a map keeps its old tables for an old iterator, which takes memory. So an iterator is
   * renewed after as many changes as there are keys.
   */
  let oldest = kept.keys()
  let changes = 0

  function put(key: string, it: { readonly value: Value; readonly size: number }): void {
    kept.set(key, it)
    changes += 1
    if (changes <= kept.size) return
    oldest = kept.keys()
    changes = 0
  }

  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // A map lists its keys in the order in which they were set.
      kept.delete(key)
      put(key, found)
      return found.value
    },
    add(key, value, size) {
      if (kept.has(key)) return
      put(key, { value, size })
      total += size
      while (total > sizeMax) {
        const first = oldest.next().value
        if (first === undefined) {
          oldest = kept.keys()
        } else {
          total -= kept.get(first)!.size
          kept.delete(first)
        }
      }
    },
    remove(key) {
      total -= kept.get(key)?.size ?? 0
      kept.delete(key)
    },
    clear() {
      kept.clear()
      total = 0
    },
  }
}
