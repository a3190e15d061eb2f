import { type RpcError, type RpcErrorDetails, withDetails } from './errors.ts'
import { mayHaveActed, type SentCall } from './retry.ts'

/** The facts of a call that its errors report. */
export interface Remembered extends SentCall {
  /** Returns the txid of the transaction that the call broadcasts. */
  readonly txid?: (() => string | undefined) | undefined
}

/** The results of the attempts at one call. */
export interface History {
  readonly call: Remembered
  readonly errors: readonly RpcError[]
  /** True if the server may have carried out one of them. */
  readonly isUncertain: boolean
  /** @param wasSent - true if the request was handed to the network */
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

/** Returns the final error of a call or a batch, with what its earlier attempts left uncertain. */
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
 * Returns the final error if the caller's own code, such as its `credentials`, failed between two
 * attempts. If the server may have carried out an earlier attempt, that takes precedence.
 */
export function failedBetween(thrown: unknown, histories: readonly History[]): unknown {
  const open = histories.find(({ isUncertain }) => isUncertain)
  const last = open?.errors.at(-1)
  return last === undefined ? thrown : withDetails(concluded(last, histories), { cause: thrown })
}
