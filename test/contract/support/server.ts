import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** One request as the server read it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers one request; `number` counts them from 1. */
export type Answer = (
  request: Received,
  response: ServerResponse,
  number: number,
) => void | Promise<void>

export interface TestServer {
  readonly url: string
  readonly received: Received[]
  /** Sockets open right now. */
  readonly openSockets: () => number
  /** Replaces the answer to all further requests. */
  answer(how: Answer): void
  close(): Promise<void>
}

/** A server on a free port of the loopback address. */
export async function startServer(how: Answer): Promise<TestServer> {
  let answer = how
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const entry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    received.push(entry)
    await answer(entry, response, received.length)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => {
    // A thousand calls may come at once; with Node's usual queue of 511 some would wait for seconds.
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    openSockets: () => sockets.size,
    answer: (next) => {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends a whole reply with a length, as both servers do. */
export function reply(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** The id of a JSON-RPC request, as JSON text. */
export function idTextOf(body: string): string {
  return JSON.stringify(JSON.parse(body).id ?? null)
}

/** A successful JSON-RPC answer to `request`, `result` as JSON text. */
export function answerText(request: Received, result: string): string {
  return `{"result":${result},"error":null,"id":${idTextOf(request.body)}}\n`
}

/** A failed one, as the daemon sends it with status 500. */
export function errorText(request: Received, code: number, message: string): string {
  const error = JSON.stringify({ code, message })
  return `{"result":null,"error":${error},"id":${idTextOf(request.body)}}\n`
}
