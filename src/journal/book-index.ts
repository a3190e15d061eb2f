// Indices of the payments of a book. They keep a decision from reading all earlier payments.

/** The members of a payment that the indices read. */
interface IndexedPayment {
  readonly name: string
  readonly chain?: string
  readonly attempts: readonly IndexedAttempt[]
  readonly past: readonly IndexedAttempt[]
}

interface IndexedAttempt {
  readonly txid: string
  readonly minedAs?: string
  readonly height?: number
  readonly fate?: 'settled' | 'dead'
}

interface BookIndex {
  /** Replaces a payment; `after` is `undefined` if nothing is left to remember of it. */
  update(before: IndexedPayment | undefined, after: IndexedPayment | undefined): void
  clear(): void
  /** Returns the names of the payments that have a transaction, under the mined txid too. */
  namesOf(txid: string): readonly string[]
  /** Returns the names of payments that have open attempts and no settled one. */
  unsettled(): Iterable<string>
  /** Returns the lowest height of a settled attempt on a chain; `undefined` if there is none. */
  lowestHeight(chain: string | undefined): number | undefined
}

const sizeOf = ({ attempts, past }: IndexedPayment) => attempts.length + past.length

export function createBookIndex(): BookIndex {
  const names = new Map<string, readonly string[]>()
  const unsettled = new Set<string>()
  const lowest = new Map<string | undefined, number>()

  function add({ name, chain }: IndexedPayment, attempt: IndexedAttempt): void {
    const { txid, minedAs = txid, height } = attempt
    for (const id of [txid, minedAs]) {
      const known = names.get(id) ?? []
      if (!known.includes(name)) names.set(id, [...known, name])
    }
    if (height !== undefined) lowest.set(chain, Math.min(height, lowest.get(chain) ?? height))
  }
  function remove({ name, attempts, past }: IndexedPayment): void {
    for (const { txid, minedAs = txid } of [...attempts, ...past]) {
      for (const id of [txid, minedAs]) {
        const others = (names.get(id) ?? []).filter((it) => it !== name)
        if (others.length === 0) names.delete(id)
        else names.set(id, others)
      }
    }
  }
  return {
    update(before, after) {
      if (after === undefined) {
        if (before === undefined) return
        remove(before)
        unsettled.delete(before.name)
        return
      }
      const isShorter = before !== undefined && sizeOf(after) < sizeOf(before)
      // A full list of past attempts drops its oldest one, which the index still knows.
      if (isShorter) remove(before)
      const changed = isShorter ? [...after.attempts, ...after.past] : after.attempts
      for (const attempt of changed) add(after, attempt)
      const isSettled = after.attempts.some(({ fate }) => fate === 'settled')
      const isOpen = !isSettled && after.attempts.some(({ fate }) => fate === undefined)
      if (isOpen) unsettled.add(after.name)
      else unsettled.delete(after.name)
    },
    clear() {
      names.clear()
      unsettled.clear()
      lowest.clear()
    },
    namesOf: (txid) => names.get(txid) ?? [],
    unsettled: () => unsettled,
    lowestHeight: (chain) => lowest.get(chain),
  }
}
