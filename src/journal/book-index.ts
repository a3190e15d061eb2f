// Indices of the payments of a book. They keep a decision from reading all earlier payments.

import type { RecordedAttempt, RecordedPayment } from './recorded-payment.ts'

/** The members of a payment that the indices read. */
type IndexedPayment = Pick<RecordedPayment, 'name' | 'id' | 'attempts' | 'past'>

interface BookIndex {
  /** Replaces a payment; `after` is `undefined` if nothing is left to remember of it. */
  update(before: IndexedPayment | undefined, after: IndexedPayment | undefined): void
  clear(): void
  /** Returns the names of the payments that have a transaction, under the mined txid too. */
  namesOf(txid: string): readonly string[]
  /** Returns the names of payments that have open attempts and no settled one. */
  unsettled(): Iterable<string>
  /** Returns the names of payments whose id has outer spaces or quotation marks. */
  marked(): Iterable<string>
  /** Returns names, among them all of payments with an attempt recorded at a time or later. */
  recordedSince(time: number): ReadonlySet<string>
  /** Returns the lowest height of a settled attempt on a chain; `undefined` if there is none. */
  lowestHeight(chain: string | undefined): number | undefined
}

const sizeOf = ({ attempts, past }: IndexedPayment) => attempts.length + past.length

export function createBookIndex(): BookIndex {
  const names = new Map<string, readonly string[]>()
  const unsettled = new Set<string>()
  const marked = new Set<string>()
  const lowest = new Map<string | undefined, number>()
  const recorded = createTimes()

  function add({ name }: IndexedPayment, attempt: RecordedAttempt): void {
    const { txid, minedAs = txid, height, at, chain } = attempt
    for (const id of [txid, minedAs]) {
      const known = names.get(id) ?? []
      if (!known.includes(name)) names.set(id, [...known, name])
    }
    if (height !== undefined) lowest.set(chain, Math.min(height, lowest.get(chain) ?? height))
    recorded.add(Date.parse(at), name)
  }
  function remove({ name, attempts, past }: IndexedPayment): void {
    for (const { txid, minedAs = txid, at } of [...attempts, ...past]) {
      recorded.remove(Date.parse(at), name)
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
        marked.delete(before.name)
        return
      }
      const { id = '' } = after
      if (id.trim() !== id || id.includes('"')) marked.add(after.name)
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
      marked.clear()
      lowest.clear()
      recorded.clear()
    },
    namesOf: (txid) => names.get(txid) ?? [],
    unsettled: () => unsettled,
    marked: () => marked,
    recordedSince: recorded.since,
    lowestHeight: (chain) => lowest.get(chain),
  }
}

/** Names by time, so that the latest ones are found without a look at the others. */
function createTimes() {
  const names = new Map<number, Set<string>>()
  /** The times that have names, in ascending order. */
  let times: number[] = []

  /** Returns the position of the first time that is not before another. */
  function positionOf(time: number): number {
    let [from, to] = [0, times.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (times[middle]! < time) from = middle + 1
      else to = middle
    }
    return from
  }
  return {
    add(time: number, name: string): void {
      const known = names.get(time)
      if (known !== undefined) {
        known.add(name)
        return
      }
      names.set(time, new Set([name]))
      times.splice(positionOf(time), 0, time)
    },
    remove(time: number, name: string): void {
      const known = names.get(time)
      known?.delete(name)
      if (known?.size !== 0) return
      names.delete(time)
      times.splice(positionOf(time), 1)
    },
    since(time: number): ReadonlySet<string> {
      return new Set(times.slice(positionOf(time)).flatMap((it) => [...names.get(it)!]))
    },
    clear(): void {
      names.clear()
      times = []
    },
  }
}
