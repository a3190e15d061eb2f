// Apart from the descriptor of a transfer: a page with a wallet needs that alone.

import type { SliceOptions } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import type { Report } from '../request/report.ts'
import type { TransferIntent } from '../request/transfer.ts'
import { checkInclusion } from './inclusion.ts'
import { tokenTransfer } from './operations/transfer.ts'
import { verifyOperation, verifyOperationAsync } from './verify-operation.ts'

/**
 * Verifies that a transaction makes exactly the requested transfer, and does nothing else.
 *
 * Everything is read from the given bytes: spent amounts and scripts come from whole previous
 * transactions, which are hashed. The report lists all findings, in a fixed order. Data never
 * throw, however malformed. On networks of tokeld, tokens are tokens v2 unless their creation, or a
 * spent output, is of v1.
 *
 * @param hex - the daemon's answer
 * @param intent - the request; amounts in token units
 * @param evidence - the transactions that are spent from, and more
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for arguments of the wrong type
 * @see docs/verify.md; komodo src/cc/CCtokens.cpp, TokenTransfer
 * @example
 * const report = verifyTokenTransfer(hex, { tokenid, destination, amount: 100n, from }, evidence)
 * if (report.broadcast === 'yes') await broadcast(report.hex)
 * if (report.broadcast === 'your-decision') await askTheUser(report)
 */
export function verifyTokenTransfer(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
): Report {
  return verifyOperation(tokenTransfer, hex, intent, evidence, checkInclusion)
}

/**
 * Runs `verifyTokenTransfer` in slices of some milliseconds, between which timers, signals and
 * other work have their turn. The signatures of a large transaction are checked on the threads of
 * Node's pool.
 *
 * @param options - a signal that stops the verification
 * @returns as `verifyTokenTransfer`
 * @throws {TypeError} by rejection, for arguments of the wrong type; the reason of `signal`, if that
 *   is aborted
 * @example
 * const report = await verifyTokenTransferAsync(hex, intent, evidence)
 */
export async function verifyTokenTransferAsync(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  return verifyOperationAsync(tokenTransfer, hex, intent, evidence, options, checkInclusion)
}
