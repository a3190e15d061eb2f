import { explainOf, isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { withoutKeys } from '../primitives/redact-key.ts'
import { RpcError } from '../rpc/errors.ts'
import { jsonText, ServerFailedError, UnsettledError, UsageError } from './command.ts'

/** Returns an error as an object for programs: `{ error: { code, message, …, explain } }`. */
export function errorJson(error: unknown, command: string): string {
  return jsonText({ error: objectOf(error, command) })
}

function objectOf(error: unknown, command: string): object {
  if (error instanceof ServerFailedError) return objectOf(error.cause, command)
  if (error instanceof UnsettledError) {
    return { ...objectOf(error.cause, command), uncertain: true, unsettled: error.message }
  }
  if (error instanceof UsageError) {
    const explain = `antara-tx ${command} --help`
    return { code: 'usage', message: error.message, explain }
  }
  if (isAntaraError(error)) {
    const { code, context } = error
    return { code, message: sentenceOf(error), ...context, explain: explainOf(code) }
  }
  if (error instanceof RpcError) {
    const { kind, reason, method, status, errorType, uncertain, txid, path } = error
    const explain = explainOf(reason ?? kind)
    // The daemon's own number has another name, because `code` is always a word.
    const server = { reason, method, status, daemonCode: error.code, errorType }
    return { code: kind, message: error.message, ...server, uncertain, txid, path, explain }
  }
  const message = withoutKeys(error instanceof Error ? error.message : String(error))
  return { code: 'internal_error', message, explain: explainOf('internal_error') }
}
