// Errors of the client itself, which no server reports.

import { RpcError } from '../rpc/errors.ts'

export function closedError(): RpcError {
  return new RpcError('transport', 'the client is closed', { reason: 'not_connected' })
}

export function silentError(): RpcError {
  return new RpcError('timeout', 'the server does not answer', { reason: 'attempt_timeout' })
}
