import { type RpcError, type RpcErrorDetails, withDetails } from './errors.ts'
import { mayHaveActed, type Sent } from './retry.ts'

/** Facts that the errors of a call carry, besides the outcome of its attempts. */
export interface Remembered extends Sent {
  /** Gives the id of the transaction that the call broadcasts. */
  readonly txid?: (() => string | undefined) | undefined
}

/** How the attempts of one call ended so far. */
export interface History {
  readonly call: Remembered
  readonly errors: readonly RpcError[]
  /** True if the server may have carried out one of them. */
  readonly isUncertain: boolean
  /** @param wasSent - whether the request was handed to the network */
  note(error: RpcError, wasSent: boolean): void
}

export function startHistory(call: Remembered): History {
  const errors: RpcError[] = []
  let isUncertain = false
  return {
    call,
    errors,
    get isUncertain() {
      return isUncertain
    },
    note(error, wasSent) {
      errors.push(error)
      isUncertain ||= wasSent && mayHaveActed(error, call)
    },
  }
}

/** The error that one call, or a batch as a whole, ends with, and what its attempts left open. */
export function concluded(error: RpcError, histories: readonly History[]): RpcError {
  const [first, ...others] = histories as [History, ...History[]]
  const { errors } = first
  const earlierErrors = errors.at(-1) === error ? errors.slice(0, -1) : errors
  const txid = others.length === 0 ? first.call.txid?.() : undefined
  const details: RpcErrorDetails = {
    ...(earlierErrors.length > 0 && { earlierErrors }),
    ...(histories.some(({ isUncertain }) => isUncertain) && { uncertain: true }),
    ...(txid !== undefined && { txid }),
  }
  return Object.keys(details).length === 0 ? error : withDetails(error, details)
}

/**
 * What a call rejects with when something of the caller's, such as its credentials, failed before
 * the next attempt. If the server may have carried out an earlier one, that is what counts.
 */
export function failedBetween(thrown: unknown, histories: readonly History[]): unknown {
  const open = histories.find(({ isUncertain }) => isUncertain)
  const last = open?.errors.at(-1)
  return last === undefined ? thrown : withDetails(concluded(last, histories), { cause: thrown })
}
