import type { Amounts, LimitEntry } from './limit-entry.ts'

export type Window = 'hour' | 'day'

const windowMs: Readonly<Record<Window, number>> = { hour: 3_600_000, day: 86_400_000 }

/** The one whose amounts count: `''` for all users together. */
type Scope = string

/** The entries of the last 24 hours, with their sums in the last 60 minutes and 24 hours. */
export class Usage {
  readonly #entries: LimitEntry[] = []
  /** Index of the first entry that a window still has. */
  readonly #first: Record<Window, number> = { hour: 0, day: 0 }
  readonly #sums: Readonly<Record<Window, Map<string, bigint>>> = {
    hour: new Map(),
    day: new Map(),
  }
  /** Amounts that each payment has consumed, and the entries of its transactions. */
  readonly #byPayment = new Map<
    string,
    { readonly amounts: Map<string, bigint>; readonly txids: Map<string, number> }
  >()
  #latest = 0

  /** Time of the latest entry. */
  get latest(): number {
    return this.#latest
  }

  /** Adds an entry that is not older than the others, or counts it as old as they are. */
  add(entry: LimitEntry): void {
    this.#latest = Math.max(this.#latest, entry.at)
    const kept = { ...entry, at: this.#latest }
    this.#entries.push(kept)
    for (const window of ['hour', 'day'] as const) addTo(this.#sums[window], kept, 1n)
    const ofPayment = this.#byPayment.get(entry.payment) ?? {
      amounts: new Map<string, bigint>(),
      txids: new Map<string, number>(),
    }
    for (const [asset, amount] of entry.amounts) {
      ofPayment.amounts.set(asset, (ofPayment.amounts.get(asset) ?? 0n) + amount)
    }
    ofPayment.txids.set(entry.txid, (ofPayment.txids.get(entry.txid) ?? 0) + 1)
    this.#byPayment.set(entry.payment, ofPayment)
  }

  /** Takes an entry back from its payment; other entries of the payment may be later. */
  #leave({ payment, txid, amounts }: LimitEntry): void {
    const ofPayment = this.#byPayment.get(payment)!
    for (const [asset, amount] of amounts) {
      ofPayment.amounts.set(asset, ofPayment.amounts.get(asset)! - amount)
    }
    const entries = ofPayment.txids.get(txid)! - 1
    if (entries > 0) ofPayment.txids.set(txid, entries)
    else ofPayment.txids.delete(txid)
    if (ofPayment.txids.size === 0) this.#byPayment.delete(payment)
  }

  /** Removes what has left the windows. An entry leaves exactly 60 minutes, or 24 hours, later. */
  advance(now: number): void {
    for (const window of ['hour', 'day'] as const) {
      for (;;) {
        const entry = this.#entries[this.#first[window]]
        if (entry === undefined || now - entry.at < windowMs[window]) break
        addTo(this.#sums[window], entry, -1n)
        if (window === 'day') this.#leave(entry)
        this.#first[window] += 1
      }
    }
    this.#forget()
  }

  /** Drops the entries that no window has, from time to time, so that each is moved once. */
  #forget(): void {
    const gone = this.#first.day
    if (gone < 1024 || gone * 2 < this.#entries.length) return
    this.#entries.splice(0, gone)
    this.#first.hour -= gone
    this.#first.day = 0
  }

  sum(window: Window, scope: Scope, asset: string): bigint {
    return this.#sums[window].get(keyOf(scope, asset)) ?? 0n
  }

  /** Returns what a payment consumed in the last 24 hours; `undefined` if nothing. */
  of(payment: string): Amounts | undefined {
    return this.#byPayment.get(payment)?.amounts
  }

  /** Returns whether a transaction of a payment has an entry of the last 24 hours. */
  has(payment: string, txid: string): boolean {
    return this.#byPayment.get(payment)?.txids.has(txid) === true
  }

  /** Returns the entries of the last 24 hours. */
  entries(): readonly LimitEntry[] {
    return this.#entries.slice(this.#first.day)
  }
}

/** Adds amounts, or takes them back, in the sums of their user and of all users. */
export function addTo(
  sums: Map<string, bigint>,
  { user, amounts }: Pick<LimitEntry, 'user' | 'amounts'>,
  sign: 1n | -1n,
): void {
  for (const [asset, amount] of amounts) {
    for (const key of new Set([keyOf('', asset), keyOf(user, asset)])) {
      const sum = (sums.get(key) ?? 0n) + sign * amount
      if (sum === 0n) sums.delete(key)
      else sums.set(key, sum)
    }
  }
}

/** Neither users nor assets contain a blank. */
export function keyOf(scope: Scope, asset: string): string {
  return `${scope} ${asset}`
}
