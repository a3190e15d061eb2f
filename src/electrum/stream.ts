// The interface of a connection that carries messages, and what its implementations share.

import { LineError } from '../primitives/line-reader.ts'
import { RpcError } from '../rpc/errors.ts'

/**
 * How the identity of a server was checked.
 *
 * - `authorities` its certificate is signed by one that this machine trusts
 * - `pinned`      its certificate is the one that the caller named
 * - `stored`      its certificate is the one of the first connection, which was kept
 * - `first-use`   its certificate was accepted and kept: nobody vouches for it yet
 * - `none`        the connection is not encrypted, or the platform does not show its certificate
 */
export type ServerTrust = 'authorities' | 'pinned' | 'stored' | 'first-use' | 'none'

/** A connection that carries messages. */
export interface MessageStream {
  readonly trust: ServerTrust
  /** SHA-256 of the server's certificate, hex; absent if there is none, or it is not known. */
  readonly certificate?: string
  send(text: string): void
  /** Ends the connection. `onClose` is not called for it. */
  close(): void
}

export interface StreamEvents {
  onMessage(text: string): void
  /** Called once when the connection ends by itself or for a message that breaks the limits. */
  onClose(error: RpcError): void
  /** The longest message that is accepted at this moment, in bytes. */
  bytesMax(): number
}

/** Keeps the certificate of each server's first connection, by the server's URL. */
export interface CertificateStore {
  get(server: string): Promise<string | undefined>
  put(server: string, fingerprint: string): Promise<void>
}

export interface TlsOptions {
  /**
   * `authorities` (if absent): the certificate must be signed by one that this machine trusts.
   * `first-use`: the certificate of the first connection is kept, and must stay the same.
   */
  readonly trust?: 'authorities' | 'first-use' | undefined
  /** SHA-256 of a server's certificate, hex, by the server's URL. Nothing else is accepted then. */
  readonly pins?: Readonly<Record<string, string>> | undefined
  /** Where first certificates are kept. Required for `first-use`. */
  readonly store?: CertificateStore | undefined
}

/** The part of the `WebSocket` class that is used: of a browser, of Node 22, or of a library. */
export type WebSocketClass = new (url: string) => WebSocketLike

export interface WebSocketLike {
  binaryType: string
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  send(text: string): void
  close(): void
}

export interface StreamOptions {
  readonly tls?: TlsOptions | undefined
  readonly WebSocket?: WebSocketClass | undefined
}

/** A server, as its URL names it. */
export interface ServerAddress {
  /** `ssl://host:port`, in lower case, and one spelling for an IP address. */
  readonly url: string
  readonly scheme: 'tcp' | 'ssl' | 'ws' | 'wss'
  readonly host: string
  readonly port: number
}

const schemes = ['tcp', 'ssl', 'ws', 'wss'] as const
const defaultPorts = { tcp: 50001, ssl: 50002, ws: 80, wss: 443 } as const

/**
 * Reads the URL of a server.
 *
 * @throws {TypeError}
 */
export function serverAddress(source: unknown, path: string): ServerAddress {
  const match = /^([a-z]+):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(\/\S*)?$/i.exec(
    typeof source === 'string' ? source : '',
  )
  const scheme = schemes.find((it) => it === match?.[1]?.toLowerCase())
  const isWeb = scheme === 'ws' || scheme === 'wss'
  const [, , host = '', digits, path_ = ''] = match ?? []
  const port = digits === undefined ? defaultPorts[scheme ?? 'tcp'] : Number(digits)
  const name = oneSpelling(host)
  const isRight = scheme !== undefined && port > 0 && port < 65536 && (isWeb || path_ === '')
  if (!isRight || name === undefined) {
    throw new TypeError(`${path}: expected tcp://, ssl://, ws:// or wss://, a host and a port`)
  }
  return {
    url: `${scheme}://${name}:${port}${path_ === '/' ? '' : path_}`,
    scheme,
    host: name.replace(/^\[|\]$/g, ''),
    port,
  }
}

/**
 * Returns a host in the spelling that URLs have: an IP address has several, and a server with two
 * names would count as two.
 */
function oneSpelling(host: string): string | undefined {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    return undefined
  }
}

/** The error of a connection whose bytes are not lines that may be read. */
export function lineFailure(error: unknown): RpcError {
  if (!(error instanceof LineError)) return error as RpcError
  if (error.fault === 'too_long') return tooLarge(error.bytesMax)
  const message = 'the server sent a message that is not UTF-8'
  return new RpcError('shape', message, { reason: 'malformed_text', cause: error })
}

export function tooLarge(max: number): RpcError {
  const message = `the server sent a message over ${max} bytes`
  return new RpcError('shape', message, { reason: 'reply_too_large' })
}
