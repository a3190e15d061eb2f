import type { Answer, RequestHead } from '../server/http-server.ts'
import type { CommonOptions } from './options.ts'

/** Answers the paths for operators; `undefined` for every other. */
export function operations(
  { method, path }: RequestHead,
  { metrics, health }: Pick<CommonOptions, 'metrics' | 'health'>,
): Answer | Promise<Answer> | undefined {
  if (method !== 'GET') return undefined
  if (path === '/health') {
    const reason = health?.()
    if (reason === undefined) return textReply('text/plain', 'ok\n')
    return { ...textReply('text/plain', `payments are held: ${reason}\n`), status: 503 }
  }
  if (path !== '/metrics' || metrics === undefined) return undefined
  return metrics.text().then(({ type, body }) => textReply(type, body))
}

function textReply(type: string, body: string): Answer {
  return { status: 200, headers: { 'content-type': type }, body }
}
