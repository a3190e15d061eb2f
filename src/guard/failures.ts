import { type AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { errorSummaries } from '../errors/codes.ts'
import { isRpcError } from '../rpc/errors.ts'
import { RpcFailure } from '../server/json-rpc.ts'
import { guardFailure } from './refusals.ts'
import { ClientLeftError, type GuardedServer, UpstreamError } from './upstream.ts'

/**
 * Returns what a client is told of an error. Messages of errors may quote a server, so only their
 * codes are shown, and what those mean.
 */
export function failureOf(error: unknown, server: GuardedServer): RpcFailure {
  if (error instanceof RpcFailure) return error
  if (error instanceof UpstreamError) return guardFailure(error.message)
  if (isRpcError(error)) {
    const { kind, reason, uncertain, txid } = error
    const what = reason === undefined ? kind : `${kind}, ${reason}`
    if (uncertain !== true && txid === undefined) {
      if (reason === 'not_connected') return guardFailure(`no connection to the ${server}`)
      return guardFailure(`a call of the ${server} failed (${what})`)
    }
    const sent = txid === undefined ? 'a transaction' : `transaction ${txid}`
    const words =
      uncertain === true
        ? `it is uncertain whether the ${server} has ${sent} (${what}); repeat the same call to find out`
        : `the ${server} did not take ${sent} (${what}). It is recorded, and may be sent later: repeat the same call`
    return guardFailure(words, true)
  }
  if (isAntaraError(error)) return failedCall(error)
  return guardFailure('the call failed, see the log of the guard')
}

export function failedCall({ code, context }: AntaraError): RpcFailure {
  const words = `the call failed (${code}): ${errorSummaries[code]}`
  if (context.uncertain !== true) return guardFailure(words)
  return guardFailure(
    `${words}. The payment may be recorded all the same, and sent later: repeat the same call`,
    true,
  )
}

/** Returns the failure that a client gets, and reports an error that no answer explains. */
export function reportedFailure(
  error: unknown,
  server: GuardedServer,
  onFailure: (error: unknown) => void,
): RpcFailure {
  const failure = failureOf(error, server)
  if (failure !== error && !(error instanceof ClientLeftError)) onFailure(error)
  return failure
}
