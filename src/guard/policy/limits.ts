// Counts what left in an hour and a day, and keeps the counts on the disk.

import { isAntaraError } from '../../errors/antara-error.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Reservation } from '../decision.ts'
import { type ClockSources, type LimitClock, limitClock } from './limit-clock.ts'
import { type Amounts, type LimitEntry, readEntry, writeEntry } from './limit-entry.ts'
import { addTo, keyOf, Usage, type Window } from './usage.ts'

/** The most of an asset that may leave in a window. */
export interface Bound {
  /** Path of the rule in the policy file. */
  readonly rule: string
  /** The user whose payments count; `''` counts the payments of all users. */
  readonly scope: string
  readonly asset: string
  readonly window: Window
  readonly most: bigint
}

/** The amounts that a payment would consume, and the bounds that it has to keep. */
interface Claim {
  readonly user: string
  readonly payment: string
  readonly txid: string
  readonly amounts: Amounts
  readonly bounds: readonly Bound[]
}

/** A bound that a payment would exceed. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded'
  readonly bound: Bound
  /** The amount that the bound still allows; 0 if it is exceeded already. */
  readonly left: bigint

  constructor(bound: Bound, left: bigint) {
    super(`${bound.rule}: ${left} left of ${bound.most}`)
    this.bound = bound
    this.left = left
  }
}

/** An open reservation. */
interface Held {
  readonly amounts: Amounts
  readonly user: string
  readonly expires: number
}

const noAmounts: Amounts = new Map()

/** Milliseconds after which an unused reservation ends. */
const reservedMsMax = 120_000
/** The journal is compacted when it has this many records that are older than a day. */
const oldRecordsMax = 4_096

/**
 * The amounts that were paid in the last hour and day.
 *
 * Amounts are reserved in memory at once, and recorded in the journal before signed hex leaves. A
 * journal that several guards share makes their limits one: `keep` meets the records of the others.
 */
export class Limits {
  readonly #journal: Journal
  readonly #usage = new Usage()
  readonly #clock: LimitClock
  readonly #reserved = new Map<string, bigint>()
  /** Open reservations, the first to expire first. */
  readonly #open = new Set<Held>()
  #read = 0
  /** Keeps one append at a time, so that positions and bounds do not change in between. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(journal: Journal, texts: readonly string[], options: ClockSources) {
    this.#journal = journal
    this.#learn(texts)
    this.#clock = limitClock(this.#usage.latest, options)
    this.#usage.advance(this.#clock())
  }

  /** @throws {AntaraError} as the journal does; `journal_malformed` for a record of another kind */
  static async open(journal: Journal, options: ClockSources = {}): Promise<Limits> {
    return new Limits(journal, await journal.read(0), options)
  }

  #learn(texts: readonly string[]): void {
    for (const text of texts) {
      this.#read += 1
      this.#usage.add(readEntry(text, this.#read))
    }
  }

  /** Returns the time by the clock of the limits. */
  now(): number {
    return this.#clock()
  }

  /** Returns what a payment consumed in the last 24 hours; `undefined` if nothing. */
  of(payment: string): Amounts | undefined {
    this.#advance()
    return this.#usage.of(payment)
  }

  /** Returns the txids of the last 24 hours. */
  txids(): ReadonlySet<string> {
    this.#advance()
    return new Set(this.#usage.entries().map(({ txid }) => txid))
  }

  /** Drops entries that left the windows, ends unused reservations, and returns the time. */
  #advance(): number {
    const now = this.#clock()
    this.#usage.advance(now)
    for (const held of this.#open) {
      if (held.expires > now) break
      this.#end(held)
    }
    return now
  }

  /**
   * Reserves what a payment needs beyond what it consumed before. Check and reservation are one
   * synchronous step, so no other call can take the same amount.
   *
   * @throws {LimitExceeded}
   */
  reserve(claim: Claim): Reservation {
    let held = this.#hold(claim)
    return {
      release: () => this.#end(held),
      keep: async () => {
        this.#advance()
        // It may have expired while the caller worked.
        if (!this.#open.has(held)) held = this.#hold(claim)
        try {
          await this.#inTurn(() => this.#record(claim))
        } finally {
          this.#end(held)
        }
      },
    }
  }

  #hold(claim: Claim): Held {
    const now = this.#advance()
    const amounts = beyond(claim.amounts, this.#usage.of(claim.payment))
    this.#require(claim.bounds, amounts, this.#reserved)
    const held = { amounts, user: claim.user, expires: now + reservedMsMax }
    addTo(this.#reserved, held, 1n)
    this.#open.add(held)
    return held
  }

  /** Ends a reservation, once. */
  #end(held: Held): void {
    if (this.#open.delete(held)) addTo(this.#reserved, held, -1n)
  }

  #require(bounds: readonly Bound[], amounts: Amounts, reserved: Amounts): void {
    for (const bound of bounds) {
      const { scope, asset, window, most } = bound
      const amount = amounts.get(asset) ?? 0n
      const taken =
        this.#usage.sum(window, scope, asset) + (reserved.get(keyOf(scope, asset)) ?? 0n)
      if (amount > 0n && taken + amount > most) {
        throw new LimitExceeded(bound, taken > most ? 0n : most - taken)
      }
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /**
   * Checks the bounds and appends the entry. If another guard took the position, reads its records
   * and begins again.
   */
  async #record(claim: Claim): Promise<void> {
    const { user, payment, txid, bounds } = claim
    for (;;) {
      this.#usage.advance(this.#clock())
      const amounts = beyond(claim.amounts, this.#usage.of(payment))
      // A further transaction of a payment has an entry too, so that each in the record has one.
      if (amounts.size === 0 && this.#usage.has(payment, txid)) return
      this.#require(bounds, amounts, noAmounts)
      const entry: LimitEntry = { at: this.#clock(), user, payment, txid, amounts }
      if (await this.#journal.append(this.#read + 1, writeEntry(entry))) {
        this.#read += 1
        this.#usage.add(entry)
        await this.#compact()
        return
      }
      this.#learn(await this.#journal.read(this.#read))
    }
  }

  async #compact(): Promise<void> {
    const { replace } = this.#journal
    if (replace === undefined) return
    this.#usage.advance(this.#clock())
    const kept = this.#usage.entries()
    if (this.#read - kept.length < oldRecordsMax) return
    try {
      if (await replace.call(this.#journal, this.#read, kept.map(writeEntry))) {
        this.#read = kept.length
      }
    } catch (error) {
      // The entry is recorded already, so a failed compaction is not an error. If the disk failed,
      // the journal refuses the next append.
      if (!isAntaraError(error)) throw error
    }
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#journal.close())
  }
}

/** Returns, for each asset, by how much `amounts` exceeds `consumed`, and leaves out the others. */
export function beyond(amounts: Amounts, consumed: Amounts | undefined): Amounts {
  if (consumed === undefined) return amounts
  return new Map(
    [...amounts].flatMap(([asset, amount]) => {
      const more = amount - (consumed.get(asset) ?? 0n)
      return more > 0n ? [[asset, more] as const] : []
    }),
  )
}
