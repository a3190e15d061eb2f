// Errors of the client itself, which no server reports.

import { abortedBy, RpcError } from '../rpc/errors.ts'

export function closedError(): RpcError {
  const details = { reason: 'not_connected', cause: abortedBy(undefined) } as const
  return new RpcError('transport', 'the client is closed', details)
}

export function silentError(): RpcError {
  return new RpcError('timeout', 'the server does not answer', { reason: 'attempt_timeout' })
}

/** The error of a call whose connection ended because a server refused another request. */
export function lostBy(refusal: RpcError): RpcError {
  const message = `the connection ended: ${refusal.message}`
  return new RpcError('transport', message, { reason: 'connection_lost', cause: refusal })
}
