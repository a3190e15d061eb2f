import { untilStopped } from '../clock.ts'
import { abortedBy, type UnsettledTransaction } from '../errors.ts'

/** A transaction that was sent, or may have been. */
export interface Attempt {
  readonly hex: string
  readonly txid: string
  /** What it spends: `txid:vout`. */
  readonly outpoints: ReadonlySet<string>
  /** The caller named it: nobody has judged it here. */
  readonly isNamed?: true
  /** It may have been broadcast. Absent while each time that it was sent it was refused. */
  readonly isOpen?: true
}

/**
 * What was sent for one intent since it last succeeded, and of which nothing good was heard.
 *
 * Each may have been mined, or be mined later. A further one is safe only if it conflicts with each
 * of them: it is not enough that it does with the last, as two that share nothing could be mined
 * beside it. So at most one of all takes effect.
 */
export interface Attempts {
  /** Latest first. */
  unsettled(): readonly Attempt[]
  /** Those of them that may have been broadcast. */
  open(): readonly UnsettledTransaction[]
  /** Notes that an attempt is on its way. Answers how to take that back, once it was refused. */
  depart(txid: string): () => void
  /** Whether at most one of `attempt` and all unsettled ones can be mined. */
  excludes(attempt: Attempt): boolean
  /** Answers false, and remembers nothing, where the memory is full. */
  remember(attempt: Attempt): boolean
  /** One of them arrived: the next call with this intent is a payment of its own. */
  settle(): void
}

/** Attempts of one intent that are remembered: nobody tries so often without looking. */
export const attemptsMax = 16
/** Hex digits of all attempts of one client: 80 of the largest transactions, or 50,000 usual ones. */
export const attemptDigitsMax = 32_000_000

interface Ledger {
  readonly attempts: Map<string, readonly Attempt[]>
  /** The last call for an intent that has begun, until it ends. */
  readonly turns: Map<string, Promise<void>>
  digits: number
}

const ledgers = new WeakMap<object, Ledger>()

function ledgerOf(client: object): Ledger {
  const known = ledgers.get(client) ?? { attempts: new Map(), turns: new Map(), digits: 0 }
  ledgers.set(client, known)
  return known
}

/** @param key - the same for the same intent, however it is spelled */
export function attemptsOf(client: object, key: string): Attempts {
  const ledger = ledgerOf(client)
  const unsettled = (): readonly Attempt[] => ledger.attempts.get(key) ?? []
  const mark = (txid: string, isOpen: true | undefined): void => {
    const marked = unsettled().map((attempt) => {
      const { isOpen: _, ...rest } = attempt
      if (attempt.txid !== txid) return attempt
      return isOpen === undefined ? rest : { ...rest, isOpen }
    })
    if (marked.length > 0) ledger.attempts.set(key, marked)
  }
  return {
    unsettled,
    open: () =>
      unsettled().flatMap(({ txid, hex, isOpen }) => (isOpen === true ? [{ txid, hex }] : [])),
    depart(txid) {
      const before = unsettled().find((attempt) => attempt.txid === txid)?.isOpen
      mark(txid, true)
      return () => mark(txid, before)
    },
    excludes: (attempt) => unsettled().every((other) => conflict(attempt, other)),
    remember(attempt) {
      const known = unsettled()
      if (known.some(({ txid }) => txid === attempt.txid)) return true
      const digits = ledger.digits + attempt.hex.length
      if (known.length >= attemptsMax || digits > attemptDigitsMax) return false
      ledger.digits = digits
      ledger.attempts.set(key, [attempt, ...known])
      return true
    },
    settle() {
      for (const { hex } of unsettled()) ledger.digits -= hex.length
      ledger.attempts.delete(key)
    },
  }
}

/** Two transactions that spend the same output cannot both be mined. */
function conflict({ outpoints }: Attempt, other: Attempt): boolean {
  return [...outpoints].some((outpoint) => other.outpoints.has(outpoint))
}

/**
 * Does `work` when all earlier work for the same intent is done. Two calls at once would not know
 * of each other's attempts.
 *
 * @throws {RpcError} of kind `aborted` while it waits
 */
export async function inTurn<T>(
  client: object,
  key: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { turns } = ledgerOf(client)
  const before = turns.get(key) ?? Promise.resolve()
  let leave = (): void => undefined
  const turn = new Promise<void>((resolve) => {
    leave = resolve
  })
  const last = before.then(() => turn)
  turns.set(key, last)
  try {
    if (signal === undefined) await before
    else {
      await untilStopped(before, signal).catch(() => {
        throw abortedBy(signal)
      })
    }
    return await work()
  } finally {
    leave()
    // Who gives up waiting leaves others at work: the line ends when they have, not before.
    void last.then(() => {
      if (turns.get(key) === last) turns.delete(key)
    })
  }
}
