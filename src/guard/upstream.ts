// The server behind a guard. Every request to it is written here, head and body, so nothing that a
// client sent reaches it unread.

import type { Agent, IncomingMessage } from 'node:http'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import type { GuardedCall } from './decision.ts'
import { httpClient } from './http-client.ts'

/** A reply whose body has not been read. */
interface UpstreamReply {
  readonly status: number
  readonly type: string | undefined
  /** Bytes of the body; `undefined` if the server does not give their number. */
  readonly length: string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** A reply that was read whole; `text` is `undefined` if its bytes are not UTF-8. */
interface WholeReply {
  readonly status: number
  readonly type: string | undefined
  readonly text: string | undefined
}

/** The server gave no usable reply. `message` is for clients, and has no secret. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
}

/** The client left before the server answered: nobody has to be told. */
export class ClientLeftError extends UpstreamError {}

/** The kind of server behind a guard, as failures name it. */
export type GuardedServer = 'daemon' | 'framework'

/** Bytes of one answer inside a batch; alone, an answer may be larger. */
export const elementBytesMax: number = 1 << 24

interface UpstreamOptions {
  /**
   * Called again when the daemon refuses the last ones: a cookie changes with a restart. Absent for
   * a framework, whose password is in the body.
   */
  readonly credentials?: () => DaemonCredentials | Promise<DaemonCredentials>
  /** Time until the first byte, and between two reads of the body, in milliseconds. */
  readonly silenceMs?: number | undefined
  /** Largest body in bytes. A longer one ends with an error in its middle. */
  readonly replyBytesMax?: number | undefined
}

/** The members of a call that decide how it is sent. */
interface SentCall extends Pick<GuardedCall, 'methodClass'> {
  /** Ends the request when the client leaves: nothing else would end a reply that nobody reads. */
  readonly signal?: AbortSignal
}

export interface Upstream {
  /**
   * Posts the body of a call. The reply has to be read to its end, or its stream ended. If the
   * server ended a kept connection just when the call came, a call that only reads is sent once
   * more.
   */
  post(body: string, call: Required<SentCall>): Promise<UpstreamReply>
  /**
   * Posts as `post` does, and reads a reply of at most `bytesMax` bytes, whether or not the client
   * is still there.
   */
  ask(body: string, call: Pick<SentCall, 'methodClass'>, bytesMax: number): Promise<WholeReply>
  close(): void
}

export function createUpstream(
  server: GuardedServer,
  url: string,
  { credentials, silenceMs = 120_000, replyBytesMax = 1 << 28 }: UpstreamOptions,
): Upstream {
  const client = httpClient(url)
  let known: Promise<DaemonCredentials> | undefined

  async function authorization(): Promise<{ authorization?: string }> {
    if (credentials === undefined) return {}
    known ??= Promise.resolve(credentials())
    const { user, password } = await known.catch((error: unknown) => {
      known = undefined
      throw error
    })
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  }

  async function send(body: string, { methodClass, signal }: SentCall): Promise<IncomingMessage> {
    const headers = {
      ...(await authorization()),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const attempt = (agent: Agent): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const head = { method: 'POST', agent, headers, timeout: silenceMs, signal }
        const request = client.request(url, head, resolve)
        let isSent = false
        request.on('finish', () => {
          isSent = true
        })
        request.on('timeout', () =>
          request.destroy(
            new UpstreamError(`the ${server} does not answer${isSent ? mayBeDone : ''}`),
          ),
        )
        request.on('error', (error) => {
          const mayRepeat = request.reusedSocket && methodClass === 'read' && isReset(error)
          // The repetition has a new connection, so a second reset is an error.
          if (mayRepeat) attempt(client.newAgent()).then(resolve, reject)
          else if (signal?.aborted === true) reject(new ClientLeftError('the client left'))
          else reject(isSent ? brokenOff(error, server) : unconnected(error, server))
        })
        request.end(body)
      })
    return attempt(client.agent)
  }

  async function post(body: string, call: SentCall): Promise<UpstreamReply> {
    let reply = await send(body, call)
    if (reply.statusCode === 401) {
      // The server carried nothing out, so the call may be repeated with other credentials.
      reply.destroy()
      known = undefined
      reply = await send(body, call)
    }
    const { statusCode: status = 0, headers } = reply
    if (status === 401) {
      reply.destroy()
      throw new UpstreamError(`the ${server} refuses the credentials of the guard`)
    }
    if (status < 200 || (status >= 300 && status < 400)) {
      reply.destroy()
      throw new UpstreamError(`the ${server} answered with HTTP status ${status}`)
    }
    // Node's parser ends the reply with an error unless the body has this length.
    const length = headers['content-length']
    return { status, type: headers['content-type'], length, body: bounded(reply) }
  }

  async function* bounded(reply: IncomingMessage): AsyncIterable<Uint8Array> {
    let bytes = 0
    reply.setTimeout(silenceMs, () =>
      reply.destroy(new UpstreamError(`the ${server} stopped sending${mayBeDone}`)),
    )
    try {
      for await (const chunk of reply) {
        bytes += (chunk as Uint8Array).length
        if (bytes > replyBytesMax)
          throw new UpstreamError(`the reply of the ${server} is too large${mayBeDone}`)
        yield chunk as Uint8Array
      }
    } catch (error) {
      throw brokenOff(error, server)
    } finally {
      reply.destroy()
    }
  }

  return {
    post,
    async ask(body, { methodClass }, bytesMax) {
      // A whole call has a signal, which would break this one off when the client leaves.
      const { status, type, body: stream } = await post(body, { methodClass })
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of stream) {
        bytes += chunk.length
        if (bytes > bytesMax) {
          const what = `the ${server} answered with more than ${bytesMax} bytes`
          throw new UpstreamError(`${what}${mayBeDone}`)
        }
        chunks.push(chunk)
      }
      return { status, type, text: decoded(Buffer.concat(chunks)) }
    },
    close: () => client.agent.destroy(),
  }
}

/** Ends the message of a failure after which the server may have got the whole call. */
const mayBeDone = '; the call may have been carried out'

const isReset = (error: Error & { readonly code?: string }): boolean => error.code === 'ECONNRESET'

function unconnected(error: unknown, server: GuardedServer): UpstreamError {
  if (error instanceof UpstreamError) return error
  return new UpstreamError(`no connection to the ${server} (${reasonOf(error)})`)
}

/** The server may have got the whole call. */
function brokenOff(error: unknown, server: GuardedServer): UpstreamError {
  if (error instanceof UpstreamError) return error
  const what = `the ${server} broke off its reply (${reasonOf(error)})`
  return new UpstreamError(`${what}${mayBeDone}`)
}

function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: string }
  return code ?? 'no code'
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
