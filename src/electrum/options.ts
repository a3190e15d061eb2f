// The options of the client of Electrum servers, and the settings that it reads from them.

import { argumentError, requireArray, requireObject, requireSome } from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { RpcError } from '../rpc/errors.ts'
import { requireMilliseconds } from '../rpc/limits.ts'
import {
  type ServerAddress,
  serverAddress,
  type TlsOptions,
  type WebSocketClass,
} from './stream.ts'

export interface ElectrumOptions {
  /**
   * URLs of servers of one chain, the preferred first: `ssl://host:50002`, `wss://host:50004`,
   * `tcp://127.0.0.1:50001`. If one fails, the next is used.
   */
  readonly servers: readonly string[]
  /** How certificates of `ssl://` are checked. */
  readonly tls?: TlsOptions | undefined
  /** A class for `ws://` and `wss://`, if the platform has none, as Node 20. */
  readonly WebSocket?: WebSocketClass | undefined
  /** Timeout of a whole call; 30 seconds if absent. */
  readonly timeoutMs?: number | undefined
  /** Timeout of a connection attempt; 10 seconds if absent. */
  readonly connectTimeoutMs?: number | undefined
  /** Timeout of one server's answer, after which the next server is asked; 10 seconds if absent. */
  readonly answerTimeoutMs?: number | undefined
  /** The number of requests that may wait for answers at once; 20 if absent, at most 50. */
  readonly inFlightMax?: number | undefined
  /** Called when a connection is made or lost. It has no parameter or result of a call. */
  readonly onConnection?: ((event: ConnectionEvent) => void) | undefined
}

export interface ConnectionEvent {
  readonly type: 'connected' | 'lost'
  readonly server: string
  readonly error?: RpcError
}

/** Options with their defaults, and with the addresses of the servers. */
export interface ReadyOptions extends Pick<ElectrumOptions, 'WebSocket' | 'onConnection'> {
  readonly addresses: readonly ServerAddress[]
  readonly tls: TlsOptions
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly answerTimeoutMs: number
  readonly inFlightMax: number
}

const members: readonly (keyof ElectrumOptions)[] = [
  'servers',
  'tls',
  'WebSocket',
  'timeoutMs',
  'connectTimeoutMs',
  'answerTimeoutMs',
  'inFlightMax',
  'onConnection',
]
const tlsMembers: readonly (keyof TlsOptions)[] = ['trust', 'pins', 'store']
const inFlightLimit = 50

/** @throws {TypeError} for wrong or unknown options */
export function readOptions(options: ElectrumOptions): ReadyOptions {
  requireObject(options, 'options')
  requireKnownMembers(options, members, 'options')
  requireArray(options.servers, 'options.servers')
  const { servers, tls = {}, inFlightMax = 20, WebSocket, onConnection } = options
  const addresses = servers.map((url, at) => serverAddress(url, `options.servers[${at}]`))
  requireSome(addresses, 'options.servers', 'URL')
  requireObject(tls, 'options.tls')
  requireKnownMembers(tls, tlsMembers, 'options.tls')
  if (tls.trust === 'first-use' && tls.store === undefined) {
    throw argumentError('options.tls.store', 'a store, which first-use needs', tls.store)
  }
  const { timeoutMs = 30_000, connectTimeoutMs = 10_000, answerTimeoutMs = 10_000 } = options
  requireMilliseconds(timeoutMs, 'options.timeoutMs')
  requireMilliseconds(connectTimeoutMs, 'options.connectTimeoutMs')
  requireMilliseconds(answerTimeoutMs, 'options.answerTimeoutMs')
  const isRight = Number.isInteger(inFlightMax) && inFlightMax > 0 && inFlightMax <= inFlightLimit
  if (!isRight) throw argumentError('options.inFlightMax', `1 to ${inFlightLimit}`, inFlightMax)
  return {
    addresses,
    tls: { ...tls, pins: pinsOf(tls) },
    WebSocket,
    timeoutMs,
    connectTimeoutMs,
    answerTimeoutMs,
    inFlightMax,
    onConnection,
  }
}

function pinsOf({ pins = {} }: TlsOptions): Record<string, string> {
  const rows = Object.entries(pins).map(([url, pin]) => {
    const path = `options.tls.pins[${JSON.stringify(url)}]`
    if (typeof pin !== 'string' || !isHex32(pin.replaceAll(':', '').toLowerCase())) {
      throw argumentError(path, 'SHA-256 of a certificate in hex', pin)
    }
    return [serverAddress(url, path).url, pin]
  })
  return Object.fromEntries(rows)
}
