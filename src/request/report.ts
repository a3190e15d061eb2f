import { type Broadcast, conclude } from './broadcast.ts'
import type { OperationName } from './case.ts'
import type { Finding } from './finding.ts'

export { type Broadcast, conclude } from './broadcast.ts'
export { type Finding, type FindingCode, finding, type Severity } from './finding.ts'

/** The effect of an output, as far as the evidence shows it. */
export type OutputRole =
  | 'destination'
  | 'issuance'
  | 'marker'
  | 'order-tokens'
  | 'order-coins'
  | 'order-marker'
  | 'payment'
  | 'royalty'
  | 'token-change'
  | 'native-change'
  | 'nulldata'
  | 'unexpected'

/**
 * The evidence for an amount: `proven` by the bytes of a whole transaction that hashes to its txid,
 * `asserted` by a claim alone, `contradictory` where claims and bytes differ, or `missing`.
 */
export type Known = 'proven' | 'asserted' | 'contradictory' | 'missing'

/** The output that an input spends. */
export interface SpentAmount {
  /** Index of the input. */
  readonly input: number
  /** Satoshis: the proven value, else the asserted one; absent if missing. */
  readonly value?: bigint
  readonly known: Known
}

export interface Effect {
  /** Index of the output. */
  readonly output: number
  readonly role: OutputRole
  /** Token units for destination, issuance and token-change; satoshis otherwise. */
  readonly value: bigint
  readonly script: string
  /** Outputs are always proven, because they are in the verified bytes. */
  readonly known: 'proven'
}

/**
 * A transaction that a verifier accepted, as it was at that moment: broadcast this one.
 *
 * Only verifiers create these objects, and they are frozen, so the transaction that is sent is the
 * one that was verified.
 */
export interface VerifiedTransaction {
  readonly hex: string
  readonly txid: string
}

export interface Report {
  /** True exactly when no finding is a reject. */
  readonly ok: boolean
  /**
   * `yes` if nothing that could cost money is open, `no` exactly when `ok` is false, and
   * `your-decision` if a finding leaves something open: the token's ancestry, for example.
   */
  readonly broadcast: Broadcast
  /**
   * True if the call verified no transaction: a server may not have shown the one in the journal.
   * `broadcast` is then `no`, although an earlier call may have sent a transaction. The result of
   * this call names what may have been sent.
   */
  readonly unverified?: true
  readonly findings: readonly Finding[]
  /** The operation whose rules applied; absent if the case was malformed. */
  readonly operation?: OperationName
  /** Satoshis; absent when an input's value is not known, or a reward of KMD is claimed. */
  readonly fee?: bigint
  /**
   * Satoshis of the inputs less those of the outputs, computed from bytes alone. This is the fee,
   * unless a reward of KMD is claimed: then it is negative. Absent when an input's value is unknown.
   */
  readonly inputsMinusOutputs?: bigint
  /** The evidence for the fee, which is that of its least certain amount. */
  readonly feeKnown?: Known
  /** The amount of each input; absent if the hex is not a transaction, or has too many inputs. */
  readonly spends?: readonly SpentAmount[]
  /** Absent when the hex is not a transaction. */
  readonly txid?: string
  /** The hex that was verified, in lower case. */
  readonly hex: string
  /** The effect of each output; empty if the hex is not a transaction, or has too many inputs. */
  readonly effects: readonly Effect[]
  /** The transaction to broadcast; present exactly when `ok`. */
  readonly verified?: VerifiedTransaction
}

/** Returns the report of a request or a case of which no transaction was verified. */
export function reportWithout(findings: readonly Finding[]): Report {
  return { ...conclude(findings), hex: '', effects: [] }
}

/** The report of a call that verified no transaction. */
export const unverifiedReport: Report = {
  ok: false,
  broadcast: 'no',
  unverified: true,
  findings: [],
  hex: '',
  effects: [],
}

/** Returns true if a report passes: it agrees, and with `isStrict` it has no warning either. */
export function passes(
  { ok, broadcast, findings }: Report,
  { isStrict = false }: { readonly isStrict?: boolean },
): boolean {
  if (!isStrict) return ok
  return broadcast === 'yes' && findings.every(({ severity }) => severity !== 'warn')
}
