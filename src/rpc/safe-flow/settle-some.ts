// Settles recorded payments that a block has, a few before each call of a flow. Otherwise a program
// that only pays would fill its journal with unsettled payments, and then each further one is held.

import { bookOf } from '../../journal/book.ts'
import type { RecordedAttempt } from '../../journal/recorded-payment.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import { namesOtherChain } from './attempts.ts'
import type { Payment } from './flow.ts'
import { settleRecorded } from './idempotent-send.ts'
import type { SafeFlowOptions } from './options.ts'
import { isKnownToCaller, lookedForAtOnce, settleableInPassing } from './pending.ts'
import { recordedUndertaking } from './recorded-undertaking.ts'
import { daemonPayment } from './undertaking.ts'

type RecordedTransaction = Omit<Payment, 'newTransaction'>

/** Settles payments through a daemon, as `settleSomeOf`. */
export function settleSome(client: DaemonClient, options: SafeFlowOptions): Promise<void> {
  return settleSomeOf(options, async (request, limits) => {
    const undertaking = await recordedUndertaking(request)
    return undertaking && daemonPayment(client, limits, undertaking)
  })
}

/**
 * Looks for the next few payments, and sends nothing. A failure changes nothing: the payment stays
 * unsettled, and its turn comes again.
 *
 * @param paymentOf - reads a recorded request; `undefined` if it was made to another kind of server
 */
export async function settleSomeOf(
  { journal, dryRun, resumeOnly, ...options }: SafeFlowOptions,
  paymentOf: (request: string, limits: SafeFlowOptions) => Promise<RecordedTransaction | undefined>,
): Promise<void> {
  if (journal === undefined || dryRun === true || resumeOnly === true) return
  const { signal, timeoutMs, attemptTimeoutMs, retry, firstBlock } = options
  const limits = { journal, signal, timeoutMs, attemptTimeoutMs, retry, firstBlock }
  const book = bookOf(journal)
  // The flow itself reports a journal that fails.
  await book.catchUp().catch(() => undefined)
  const known = settleableInPassing(book)
  // A fixed order could look for the same payments at each call, and those may never be mined.
  const first = Math.floor(Math.random() * known.length)
  let chain: string | undefined
  for (const recorded of [...known, ...known].slice(first, first + lookedForAtOnce)) {
    const { request, terms, attempts } = recorded
    try {
      const found = request === undefined ? undefined : await paymentOf(request, limits)
      // A guard settles the payments of its users.
      if (found?.key !== terms) continue
      const newTransaction = () => Promise.reject(new Error('settling makes no payment'))
      const payment = { ...found, newTransaction }
      // A daemon of another chain could claim that its blocks have the payment.
      chain ??= await payment.chain?.(recorded)
      if (namesOtherChain({ chain }, recorded)) continue
      // Verification reads all ancestors of tokens, so a payment that waits for a block is skipped.
      if (!(await isInBlock(payment, attempts.filter(isKnownToCaller)))) continue
      await settleRecorded(payment, recorded, isKnownToCaller, false)
    } catch (error) {
      // A daemon that does not answer would delay the caller with each further payment.
      if (isRpcError(error)) return
    }
  }
}

/** Returns true if a block has one of some attempts: the server may have refused the others later. */
async function isInBlock(
  payment: Pick<Payment, 'place'>,
  attempts: readonly RecordedAttempt[],
): Promise<boolean> {
  for (const attempt of attempts) {
    const { height } = await payment.place(attempt.txid, attempt)
    if (height !== undefined) return true
  }
  return false
}
