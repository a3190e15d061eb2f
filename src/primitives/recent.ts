/** Values by key, of which those that were not used for the longest time are forgotten. */
export interface RecentValues<Value> {
  get(key: string): Value | undefined
  /** Keeps a value of some size, unless the key has one already. */
  add(key: string, value: Value, size: number): void
  clear(): void
}

/**
 * The share of the size that is kept where values are forgotten. The search for the oldest passes over
 * the places of all that were deleted, so each search forgets many.
 */
const keptShare = 0.9

/** @param sizeMax - of all values together */
export function recentValues<Value extends {}>(sizeMax: number): RecentValues<Value> {
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let total = 0
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // A map lists its keys in the order in which they were set.
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    add(key, value, size) {
      if (kept.has(key)) return
      kept.set(key, { value, size })
      total += size
      if (total <= sizeMax) return
      for (const [oldest, it] of kept) {
        if (total <= sizeMax * keptShare) break
        kept.delete(oldest)
        total -= it.size
      }
    },
    clear() {
      kept.clear()
      total = 0
    },
  }
}
