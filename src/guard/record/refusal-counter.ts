// Keeps refusals from filling the disk. Any user can be refused thousands of times a second, and
// nobody is paid when the record cannot be written.

import type { DecisionEntry } from '../decision.ts'

/** Refusals of one user and class that are written by themselves in a minute. */
const singlesMax = 20
/**
 * Classes and reasons of one user that are counted apart, all together. A policy file and the guard
 * have fewer; another policy may not.
 */
const reasonsMax = 200
const minuteMs = 60_000

interface Counted {
  /** The latest one. */
  readonly entry: DecisionEntry
  readonly count: number
}

/** Counts the refusals that follow the first ones of a minute, by user, class and reason. */
export class RefusalCounter {
  readonly #write: (entry: DecisionEntry) => void
  /** Number of refusals in this minute, by user and class. */
  readonly #singles = new Map<string, number>()
  /** Number of classes and reasons that are counted apart, by user. */
  readonly #apart = new Map<string, number>()
  readonly #counted = new Map<string, Counted>()
  #timer: NodeJS.Timeout | undefined

  /** @param write - takes an entry with `count`, at the end of a minute */
  constructor(write: (entry: DecisionEntry) => void) {
    this.#write = write
  }

  /** Returns true for an entry that was counted, and false for one that needs a line of its own. */
  counts(entry: DecisionEntry): boolean {
    if (entry.decision !== 'refused') return false
    this.#timer ??= setTimeout(() => this.flush(), minuteMs).unref()
    const { user, methodClass, reason } = entry
    const name = JSON.stringify([user, methodClass])
    const singles = this.#singles.get(name) ?? 0
    this.#singles.set(name, singles + 1)
    if (singles < singlesMax) return false
    const key = JSON.stringify([user, methodClass, reason])
    const apart = this.#apart.get(user) ?? 0
    const isKnown = this.#counted.has(key)
    if (!isKnown && apart >= reasonsMax) this.#add(name, { ...entry, reason: 'other' })
    else {
      if (!isKnown) this.#apart.set(user, apart + 1)
      this.#add(key, entry)
    }
    return true
  }

  #add(key: string, entry: DecisionEntry): void {
    const { count = 0 } = this.#counted.get(key) ?? {}
    this.#counted.set(key, { entry, count: count + 1 })
  }

  /** Writes what was counted, and begins anew. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#singles.clear()
    this.#apart.clear()
    const all = [...this.#counted.values()]
    this.#counted.clear()
    for (const { entry, count } of all) {
      const { key: _key, ...rest } = entry
      this.#write({ ...rest, count })
    }
  }
}
