// A WebSocket server with TLS on loopback, in front of a server that speaks lines over TCP. It is
// what public Electrum servers offer to pages.

import { createHash, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

import { textOf } from '../../support/files.ts'

export interface WssBridge extends AsyncDisposable {
  readonly url: string
  /** SHA-256 of the certificate's public key, base64, as Chromium takes it. */
  readonly publicKeyHash: string
  readonly connections: number
  /** Ends every connection. */
  drop(): void
}

// RFC 6455, section 1.3
const acceptanceSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const [textFrame, closeFrame] = [1, 8]

/** @param upstream - `tcp://host:port` of a server that ends each message with a newline */
export async function wssBridge(upstream: string): Promise<WssBridge> {
  const { hostname, port: upstreamPort } = new URL(upstream.replace('tcp:', 'http:'))
  const pem = textOf('test/support/tls/first.pem')
  const server = createServer({ key: pem, cert: pem })
  const sockets = new Set<Duplex>()
  let connections = 0
  server.on('upgrade', ({ headers }, socket) => {
    connections += 1
    sockets.add(socket)
    const key = `${headers['sec-websocket-key']}${acceptanceSuffix}`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const up = connect(Number(upstreamPort), hostname)
    let lines = ''
    up.setEncoding('utf8')
    up.on('data', (chunk: string) => {
      lines += chunk
      const whole = lines.split('\n')
      lines = whole.pop()!
      for (const line of whole) socket.write(frameOf(line))
    })
    let open = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      open = Buffer.concat([open, chunk])
      for (let frame = readFrame(open); frame !== undefined; frame = readFrame(open)) {
        open = open.subarray(frame.end)
        if (frame.kind === textFrame) up.write(`${frame.text}\n`)
        if (frame.kind === closeFrame) socket.end()
      }
    })
    for (const [one, other] of [
      [socket, up],
      [up, socket],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const spki = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return {
    url: `wss://127.0.0.1:${port}`,
    publicKeyHash: createHash('sha256').update(spki).digest('base64'),
    get connections() {
      return connections
    },
    drop,
    async [Symbol.asyncDispose]() {
      drop()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A whole text message in one frame, which servers do not mask. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text)
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.of(0x81, length), payload])
  const head = Buffer.alloc(10)
  head[0] = 0x81
  if (length < 0x10000) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
    return Buffer.concat([head.subarray(0, 4), payload])
  }
  head[1] = 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** Reads a masked frame; `undefined` while it is not whole. RFC 6455, section 5.2 */
function readFrame(bytes: Buffer): { kind: number; text: string; end: number } | undefined {
  if (bytes.length < 6) return undefined
  const short = bytes[1]! & 0x7f
  const start = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < start + 4) return undefined
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const end = start + 4 + length
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(start, start + 4)
  const payload = bytes.subarray(start + 4, end).map((byte, at) => byte ^ mask[at & 3]!)
  return { kind: bytes[0]! & 0x0f, text: Buffer.from(payload).toString('utf8'), end }
}
