// Transactions that another machine signs: built and verified, neither signed nor sent.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { Report } from '../request/report.ts'
import { verifyCase } from '../verification/case.ts'
import type { Plan, Taken } from './send.ts'
import { keyOfOutpoint } from './view.ts'

/** The transaction that a request builds, and its report. The wallet signed and sent nothing. */
export interface Prepared {
  readonly case: UnsignedTransaction
  readonly report: Report
}

export interface PrepareOptions {
  /**
   * Idempotency key, the same as that of `submit`. The wallet prepares one id from the same coins
   * each time, as long as the chain source lists them: at most one of the transactions can be mined.
   */
  readonly id?: string
}

/** The journal has a transaction for the id: another one is not prepared beside it. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded'
  /** Transactions that may have been sent, latest first. */
  readonly txids: readonly string[]
  constructor(id: string, txids: readonly string[]) {
    super(`id ${id}: the journal has ${txids.join(', ')} for it; wallet.resume() settles it`)
    this.txids = txids
  }
}

interface PreparerContext {
  readonly journal: Journal
  taken(name: string | undefined): Promise<Taken>
}

interface Preparer {
  /**
   * @throws {AntaraError} `id_conflict` for an id of another request
   * @throws {AlreadyRecorded} for an id of which the journal has a transaction that may be mined
   */
  prepare(plan: Plan, id: string | undefined): Promise<Prepared>
}

export function createPreparer({ journal, taken }: PreparerContext): Preparer {
  /** What was prepared last, by id. A journal records only what was signed. */
  const made = new Map<string, { readonly key: string; readonly coins: ReadonlySet<string> }>()
  /** One after the other, so that the second call for an id knows the coins of the first. */
  let preparing: Promise<unknown> = Promise.resolve()

  async function prepareNext(plan: Plan, id: string | undefined): Promise<Prepared> {
    if (id === undefined) {
      const { reserved } = await taken(undefined)
      return verified(await plan.build({ reserved, shared: new Set() }))
    }
    await requireUnrecorded(plan, id)
    const { reserved, shared } = await taken(`id ${id}`)
    const built = await plan.build({ reserved, shared: made.get(id)?.coins ?? shared })
    made.set(id, { key: plan.key, coins: new Set(built.coins.map(keyOfOutpoint)) })
    return verified(built)
  }

  async function requireUnrecorded({ key, request }: Plan, id: string): Promise<void> {
    const book = bookOf(journal)
    await book.catchUp()
    const payment = book.payment(`id ${id}`)
    const terms = payment?.terms ?? made.get(id)?.key
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
    prepare(plan, id) {
      const next = preparing.then(() => prepareNext(plan, id))
      preparing = next.catch(() => undefined)
      return next
    },
  }
}

const verified = (built: UnsignedTransaction): Prepared => ({
  case: built,
  report: verifyCase(built),
})
