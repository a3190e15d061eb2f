// The evidence that a request is verified with: how a file has it, and what an argument must be.

import { requireBigint } from '../primitives/arguments.ts'
import type { Outpoint } from '../transaction/types.ts'
import {
  type Form,
  type FormTable,
  formTable,
  member,
  optional,
  type RequestForms,
} from './form-table.ts'
import {
  height,
  heights,
  hex,
  list,
  outpointForms,
  record,
  requireEach,
  requireOutpoint,
  seconds,
  texts,
  units,
} from './forms.ts'
import { type InclusionEvidence, inclusion } from './inclusion.ts'

/** The evidence for a verification. */
export interface Evidence {
  /**
   * Whole raw transactions, hex: those that the inputs spend from, and any ancestors. Each is
   * hashed; amounts and scripts are read from them and never taken on trust.
   */
  readonly previousTransactions: readonly string[]
  /** The raw transaction that created the token; it may also be among the previous ones. */
  readonly tokenCreate?: string
  /** Height of the chain's last block; needed to check the expiry height. */
  readonly tipHeight?: number
  /**
   * Time of the chain's last block, seconds since 1970; needed to check a lock time and rewards.
   */
  readonly tipTime?: number
  /**
   * Median time of the chain's last eleven blocks, `mediantime` of a daemon's block; nodes compare
   * lock times with it.
   */
  readonly medianTime?: number
  /**
   * Heights of the blocks that transactions are in, by txid, in upper or lower case; 0 for a
   * transaction that is in no block yet.
   */
  readonly heights?: Readonly<Record<string, number>>
  /**
   * Claimed values of outputs, satoshis. A claim proves nothing. If it differs from a whole
   * transaction, one of them is false.
   */
  readonly amounts?: readonly ClaimedAmount[]
  /**
   * Proofs that given transactions are in blocks, with headers that lead to a block which the
   * request or the network's table knows.
   */
  readonly inclusion?: readonly InclusionEvidence[]
}

export interface ClaimedAmount extends Outpoint {
  readonly value: bigint
}

const amounts: Form<readonly ClaimedAmount[]> = {
  ...list('amounts', record<ClaimedAmount>({ ...outpointForms, value: units })),
  // Coins with further members may be given, so unknown members are not refused.
  requireType: (amounts, path) =>
    requireEach(amounts, path, (amount, at) => {
      requireOutpoint(amount, at)
      requireBigint((amount as Partial<ClaimedAmount>).value, `${at}.value`)
    }),
}

export const evidenceForms: RequestForms<Evidence> = {
  previousTransactions: member(
    'raw transactions that the inputs spend from, and ancestors',
    optional(texts('HEX'), []),
  ),
  tokenCreate: member('the raw transaction that created the token', optional(hex)),
  tipHeight: member("height of the chain's last block", optional(height)),
  tipTime: member(
    "time of the chain's last block; on KMD, rewards accrue until then",
    optional(seconds),
  ),
  medianTime: member('median time of the last eleven blocks, for lock times', optional(seconds)),
  heights: member(
    'heights of the blocks that transactions are in; 0 for none yet',
    optional(heights),
  ),
  amounts: member('claimed values of outputs, compared with whole transactions', optional(amounts)),
  inclusion: member('proofs that transactions are in blocks, with headers', optional(inclusion)),
}

export const evidenceTable: FormTable = formTable(evidenceForms)

/** Returns the members of evidence that an object has, and no others. */
export function evidenceIn(given: Evidence): Evidence {
  const names = evidenceTable.names as readonly (keyof Evidence)[]
  const rows = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))
  return Object.fromEntries(rows) as unknown as Evidence
}
