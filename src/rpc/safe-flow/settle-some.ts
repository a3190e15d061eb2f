// Settles recorded payments that a block has, a few before each call of a flow. Otherwise a program
// that only pays would fill its journal with unsettled payments, and then each further one is held.

import { bookOf } from '../../journal/book.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import { settleRecorded } from './idempotent-send.ts'
import type { SafeFlowOptions } from './options.ts'
import { isKnownToCaller } from './pending.ts'
import { recordedUndertaking } from './recorded-undertaking.ts'
import { daemonPayment } from './undertaking.ts'

/** Up to this number of unsettled payments, comparisons cost less than calls to the daemon. */
const unsettledKept = 16
/** Payments that are looked for by one call. A call adds fewer, so their number falls. */
const lookedForAtOnce = 4

/**
 * Looks for the next few payments, and sends nothing. A failure changes nothing: the payment stays
 * unsettled, and its turn comes again.
 */
export async function settleSome(
  client: DaemonClient,
  { journal, dryRun, resumeOnly, ...options }: SafeFlowOptions,
): Promise<void> {
  if (journal === undefined || dryRun === true || resumeOnly === true) return
  const { signal, timeoutMs, attemptTimeoutMs, retry } = options
  const limits = { journal, signal, timeoutMs, attemptTimeoutMs, retry }
  const book = bookOf(journal)
  // The flow itself reports a journal that fails.
  await book.catchUp().catch(() => undefined)
  // After a lost answer, the same call finds out. Once settled, one without an id would pay again.
  const known = book.unsettled().filter(({ attempts }) => attempts.some(isKnownToCaller))
  if (known.length < unsettledKept) return
  // Each payment adds records, so the next call begins elsewhere, in another process too.
  const first = book.next % known.length
  for (const recorded of [...known, ...known].slice(first, first + lookedForAtOnce)) {
    const { request, terms, attempts } = recorded
    try {
      const undertaking = request === undefined ? undefined : await recordedUndertaking(request)
      // A guard settles the payments of its users.
      if (undertaking === undefined || undertaking.key() !== terms) continue
      const newTransaction = () => Promise.reject(new Error('settling makes no payment'))
      const payment = { ...daemonPayment(client, limits, undertaking), newTransaction }
      const sent = attempts.find(isKnownToCaller)!
      // Verification reads all ancestors of tokens, so what waits for a block is left out before.
      if ((await payment.place(sent.txid, sent)).height === undefined) continue
      await settleRecorded(payment, recorded, isKnownToCaller, false)
    } catch (error) {
      // A daemon that does not answer would delay the caller with each further payment.
      if (isRpcError(error)) return
    }
  }
}
