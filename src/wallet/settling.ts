// Settles recorded payments that are deep in the chain, a few before each call that pays. Otherwise a
// payment that no caller asks for again would stay unsettled. Each new payment is compared with all
// unsettled ones, and the journal keeps the bytes of a bounded number of them.

import { bookOf } from '../journal/book.ts'
import type { RecordedPayment } from '../journal/recorded-payment.ts'
import { depthMax } from '../journal/recorded-payment.ts'
import { isRpcError } from '../rpc/errors.ts'
import { namesOtherChain } from '../rpc/safe-flow/attempts.ts'
import { isKnownToCaller, lookedForAtOnce, settleableInPassing } from '../rpc/safe-flow/pending.ts'
import { recordedPlan } from './plans.ts'
import type { Sender } from './send.ts'
import type { Session } from './session.ts'

/**
 * Returns a function that settles the next few payments. It rejects only if the journal fails: after
 * any other failure a payment stays unsettled. A payment in a block that is not deep keeps its coins
 * reserved.
 */
export function settlerOfDeep(
  { context, journal, planContext }: Session,
  sender: Sender,
): (signal: AbortSignal | undefined) => Promise<void> {
  const book = bookOf(journal)
  /** The number of deep payments that were passed over. The search goes on behind them. */
  let passedOver = 0
  /** The last block at the end of a whole search. Only a further block makes more payments deep. */
  let searchedAt = -1

  async function settleSome(signal: AbortSignal | undefined): Promise<void> {
    const known = settleableInPassing(book)
    if (known.length === 0) return
    const { height: tip } = await context.chain.tip({ signal })
    if (tip === searchedAt) return
    const heights = await planContext.heights({ signal })
    const chain = await context.chain.chain?.({ signal })
    const isDeep = ({ txid }: { readonly txid: string }) => {
      const height = heights.get(txid) ?? 0
      return height > 0 && tip >= height + depthMax
    }
    // A source of another chain could claim that its blocks have the payment.
    const ofThisChain = known.filter((it) => !namesOtherChain({ chain }, it))
    const deep = ofThisChain.filter(({ attempts }) =>
      attempts.some((it) => isKnownToCaller(it) && isDeep(it)),
    )
    if (passedOver >= deep.length) passedOver = 0
    const some = deep.slice(passedOver, passedOver + lookedForAtOnce)
    const isLast = passedOver + some.length === deep.length
    for (const recorded of some) {
      const failure = await settleOne(recorded, signal).catch((error: unknown) => error)
      // One that cannot be settled, such as a payment of a daemon's flow, must not hold up the others.
      if (book.unsettled().some(({ name }) => name === recorded.name)) passedOver += 1
      // A source that does not answer would delay the caller with each further payment.
      if (isRpcError(failure)) return
    }
    if (isLast) searchedAt = tip
  }

  async function settleOne(
    recorded: RecordedPayment,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { request } = recorded
    const plan = request === undefined ? undefined : await recordedPlan(planContext, request)
    if (plan !== undefined) await sender.settle(plan, recorded, { signal })
  }

  return async (signal) => {
    await book.catchUp()
    await settleSome(signal).catch(() => undefined)
  }
}
