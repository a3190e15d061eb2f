import type { JsonValue } from '../primitives/json.ts'
import { daemonJson } from '../server/json-rpc.ts'
import type { GuardedCall } from './decision.ts'

/** A call of a client, as far as every guard reads it. */
export interface ReadCall extends GuardedCall {
  /** The header `Idempotency-Key`: a name for the payment of this call. */
  readonly key?: string
  /** Aborted if the client leaves. */
  readonly signal: AbortSignal
}

/** A call that the guard carries out itself. */
export type Admitted<Call = ReadCall> = Call & {
  /** True if the policy refuses the call. It then pays nothing, and throws `NothingPaid`. */
  readonly isForbidden: boolean
  /** Shows whether the call has its one line in the record. All copies of the call share it. */
  readonly line: { isWritten: boolean }
  /** Leaves the turn of this call while `work` runs, and takes another one; absent without turns. */
  readonly aside?: <T>(work: () => Promise<T>) => Promise<T>
}

/** A call of the daemon's protocol. */
export interface ClientCall extends ReadCall {
  readonly params: readonly JsonValue[]
  /** JSON text of the id, digit by digit. */
  readonly id: string
}

/**
 * Writes a call for the daemon from what was read, so both read the same. Members that the guard
 * does not read are left out.
 */
export function textOfCall({ id, method, params }: ClientCall): string {
  return `{"jsonrpc":"1.0","id":${id},"method":${daemonJson(method)},"params":${daemonJson(params)}}`
}
