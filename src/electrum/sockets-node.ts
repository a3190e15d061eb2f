// Connections by TCP and TLS, for Node.

export { fileCertificateStore } from './certificate-store.ts'

import { createHash } from 'node:crypto'
import { lookup } from 'node:dns'
import { BlockList, connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

import { LineReader } from '../primitives/line-reader.ts'
import { RpcError } from '../rpc/errors.ts'
import {
  lineFailure,
  type MessageStream,
  type ServerAddress,
  type StreamEvents,
  type StreamOptions,
  type TlsOptions,
} from './stream.ts'

/**
 * Connects by TCP or TLS, on which each message is a line.
 *
 * A TLS port is never spoken to without TLS, and a certificate is checked before the first byte is
 * sent.
 *
 * @throws {RpcError} of kind `transport`; `certificate_changed` for a certificate other than the
 *   pinned or stored one
 */
export function openSocketStream(
  address: ServerAddress,
  events: StreamEvents,
  { tls = {} }: StreamOptions,
): Promise<MessageStream> {
  return new Promise((resolve, reject) => {
    const socket = socketOf(address, tls)
    let isOpen = false
    let isClosed = false
    const end = (error: RpcError): void => {
      if (isClosed) return
      isClosed = true
      socket.destroy()
      if (isOpen) events.onClose(error)
      else reject(error)
    }
    const reader = new LineReader(events.bytesMax, (line) => {
      if (!isClosed && line !== '' && line !== '\r') events.onMessage(line)
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, keepAliveMs)
    const read = (chunk: Buffer): void => {
      try {
        if (!isClosed) reader.push(chunk)
      } catch (error) {
        end(lineFailure(error))
      }
    }
    socket.on('error', (cause) => end(brokenConnection(isOpen, cause)))
    socket.on('close', () => end(brokenConnection(isOpen)))
    const opened = async (): Promise<void> => {
      const identity = await checkIdentity(address, socket, tls)
      if (isClosed) return
      isOpen = true
      // Reading the store of certificates takes time. Until then nothing is read, because a
      // listener would get the claims of an unknown server.
      socket.on('data', read)
      resolve({
        ...identity,
        send: (text) => socket.write(`${text}\n`),
        close: () => {
          isClosed = true
          socket.destroy()
        },
      })
    }
    socket.once(address.scheme === 'ssl' ? 'secureConnect' : 'connect', () => {
      opened().catch((error) => end(error as RpcError))
    })
  })
}

const keepAliveMs = 60_000

function socketOf({ scheme, host, port, url }: ServerAddress, tls: TlsOptions): Socket | TLSSocket {
  const target = { host, port, lookup: publicLookup }
  if (scheme !== 'ssl') return connectTcp(target)
  const isOwnCheck = pinOf(tls, url) !== undefined || tls.trust === 'first-use'
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({ ...target, ...name, rejectUnauthorized: !isOwnCheck })
}

function pinOf({ pins = {} }: TlsOptions, url: string): string | undefined {
  return Object.hasOwn(pins, url) ? pins[url]!.replaceAll(':', '').toLowerCase() : undefined
}

async function checkIdentity(
  { scheme, url }: ServerAddress,
  socket: Socket,
  tls: TlsOptions,
): Promise<Pick<MessageStream, 'trust' | 'certificate'>> {
  if (scheme !== 'ssl') return { trust: 'none' }
  const { raw } = (socket as TLSSocket).getPeerCertificate()
  const certificate = createHash('sha256').update(raw).digest('hex')
  const pin = pinOf(tls, url)
  if (pin !== undefined) {
    requireSame(url, pin, certificate, 'pinned')
    return { trust: 'pinned', certificate }
  }
  if (tls.trust !== 'first-use') return { trust: 'authorities', certificate }
  const stored = await tls.store!.get(url)
  if (stored === undefined) {
    await tls.store!.put(url, certificate)
    return { trust: 'first-use', certificate }
  }
  requireSame(url, stored, certificate, 'stored')
  return { trust: 'stored', certificate }
}

function requireSame(url: string, expected: string, received: string, kind: string): void {
  if (expected === received) return
  const message = `${url} has another certificate than the ${kind} one`
  throw new RpcError('transport', message, { reason: 'certificate_changed', expected, received })
}

/** Addresses of this machine and of private networks, to which a public name must not lead. */
const privateAddresses = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateAddresses.addSubnet(network, prefix, 'ipv6')
}

/** Looks a name up. A server of names cannot make this machine call itself. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  if (hostname === 'localhost') {
    lookup(hostname, options, callback)
    return
  }
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, '', 0)
      return
    }
    const found = addresses.find(({ address, family }) =>
      privateAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4'),
    )
    if (found !== undefined) {
      callback(new Error(`${hostname} leads to ${found.address}, a private address`), '', 0)
    } else if (options.all === true) {
      callback(null, addresses)
    } else {
      callback(null, addresses[0]!.address, addresses[0]!.family)
    }
  })
}

function brokenConnection(wasOpen: boolean, cause?: unknown): RpcError {
  const reason = wasOpen ? 'connection_lost' : 'not_connected'
  const { code, message } = (cause ?? {}) as { code?: string; message?: string }
  const detail = code ?? message
  const text = wasOpen ? 'the connection broke' : 'no connection'
  return new RpcError('transport', detail === undefined ? text : `${text} (${detail})`, {
    reason,
    cause,
  })
}
