// Looks for recorded payments in blocks, a few after each call that pays. Otherwise a payment that no
// client asks for again would stay unsettled, and each new one is compared with all unsettled ones.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { RecordedAttempt, RecordedPayment } from '../journal/recorded-payment.ts'
import { settleRecorded } from '../rpc/safe-flow/idempotent-send.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import { isKnownToCaller, lookedForAtOnce, settleableInPassing } from '../rpc/safe-flow/pending.ts'
import type { Requested } from './requested.ts'

export interface SettlingParts {
  readonly journal: Journal
  /** Options of the flow that the operator chose. */
  readonly flow: SafeFlowOptions
  /** Reads a recorded request; `undefined` if it was made to another kind of server. */
  requestedBy(text: string): Promise<Requested | undefined>
}

/**
 * Looks for the attempts at a recorded payment in blocks. They are verified by their own request: that
 * of an equal call may have another key.
 *
 * @param isSought - by default true for an attempt that the caller knows of. After a lost answer, the
 *   same call finds out. Once another one is settled, a call without a name would pay again
 */
export async function settleByRequest(
  { journal, flow, requestedBy }: SettlingParts,
  payment: RecordedPayment,
  isSought: (attempt: RecordedAttempt) => boolean = isKnownToCaller,
): Promise<void> {
  const { request, id, attempts } = payment
  if (request === undefined || !attempts.some(isSought)) return
  const requested = await requestedBy(request)
  if (requested === undefined) return
  const options = { ...flow, journal, ...(id !== undefined && { id }) }
  const parts = await requested.payment(options)
  const newTransaction = () => Promise.reject(new Error('settling makes no payment'))
  await settleRecorded({ ...parts, newTransaction }, payment, isSought)
}

/**
 * Returns a function that begins to look, and does not wait for it. A failure changes nothing: the
 * payment stays unsettled, and its turn comes again.
 *
 * @param parts - `requireChain` rejects if the server is one of another chain
 */
export function settling(
  parts: SettlingParts & { readonly requireChain: () => Promise<unknown> },
): () => void {
  const book = bookOf(parts.journal)
  let isLooking = false
  let next = 0

  async function settleSome(): Promise<void> {
    const known = settleableInPassing(book)
    if (next >= known.length) next = 0
    const some = known.slice(next, next + lookedForAtOnce)
    // A daemon of another chain could claim that its blocks have the payments.
    if (some.length > 0) await parts.requireChain()
    for (const payment of some) await settleByRequest(parts, payment).catch(() => undefined)
    const left = new Set(book.unsettled().map(({ name }) => name))
    // Each call may add one at the end, so the search does not wait there.
    const isAtEnd = some.length < lookedForAtOnce
    next = isAtEnd ? 0 : next + some.filter(({ name }) => left.has(name)).length
  }

  return () => {
    if (isLooking) return
    isLooking = true
    void settleSome()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }
}
