// A server of the Electrum protocol that says what a test tells it to, right or wrong. It listens on
// loopback.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import { textOf } from '../../support/files.ts'

export interface Request {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A connection as the test's handler sees it. */
export interface Peer {
  /** Sends a message, or any text. */
  send(message: unknown): void
  answer(request: Request, result: unknown): void
  refuse(request: Request, code: number, message: string): void
  /** Sends bytes that need not be a message. */
  raw(bytes: string | Buffer): void
  drop(): void
}

export type Handler = (request: Request, peer: Peer) => void

export interface ElectrumServer extends AsyncDisposable {
  readonly url: string
  readonly requests: Request[]
  readonly connections: number
  /** Sends every client a message. */
  announce(message: unknown): void
  drop(): void
  close(): Promise<void>
}

interface Options {
  readonly certificate?: 'first' | 'second'
  readonly port?: number
  /** Answers `server.version`; if absent, as a real server. */
  readonly handshake?: Handler
}

export async function electrumServer(
  handle: Handler,
  { certificate, port = 0, handshake = greet }: Options = {},
): Promise<ElectrumServer> {
  const requests: Request[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const accept = (socket: Socket): void => {
    connections += 1
    sockets.add(socket)
    const peer = peerOf(socket)
    let open = ''
    socket.on('data', (chunk) => {
      open += chunk.toString('utf8')
      const lines = open.split('\n')
      open = lines.pop()!
      for (const line of lines) {
        const request = requestOf(line)
        if (request === undefined) return socket.destroy()
        requests.push(request)
        if (request.method === 'server.version') handshake(request, peer)
        else handle(request, peer)
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const server = certificate === undefined ? createServer(accept) : tlsServer(certificate, accept)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const { port: actualPort } = server.address() as AddressInfo
  return {
    url: `${certificate === undefined ? 'tcp' : 'ssl'}://127.0.0.1:${actualPort}`,
    requests,
    get connections() {
      return connections
    },
    announce: (message) => {
      for (const socket of sockets) peerOf(socket).send(message)
    },
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns a request; `undefined` for anything else, such as the first bytes of TLS. */
function requestOf(line: string): Request | undefined {
  try {
    return JSON.parse(line) as Request
  } catch {
    return undefined
  }
}

function tlsServer(name: string, accept: (socket: Socket) => void): Server {
  const pem = textOf(`test/support/tls/${name}.pem`)
  const server = createTlsServer({ key: pem, cert: pem }, accept)
  server.on('tlsClientError', () => undefined)
  return server
}

function peerOf(socket: Socket): Peer {
  const send = (message: unknown): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`)
  }
  return {
    send,
    answer: ({ id }, result) => send({ jsonrpc: '2.0', id, result }),
    refuse: ({ id }, code, message) => send({ jsonrpc: '2.0', id, error: { code, message } }),
    raw: (bytes) => {
      if (!socket.destroyed) socket.write(bytes)
    },
    drop: () => socket.destroy(),
  }
}

function greet(request: Request, peer: Peer): void {
  peer.answer(request, ['ElectrumX 1.16.0', '1.4.2'])
}
