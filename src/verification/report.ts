import type { OperationName } from '../request/case.ts'
import { findingTable } from './finding-table.ts'
import type { VerifiedTransaction } from './sealed.ts'

export type Severity = 'reject' | 'warn' | 'info'
export type FindingCode = keyof typeof findingTable

/** One thing that a verifier noticed. */
export interface Finding {
  /** Never changes meaning; docs/findings.md lists all. */
  readonly code: FindingCode
  readonly severity: Severity
  /** Where, as one would write it: `outputs[0].script`, `intent.destination`. */
  readonly path: string
  readonly expected?: unknown
  readonly actual?: unknown
  readonly message: string
}

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
 * How an amount is known: `proven` by the bytes of a whole transaction that hashes to its txid,
 * `asserted` by somebody's word alone, `contradictory` where that word and the bytes differ, or
 * `missing`.
 */
export type Known = 'proven' | 'asserted' | 'contradictory' | 'missing'

/** The output that an input spends. */
export interface SpentAmount {
  /** Index of the input. */
  readonly input: number
  /** Satoshis, as proven if they are, else as asserted; absent if missing. */
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
  /** Always proven: every output is in the verified bytes. */
  readonly known: 'proven'
}

export interface Report {
  /** True exactly when no finding is a reject. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** By whose rules it was judged; absent where what was asked for was refused before. */
  readonly operation?: OperationName
  /** Satoshis; absent when an input's value is not known, or a reward of KMD is claimed. */
  readonly fee?: bigint
  /**
   * Satoshis that the inputs bring more than the outputs take, by the bytes alone. It is the fee,
   * unless a reward of KMD is claimed: then it is below zero. Absent when an input's value is not known.
   */
  readonly inputsMinusOutputs?: bigint
  /** How the fee is known, or what it would have to be computed from. */
  readonly feeKnown?: Known
  /** The output that each input spends; absent if the hex is no transaction, or has too many. */
  readonly spends?: readonly SpentAmount[]
  /** Absent when the hex is no transaction. */
  readonly txid?: string
  /** The copy that was checked, lower case: broadcast this one. */
  readonly hex: string
  /** The effect of each output; empty if the hex is not a transaction, or has too many inputs. */
  readonly effects: readonly Effect[]
  /** The transaction to broadcast; present exactly when `ok`. */
  readonly verified?: VerifiedTransaction
}

interface Details {
  readonly expected?: unknown
  readonly actual?: unknown
}

export function finding(code: FindingCode, path: string, details: Details = {}): Finding {
  const [severity, message] = findingTable[code]
  return { code, severity, path, ...details, message }
}
