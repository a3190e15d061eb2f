import * as http from 'node:http'
import * as https from 'node:https'
import { memberOf, parseJson } from '../../primitives/json.ts'
import { answerBytesMax } from './question.ts'

/**
 * Asks a server. Only the status 200 with `{ "id": …, "answer": "yes" }` is a yes, where the id is
 * that of the question. A redirect is a no. No proxy is used, whatever the environment says.
 */
export function askWebhook(
  url: URL,
  question: string,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { request, Agent } = url.protocol === 'https:' ? https : http
    const body = Buffer.from(question)
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const call = request(
      url,
      // A default agent could be set up with a proxy.
      { method: 'POST', headers, agent: new Agent({ keepAlive: false }), signal },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > answerBytesMax) call.destroy()
          else chunks.push(chunk)
        })
        answer.on('error', () => resolve(false))
        answer.on('close', () => {
          const isWhole = answer.complete && bytes <= answerBytesMax && !signal.aborted
          resolve(isWhole && answer.statusCode === 200 && isYes(Buffer.concat(chunks), id))
        })
      },
    )
    call.on('error', () => resolve(false))
    call.end(body)
  })
}

/** Two answers in one body are not JSON, and two members of one name are refused. */
function isYes(body: Uint8Array, id: string): boolean {
  try {
    const answer = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return memberOf(answer, 'answer') === 'yes' && memberOf(answer, 'id') === id
  } catch {
    return false
  }
}
