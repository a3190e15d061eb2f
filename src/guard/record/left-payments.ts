// The payments that left the guard, by the lines of a record. The file before is named by the first
// line of a file, so that a full file hides no payment.

import { AntaraError } from '../../errors/antara-error.ts'
import type { Disk } from '../../journal/disk.ts'
import { codeOf } from '../../journal/names.ts'
import { linesOf } from './chain.ts'
import { type LineFacts, readLine } from './line.ts'

/** A payment that left the guard, as the record has it. */
export interface RecordedPayment {
  readonly txid: string
  /** Time of its first line. Limits and journal have it since then, however often it is sent. */
  readonly time: number
  /** False if no policy was on, so that no limits have it. */
  readonly isLimited: boolean
}

/** Returns the payments that left since the record was reconciled. */
export function paymentsOf(lines: readonly LineFacts[]): readonly RecordedPayment[] {
  const left = new Map<string, RecordedPayment>()
  const seen = new Set<string>()
  // A line that does not say it must not hide a payment from the limits.
  let isLimited = true
  for (const { event, decision, txid, time, policy } of lines) {
    if (event === 'reconciled') left.clear()
    isLimited = policy ?? isLimited
    const hasLeft = decision === 'handed-over' || decision === 'sent'
    if (!hasLeft || txid === undefined || seen.has(txid)) continue
    seen.add(txid)
    left.set(txid, { txid, time, isLimited })
  }
  return [...left.values()]
}

/**
 * A journal keeps a payment for 30 days, and a payment can be sent again as long. Lines before that
 * are not needed.
 */
const neededMs = 60 * 86_400_000

/** Matches a line that can say something about payments. Text of a client has its quotes escaped. */
const isAboutPayments = /"(?:event":|decision":"(?:handed-over|sent)")/

/**
 * Returns the lines about payments in earlier files, as far as they are needed and there. Their
 * chain is not followed again.
 *
 * @param first - the first line of the record's last file
 */
export async function earlierLines(
  path: string,
  disk: Disk,
  first: LineFacts | undefined,
  now: number,
): Promise<readonly LineFacts[]> {
  const lines: LineFacts[][] = []
  for (let next = first; next !== undefined && next.time > now - neededMs; ) {
    const { earlier, number } = next
    if (earlier === undefined) break
    const ofFile = await linesAboutPayments(disk, `${path}.${earlier}`)
    // A later file may have been copied over the name. It would lead here again and again.
    if (ofFile[0] === undefined || ofFile[0].number >= number) break
    lines.unshift(ofFile)
    next = ofFile[0]
  }
  return lines.flat()
}

/**
 * Returns none for a file that is missing: an operator may have moved it away.
 *
 * @throws {AntaraError} `record_failed`
 */
async function linesAboutPayments(disk: Disk, path: string): Promise<LineFacts[]> {
  try {
    // An operator may have made it read-only.
    const file = await disk.open(path, 'read')
    try {
      const decoder = new TextDecoder()
      return linesOf(await file.read()).lines.flatMap((bytes) => {
        const line = decoder.decode(bytes)
        return isAboutPayments.test(line) ? (readLine(line) ?? []) : []
      })
    } finally {
      await file.close()
    }
  } catch (cause) {
    const code = codeOf(cause)
    if (code.actual === 'ENOENT') return []
    throw new AntaraError('record_failed', { path, ...code }, { cause })
  }
}
