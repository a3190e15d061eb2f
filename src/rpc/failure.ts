import { type Clock, isStopped } from './clock.ts'
import { RpcError, type RpcErrorDetails } from './errors.ts'
import { hasOwnText, ownText } from './own-text.ts'
import type { Redactor } from './redaction.ts'

type CallFacts = Pick<RpcErrorDetails, 'method' | 'attempts' | 'taskId'>

/** Returns the cause of a stop: the caller, the clock of the call, or that of the attempt. */
export function stopOf(call: Clock, attempt: Clock = call): RpcError {
  return ownText(errorOfStop(call, attempt))
}

function errorOfStop(call: Clock, attempt: Clock): RpcError {
  const stop = call.stopped()
  if (stop?.by === 'signal') {
    return new RpcError('aborted', 'aborted by the caller', { cause: stop.cause })
  }
  return stop === undefined && isStopped(attempt)
    ? new RpcError('timeout', 'no answer in time', { reason: 'attempt_timeout' })
    : new RpcError('timeout', 'not done in time', { reason: 'call_timeout' })
}

// Fits every message of both servers, the daemon's usage texts included.
const textCharactersMax = 4_000
const snippetCharactersMax = 400

/** Completes an error for the caller: adds the method and the attempts, and redacts all texts that a server may have written. */
export function finished(
  error: RpcError,
  { method, attempts, taskId }: CallFacts,
  redact: Redactor,
): RpcError {
  // Redacts before it cuts, because a cut could leave a part of a secret.
  const text = (value: string | undefined, charactersMax = snippetCharactersMax) =>
    value === undefined ? undefined : clipped(redact.text(value), charactersMax)
  const details: RpcErrorDetails = {
    method,
    reason: error.reason,
    status: error.status,
    attempts,
    code: error.code,
    codeName: error.codeName,
    errorType: text(error.errorType),
    errorData: redact.value(error.errorData),
    errorPath: text(error.errorPath),
    errorTrace: text(error.errorTrace),
    taskId: error.taskId ?? taskId,
    path: text(error.path),
    expected: text(error.expected),
    received: text(error.received),
    body: keptBody(error.body, redact),
    cause: error.kind === 'transport' ? redact.error(error.cause) : error.cause,
  }
  const shown = hasOwnText(error) ? error.message : redact.text(error.message)
  const message = clipped(shown, textCharactersMax)
  return new RpcError(error.kind, `${method}: ${message}`, details)
}

/** Drops a body that repeats a secret, because it may repeat it again in another form. */
function keptBody(body: string | undefined, redact: Redactor): string | undefined {
  if (body === undefined || redact.text(body) !== body) return undefined
  return clipped(body, snippetCharactersMax)
}

function clipped(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}...`
}
