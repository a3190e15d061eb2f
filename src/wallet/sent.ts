// The result of a payment, as a call returns it: it can be waited for.

import type { SendResult, Sent } from './send.ts'
import type { Session } from './session.ts'
import { type Confirmed, NotMined, type WaitOptions, waitUntilMined } from './wait.ts'

export function waitFor(
  { context: { known }, looks }: Session,
  txid: string,
  options: WaitOptions = {},
): Promise<Confirmed> {
  return waitUntilMined({ known, looks }, txid, options)
}

/** Keeps a sent transaction, because the source may lose it. */
export function remembered(session: Session, result: SendResult): Sent {
  const { txid, status, held, report } = result
  if (txid !== undefined && report.hex !== '') session.context.known.add(report.hex)
  const confirmed = async (options?: WaitOptions): Promise<Confirmed> => {
    if (txid !== undefined) return waitFor(session, txid, options)
    throw new NotMined('not-sent', '', `nothing was sent: ${held ?? status}`)
  }
  // Not listed among the members, so that a result can be printed, compared and cloned.
  return Object.defineProperty({ ...result } as Sent, 'confirmed', { value: confirmed })
}
