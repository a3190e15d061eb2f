import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface RawReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** One request on a connection of its own, with whatever headers, as no `fetch` would send it. */
export function rawRequest(url: string, given: RawRequest = {}): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', path = '/', headers = {}, body = '' } = given
    const sent = request(new URL(path, url), {
      method,
      headers: {
        ...('transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        })
      })
    })
    sent.end(body)
  })
}

/** A connection that says what it is told to; what comes back is in `received`. */
export async function rawSocket(port: number): Promise<{
  readonly socket: Socket
  readonly received: () => string
  readonly closed: Promise<void>
}> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return { socket, received: () => received, closed }
}
