// Transactions that another machine signs: built and verified, neither signed nor sent.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { Report } from '../request/report.ts'
import { nameOfCall } from '../rpc/safe-flow/attempts.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import { readableTransaction } from '../transaction/readable.ts'
import { verifyOnDemand } from '../verification/on-demand.ts'
import { untilAborted } from './aborting.ts'
import { withClaims } from './claims.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { Plan } from './plan.ts'
import type { TakenCoins } from './taken-coins.ts'

/** The transaction that a request builds, and its report. The wallet signed and sent nothing. */
export interface Prepared {
  readonly case: UnsignedTransaction
  readonly report: Report
}

export interface PrepareOptions {
  /**
   * Idempotency key, the same as that of `submit`. The wallet prepares one id from the same coins
   * each time, as long as the chain source lists them: at most one of the transactions can be
   * mined.
   */
  readonly id?: string
  /** Ends the call. A transaction that is not prepared yet reserves no coins. */
  readonly signal?: AbortSignal
}

/**
 * Thrown by `prepare` if the journal has a transaction for the id: a second one is never prepared.
 */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded'
  /** Transactions that may have been sent, latest first. */
  readonly txids: readonly string[]
  constructor(id: string, txids: readonly string[]) {
    super(`id ${id}: the journal has ${txids.join(', ')} for it; wallet.resume() settles it`)
    this.txids = txids
  }
}

/** A transaction that this wallet prepared, and the plan that it follows. */
interface PreparedHere {
  readonly plan: Plan
  readonly case: UnsignedTransaction
}

/** Transactions that are kept for hex that comes back. */
const casesMax = 1000

interface PreparerContext {
  /** The name of the chain source. */
  readonly source: string
  readonly journal: Journal
  readonly taken: TakenCoins['taken']
}

export interface Preparer {
  /**
   * @throws {AntaraError} `id_conflict` for an id of another request
   * @throws {AlreadyRecorded} for an id of which the journal has a transaction that may be mined
   */
  prepare(plan: Plan, options: PrepareOptions): Promise<Prepared>
  /** @throws {AntaraError} `id_conflict` for an id under which another request was prepared here */
  requireSame(id: string | undefined, plan: Plan): void
  /** Returns what this wallet prepared, and another machine signed. */
  find(signed: string): PreparedHere | undefined
  /** Returns what this wallet prepared last under an id. */
  ofId(id: string | undefined): PreparedHere | undefined
}

export function createPreparer({ source, journal, taken }: PreparerContext): Preparer {
  /** The last prepared case of each id. A journal records only signed transactions. */
  const made = new Map<string, PreparedHere>()
  const prepared = new Map<string, PreparedHere>()
  /** One after the other, so that the second call for an id knows the coins of the first. */
  let preparing: Promise<unknown> = Promise.resolve()

  async function prepareNext(plan: Plan, { id, signal }: PrepareOptions): Promise<Prepared> {
    const limits = { signal }
    if (id === undefined) {
      const { reserved } = await taken()
      return verified(await plan.build({ reserved, shared: new Set() }, limits), source)
    }
    await requireUnrecorded(plan, id)
    const { reserved, shared } = await taken(nameOfCall({ id, terms: plan.key }), plan.key)
    const coins = made.get(id)?.case.coins.map(keyOfOutpoint)
    const built = await plan.build({ reserved, shared: new Set(coins ?? shared) }, limits)
    signal?.throwIfAborted()
    made.set(id, { plan, case: built })
    return verified(built, source)
  }

  async function requireUnrecorded({ key, request }: Plan, id: string): Promise<void> {
    const book = bookOf(journal)
    await book.catchUp()
    const payment = book.payment(book.nameOf(nameOfCall({ id, terms: key }), key))
    const terms = payment?.terms ?? made.get(id)?.plan.key
    if (terms !== undefined && terms !== key) {
      const expected = payment?.request ?? terms
      throw new AntaraError('id_conflict', { path: `id ${id}`, expected, actual: request() })
    }
    const live = (payment?.attempts ?? []).filter(
      ({ fate, isOpen }) => fate === 'settled' || (fate === undefined && isOpen),
    )
    if (live.length > 0) throw new AlreadyRecorded(id, live.map(({ txid }) => txid).reverse())
  }

  return {
    async prepare(plan, options) {
      // A source that never answers holds up other calls only until this one is aborted.
      const next = untilAborted(
        preparing.then(() => prepareNext(plan, options)),
        options.signal,
      )
      preparing = next.catch(() => undefined)
      const ready = await next
      prepared.set(unsignedHex(ready.case.hex)!, { plan, case: ready.case })
      if (prepared.size > casesMax) prepared.delete(prepared.keys().next().value!)
      return ready
    },
    requireSame(id = '', { key, request }) {
      const expected = made.get(id)?.plan.key
      if (expected === undefined || expected === key) return
      throw new AntaraError('id_conflict', { path: `id ${id}`, expected, actual: request() })
    },
    find: (signed) => prepared.get(unsignedHex(signed) ?? ''),
    ofId: (id = '') => made.get(id),
  }
}

/** Returns the transaction without its signatures; `undefined` for malformed hex. */
function unsignedHex(hex: string): string | undefined {
  const transaction = readableTransaction(hex)
  if (transaction === undefined) return undefined
  const inputs = transaction.inputs.map((input) => ({ ...input, scriptSig: '' }))
  return encodeTransaction({ ...transaction, inputs })
}

async function verified(built: UnsignedTransaction, source: string): Promise<Prepared> {
  return { case: built, report: withClaims(await verifyOnDemand(built, {}), source) }
}
