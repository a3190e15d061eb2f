// The result of a payment, as a call returns it: it can be waited for.

import { isBuiltByWallet, isInJournal } from './recorded-request.ts'
import { isOtherPayment, type SendResult, type Sent } from './send-result.ts'
import type { Session } from './session.ts'
import { type Confirmed, NotMined, type WaitOptions, waitUntilMined } from './wait.ts'

export function waitFor(
  { context, looks, journal }: Session,
  txid: string,
  options: WaitOptions = {},
): Promise<Confirmed> {
  const isBuiltHere = (sent: string) => isBuiltByWallet(journal, sent)
  const isRecorded = (sent: string) => isInJournal(journal, sent)
  return waitUntilMined({ ...context, looks, isBuiltHere, isRecorded }, txid, options)
}

/** Keeps a sent transaction, because the source may lose it. */
export function remembered(session: Session, result: SendResult): Sent {
  const { txid, status, held, report, unsettled = [] } = result
  if (txid !== undefined && report.hex !== '') session.context.known.add(report.hex)
  const confirmed = async (options?: WaitOptions): Promise<Confirmed> => {
    if (txid !== undefined && held === 'rejected' && isOtherPayment(result)) {
      const message = `${txid}: it may have been sent, and this wallet cannot verify it as the request; open the wallet with all its keys and repeat the call`
      throw new NotMined('unverified', txid, message)
    }
    if (txid !== undefined) return waitFor(session, txid, options)
    const earlier = unsettled.map((it) => it.txid).join(', ')
    const before = earlier === '' ? '' : `; sent before: ${earlier}`
    throw new NotMined('not-sent', '', `this call sent nothing: ${held ?? status}${before}`)
  }
  // Not listed among the members, so that a result can be printed, compared and cloned.
  return Object.defineProperty({ ...result } as Sent, 'confirmed', { value: confirmed })
}
