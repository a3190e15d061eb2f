import type { OperationName } from '../intent/case.ts'
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

/** What an output does, as far as it can be known. */
export type OutputRole =
  | 'destination'
  | 'issuance'
  | 'marker'
  | 'token-change'
  | 'native-change'
  | 'nulldata'
  | 'unexpected'

export interface Effect {
  /** Index of the output. */
  readonly output: number
  readonly role: OutputRole
  /** Token units for destination, issuance and token-change; satoshis otherwise. */
  readonly value: bigint
  readonly script: string
}

export interface Report {
  /** True exactly when no finding is a reject. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  /** By whose rules it was judged; absent where what was asked for was refused before. */
  readonly operation?: OperationName
  /** Satoshis; absent when an input's value is not known. */
  readonly fee?: bigint
  /** Absent when the hex is no transaction. */
  readonly txid?: string
  /** The copy that was checked, lower case: broadcast this one. */
  readonly hex: string
  /** What each output does; empty when the hex is no transaction, or has too many inputs. */
  readonly effects: readonly Effect[]
  /** What may be broadcast; present exactly when `ok`. */
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
