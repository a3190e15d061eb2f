import { openSocketStream } from '#sockets'
import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import type { JsonValue } from '../primitives/json.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import { printable } from '../primitives/printable.ts'
import { type Clock, sleep, startClock, untilStopped } from '../rpc/clock.ts'
import {
  abortedBy,
  isRpcError,
  RpcError,
  type RpcErrorDetails,
  withDetails,
} from '../rpc/errors.ts'
import { readValue } from '../rpc/fields.ts'
import {
  type ElectrumMethod,
  type ElectrumResults,
  electrumMethods,
  subscriptionMethods,
} from './methods.ts'
import { type Notification, Session } from './session.ts'
import {
  type MessageStream,
  type ServerAddress,
  type ServerTrust,
  type StreamEvents,
  serverAddress,
  type TlsOptions,
  type WebSocketClass,
} from './stream.ts'
import { openWebStream } from './web-stream.ts'

export interface ElectrumOptions {
  /**
   * URLs of servers of one chain, the preferred first: `ssl://host:50002`, `wss://host:50004`,
   * `tcp://127.0.0.1:50001`. If one fails, the next is used.
   */
  readonly servers: readonly string[]
  /** How certificates of `ssl://` are checked. */
  readonly tls?: TlsOptions | undefined
  /** A class for `ws://` and `wss://` where the platform has none, such as Node 20. */
  readonly WebSocket?: WebSocketClass | undefined
  /** Timeout of a call with all that it waits for; 30 seconds if absent. */
  readonly timeoutMs?: number | undefined
  /** Timeout of a connection attempt; 10 seconds if absent. */
  readonly connectTimeoutMs?: number | undefined
  /** How long a server may take for an answer before the next one is asked; 10 seconds if absent. */
  readonly answerTimeoutMs?: number | undefined
  /** Requests that may wait for their answers at once; 20 if absent, at most 50. */
  readonly inFlightMax?: number | undefined
  /** Called when a connection is made or lost. It has no parameter or result of a call. */
  readonly onConnection?: ((event: ConnectionEvent) => void) | undefined
}

export interface ConnectionEvent {
  readonly type: 'connected' | 'lost'
  readonly server: string
  readonly error?: RpcError
}

export interface ElectrumCallOptions {
  /** Ends the call; the error is of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/** The server in use, and how its identity was checked. */
export interface ConnectedServer {
  readonly url: string
  readonly trust: ServerTrust
  /** SHA-256 of its certificate, hex. */
  readonly certificate?: string
  /** Its software and the version of the protocol, as it says. */
  readonly software: string
  readonly protocol: string
}

/**
 * A client of Electrum servers. Nothing that they answer is checked beyond its form: use
 * `verifyHeaderChain` and `verifyInclusion`, and hash every transaction.
 */
export interface ElectrumClient {
  /**
   * Calls a method that the client knows.
   *
   * Reading is tried again on the next server if a connection breaks. Broadcasting is not: its
   * error has `uncertain: true` if the server may have got the transaction.
   *
   * @throws {RpcError} of kind `transport`, `timeout`, `aborted`, `shape`, and `daemon` where the
   *   server refused
   */
  call<Method extends ElectrumMethod>(
    method: Method,
    params?: readonly unknown[],
    options?: ElectrumCallOptions,
  ): Promise<ElectrumResults[Method]>
  /** Calls many at once, as many in flight as the client allows. Answers have the calls' order. */
  batch<Method extends ElectrumMethod>(
    method: Method,
    params: readonly (readonly unknown[])[],
    options?: ElectrumCallOptions,
  ): Promise<PromiseSettledResult<ElectrumResults[Method]>[]>
  /**
   * Reports the status of a script whenever its history changes, and once at the start. It goes on
   * after a reconnection. The status says that something changed, and nothing else.
   *
   * @param scripthash - `scripthashOf` of the locking script
   * @returns a function that ends it
   */
  subscribeScript(scripthash: string, listener: (status: string | null) => void): () => void
  /** Reports the last block whenever there is another, and once at the start. */
  subscribeHeaders(
    listener: (tip: ElectrumResults['blockchain.headers.subscribe']) => void,
  ): () => void
  /** The server in use; `undefined` while there is none. */
  server(): ConnectedServer | undefined
  /** Ends the connection, every call and every subscription. */
  close(): void
  [Symbol.dispose](): void
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
const softwareName = 'antara-tx'
/** Versions of the protocol that the client speaks. */
const protocols = ['1.4', '1.6'] as const
const inFlightLimit = 50
/** A server closes a connection that is silent for ten minutes. */
const pingAfterMs = 120_000
/** A connection that was silent for longer is proven alive before something is sent for good. */
const freshMs = 15_000
const backOffMs = { first: 1_000, most: 60_000 }
/** ElectrumX's code for a session that used too much. */
const excessiveUse = -101

/**
 * Creates a client. It connects on the first call.
 *
 * @throws {TypeError} for wrong or unknown options
 * @example
 * const client = createElectrumClient({ servers: ['tcp://127.0.0.1:50001'] })
 * client.close()
 */
export function createElectrumClient(options: ElectrumOptions): ElectrumClient {
  return new Client(options)
}

interface Subscription {
  readonly method: (typeof subscriptionMethods)[keyof typeof subscriptionMethods]
  readonly params: readonly string[]
  readonly listeners: Set<(value: never) => void>
  /** The value that listeners know, and its JSON. */
  known: { readonly value: unknown; readonly text: string } | undefined
}

interface Connection {
  readonly session: Session
  readonly server: ConnectedServer
}

class Client implements ElectrumClient {
  readonly #addresses: readonly ServerAddress[]
  readonly #options: ElectrumOptions
  readonly #inFlightMax: number
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #queue = new Set<() => void>()
  readonly #end = new AbortController()
  #running = 0
  /** The server that is tried next. */
  #next = 0
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined
  #pings: ReturnType<typeof setInterval> | undefined

  constructor(options: ElectrumOptions) {
    requireObject(options, 'options')
    requireKnownMembers(options, members, 'options')
    requireArray(options.servers, 'options.servers')
    const { servers, tls = {}, inFlightMax = 20 } = options
    this.#addresses = servers.map((url, at) => serverAddress(url, `options.servers[${at}]`))
    if (this.#addresses.length === 0) throw argumentError('options.servers', 'a URL', servers)
    requireObject(tls, 'options.tls')
    requireKnownMembers(tls, tlsMembers, 'options.tls')
    if (tls.trust === 'first-use' && tls.store === undefined) {
      throw argumentError('options.tls.store', 'a store, which first-use needs', tls.store)
    }
    const isRight = Number.isInteger(inFlightMax) && inFlightMax > 0 && inFlightMax <= inFlightLimit
    if (!isRight) throw argumentError('options.inFlightMax', `1 to ${inFlightLimit}`, inFlightMax)
    this.#options = { ...options, tls: { ...tls, pins: pinsOf(tls) } }
    this.#inFlightMax = inFlightMax
  }

  async call<Method extends ElectrumMethod>(
    method: Method,
    params: readonly unknown[] = [],
    options: ElectrumCallOptions = {},
  ): Promise<ElectrumResults[Method]> {
    if (!Object.hasOwn(electrumMethods, method)) {
      throw argumentError('method', Object.keys(electrumMethods).join(', '), method)
    }
    requireArray(params, 'params')
    const { result } = electrumMethods[method]
    const clock = startClock(options.timeoutMs ?? this.#options.timeoutMs ?? 30_000, options.signal)
    try {
      if (method === 'blockchain.transaction.broadcast') {
        return (await this.#broadcast(params, clock)) as ElectrumResults[Method]
      }
      return readValue(result, await this.#read(method, params, clock)) as ElectrumResults[Method]
    } catch (error) {
      throw this.#explained(error, method, options.signal)
    } finally {
      clock.release()
    }
  }

  async batch<Method extends ElectrumMethod>(
    method: Method,
    params: readonly (readonly unknown[])[],
    options: ElectrumCallOptions = {},
  ): Promise<PromiseSettledResult<ElectrumResults[Method]>[]> {
    requireArray(params, 'params')
    return await Promise.allSettled(params.map((each) => this.call(method, each, options)))
  }

  subscribeScript(scripthash: string, listener: (status: string | null) => void): () => void {
    requireString(scripthash, 'scripthash')
    if (!isHex32(scripthash)) {
      throw argumentError('scripthash', '32 bytes in lower-case hex', scripthash)
    }
    return this.#subscribe(subscriptionMethods.script, [scripthash], listener)
  }

  subscribeHeaders(
    listener: (tip: ElectrumResults['blockchain.headers.subscribe']) => void,
  ): () => void {
    return this.#subscribe(subscriptionMethods.headers, [], listener)
  }

  server(): ConnectedServer | undefined {
    return this.#connection?.server
  }

  close(): void {
    if (this.#end.signal.aborted) return
    this.#end.abort()
    clearInterval(this.#pings)
    this.#subscriptions.clear()
    this.#connection?.session.end(closedError())
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Tries each server once before it gives up, because another one may answer. */
  async #read(
    method: ElectrumMethod,
    params: readonly unknown[],
    clock: Clock,
  ): Promise<JsonValue> {
    const earlierErrors: RpcError[] = []
    for (;;) {
      const { session } = await untilStopped(this.#connect(), clock)
      try {
        return await this.#request(session, method, params, clock)
      } catch (error) {
        const isLast = earlierErrors.length + 1 >= this.#addresses.length
        if (!isRpcError(error) || !isOfServer(error)) throw error
        // The next server may be less busy, or less wrong.
        session.end(error)
        if (isLast) throw earlierErrors.length === 0 ? error : withDetails(error, { earlierErrors })
        earlierErrors.push(error)
      }
    }
  }

  /**
   * Sends a transaction once. Nobody knows what a server did that does not answer, or that answers
   * something else than a txid.
   */
  async #broadcast(params: readonly unknown[], clock: Clock): Promise<unknown> {
    let { session } = await untilStopped(this.#connect(), clock)
    if (performance.now() - session.lastHeardMs > freshMs) {
      await this.#read('server.ping', [], clock)
      session = (await untilStopped(this.#connect(), clock)).session
    }
    const method = 'blockchain.transaction.broadcast'
    try {
      const answer = await this.#request(session, method, params, clock)
      return readValue<unknown>(electrumMethods[method].result, answer)
    } catch (error) {
      if (isRpcError(error, 'daemon') && !alreadyInChain.test(error.message)) throw error
      throw uncertain(error)
    }
  }

  /** Waits for its turn, then for its answer. A connection that does not answer is given up. */
  async #request(
    session: Session,
    method: ElectrumMethod,
    params: readonly unknown[],
    clock: Clock,
  ): Promise<JsonValue> {
    await this.#takeTurn(clock)
    const { answerTimeoutMs = 10_000 } = this.#options
    const patience = startClock(answerTimeoutMs, clock)
    const { answer, forget } = session.request(method, params, electrumMethods[method].bytesMax)
    const sentMs = performance.now()
    try {
      return await untilStopped(answer, patience)
    } catch (error) {
      if (isRpcError(error)) throw error
      // A slow answer among others is not the connection's fault.
      const isSilent = session.lastHeardMs < sentMs
      if (isSilent) session.end(silentError())
      if (clock.stopped() === undefined) throw silentError()
      throw error
    } finally {
      patience.release()
      forget()
      this.#giveTurn()
    }
  }

  async #takeTurn(clock: Clock): Promise<void> {
    if (this.#running < this.#inFlightMax) {
      this.#running += 1
      return
    }
    let proceed = (): void => undefined
    const turn = new Promise<void>((resolve) => {
      proceed = resolve
    })
    this.#queue.add(proceed)
    try {
      await untilStopped(turn, clock)
    } catch (error) {
      // The turn may have come at the moment in which the clock stopped.
      if (!this.#queue.delete(proceed)) this.#giveTurn()
      throw error
    }
  }

  /** Passes a turn on to the request that has waited longest. */
  #giveTurn(): void {
    const [next] = this.#queue
    if (next === undefined) {
      this.#running -= 1
      return
    }
    this.#queue.delete(next)
    next()
  }

  #connect(): Promise<Connection> {
    if (this.#end.signal.aborted) return Promise.reject(closedError())
    if (this.#connection !== undefined) return Promise.resolve(this.#connection)
    this.#connecting ??= this.#connectToAny().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connectToAny(): Promise<Connection> {
    const errors: RpcError[] = []
    for (let tried = 0; tried < this.#addresses.length; tried += 1) {
      const address = this.#addresses[this.#next % this.#addresses.length]!
      try {
        return await this.#connectTo(address)
      } catch (error) {
        if (this.#end.signal.aborted) throw closedError()
        const reason = isRpcError(error)
          ? error
          : new RpcError('transport', 'no connection', { reason: 'not_connected', cause: error })
        errors.push(reason)
        this.#notify({ type: 'lost', server: address.url, error: reason })
        this.#next += 1
      }
    }
    const last = errors.at(-1)!
    const earlierErrors = errors.slice(0, -1)
    throw earlierErrors.length === 0 ? last : withDetails(last, { earlierErrors })
  }

  async #connectTo(address: ServerAddress): Promise<Connection> {
    const { connectTimeoutMs = 10_000 } = this.#options
    const clock = startClock(connectTimeoutMs, this.#end.signal)
    const session: Session = new Session(
      (notification) => this.#notified(notification),
      (error) => this.#lost(session, address, error),
    )
    const events: StreamEvents = {
      onMessage: (text) => session.receive(text),
      onClose: (error) => session.end(error),
      bytesMax: () => session.bytesMax(),
    }
    const isWeb = address.scheme === 'ws' || address.scheme === 'wss'
    const opening = (isWeb ? openWebStream : openSocketStream)(address, events, this.#options)
    try {
      const stream = await untilStopped(opening, clock)
      session.start(stream)
      const { answer } = session.request('server.version', [softwareName, protocols], 4096)
      const reply = await untilStopped(answer, clock)
      const server = serverOf(address, stream, reply)
      const connection = { session, server }
      this.#connection = connection
      this.#notify({ type: 'connected', server: address.url })
      this.#keepAlive()
      this.#resume(connection)
      return connection
    } catch (error) {
      const reason = isRpcError(error) ? error : silentError()
      session.end(reason)
      // A connection that is made after all is of no use.
      opening.then((stream) => stream.close()).catch(() => undefined)
      throw reason
    } finally {
      clock.release()
    }
  }

  #lost(session: Session, { url }: ServerAddress, error: RpcError): void {
    if (this.#connection?.session !== session) return
    this.#connection = undefined
    this.#next += 1
    this.#notify({ type: 'lost', server: url, error })
    if (this.#subscriptions.size > 0 && !this.#end.signal.aborted) void this.#reconnect()
  }

  /** Connects again for the sake of subscriptions, with longer and longer waits. */
  async #reconnect(): Promise<void> {
    for (let waitMs = backOffMs.first; ; waitMs = Math.min(2 * waitMs, backOffMs.most)) {
      try {
        await sleep(waitMs * (0.5 + Math.random() / 2), this.#end.signal)
        if (this.#subscriptions.size === 0) return
        await this.#connect()
        return
      } catch {
        if (this.#end.signal.aborted) return
      }
    }
  }

  #keepAlive(): void {
    clearInterval(this.#pings)
    this.#pings = setInterval(() => {
      if (this.#connection !== undefined) this.call('server.ping').catch(() => undefined)
    }, pingAfterMs)
    // A process may end although it has a client.
    ;(this.#pings as { unref?: () => void }).unref?.()
  }

  #subscribe(
    method: Subscription['method'],
    params: readonly string[],
    listener: (value: never) => void,
  ): () => void {
    if (typeof listener !== 'function') throw argumentError('listener', 'a function', listener)
    const key = keyOf(method, params)
    const existing = this.#subscriptions.get(key)
    const subscription = existing ?? { method, params, listeners: new Set(), known: undefined }
    subscription.listeners.add(listener)
    if (existing?.known !== undefined) notify(listener, existing.known.value as never)
    if (existing === undefined) {
      this.#subscriptions.set(key, subscription)
      if (this.#connection !== undefined) void this.#ask(subscription, this.#connection.session)
      else this.#connect().catch(() => this.#reconnect())
    }
    return () => {
      subscription.listeners.delete(listener)
      if (subscription.listeners.size === 0) this.#subscriptions.delete(key)
    }
  }

  /** Asks a new connection for everything that somebody listens to. */
  #resume({ session }: Connection): void {
    for (const subscription of this.#subscriptions.values()) {
      void this.#ask(subscription, session)
    }
  }

  async #ask(subscription: Subscription, session: Session): Promise<void> {
    const { method, params } = subscription
    const clock = startClock(this.#options.timeoutMs ?? 30_000, this.#end.signal)
    try {
      const answer = await this.#request(session, method, params, clock)
      this.#tell(subscription, answer)
    } catch (error) {
      // Without the subscription, a listener would wait for ever on a connection that works.
      session.end(isRpcError(error) ? error : silentError())
    } finally {
      clock.release()
    }
  }

  #notified({ method, params }: Notification): void {
    const isHeaders = method === subscriptionMethods.headers
    const key = keyOf(method, isHeaders ? [] : params.slice(0, 1))
    const subscription = this.#subscriptions.get(key)
    if (subscription !== undefined) this.#tell(subscription, params.at(isHeaders ? 0 : 1) ?? null)
  }

  #tell(subscription: Subscription, value: JsonValue): void {
    const read = readValue<unknown>(electrumMethods[subscription.method].result, value)
    const text = JSON.stringify(read)
    if (text === subscription.known?.text) return
    subscription.known = { value: read, text }
    for (const listener of subscription.listeners) notify(listener, read as never)
  }

  #notify(event: ConnectionEvent): void {
    const { onConnection } = this.#options
    if (onConnection !== undefined) notify(onConnection, event)
  }

  #explained(error: unknown, method: string, signal: AbortSignal | undefined): RpcError {
    if (isRpcError(error)) return error.method === undefined ? withMethod(error, method) : error
    if (this.#end.signal.aborted) return withMethod(closedError(), method)
    if (signal?.aborted) return withMethod(abortedBy(signal), method)
    return new RpcError('timeout', `${method}: no answer in time`, {
      method,
      reason: 'call_timeout',
    })
  }
}

const keyOf = (method: string, params: readonly unknown[]) => JSON.stringify([method, params])

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

function serverOf(
  { url }: ServerAddress,
  { trust, certificate }: MessageStream,
  reply: JsonValue,
): ConnectedServer {
  const [software, protocol] = readValue(electrumMethods['server.version'].result, reply)
  const [least, most] = protocols.map(versionOf) as [number, number]
  const version = versionOf(protocol)
  if (!(version >= least && version < most + 1)) {
    const received = printable(protocol.slice(0, 40))
    const message = `${url} speaks protocol ${received}; expected ${protocols.join(' to ')}`
    throw new RpcError('shape', message, { reason: 'unexpected_value', received })
  }
  return {
    url,
    trust,
    ...(certificate !== undefined && { certificate }),
    software: printable(software.slice(0, 200)),
    protocol,
  }
}

/** `1.4.2` as 1004. */
function versionOf(text: string): number {
  const match = /^(\d{1,2})\.(\d{1,2})(?:\.\d{1,4})*$/.exec(text)
  return match === null ? Number.NaN : 1000 * Number(match[1]) + Number(match[2])
}

/** Returns whether another server may answer what this one did not. */
function isOfServer(error: RpcError): boolean {
  if (isRpcError(error, 'daemon')) return error.code === excessiveUse
  return (
    isRpcError(error, 'transport') || isRpcError(error, 'shape') || isRpcError(error, 'timeout')
  )
}

/**
 * The daemon's words for the opposite of a refusal, which a server passes on in its own.
 *
 * @see komodo src/rpc/rawtransaction.cpp, sendrawtransaction; spesmilo/electrumx
 *   src/electrumx/server/session.py, transaction_broadcast
 */
const alreadyInChain = /\balready in block ?chain\b/i

function uncertain(error: unknown): RpcError {
  if (isRpcError(error)) return withDetails(error, { uncertain: true })
  const details: RpcErrorDetails = { reason: 'call_timeout', uncertain: true }
  return new RpcError('timeout', 'blockchain.transaction.broadcast: no answer in time', details)
}

function withMethod(error: RpcError, method: string): RpcError {
  return withDetails(error, { method })
}

function closedError(): RpcError {
  return new RpcError('transport', 'the client is closed', { reason: 'not_connected' })
}

function silentError(): RpcError {
  return new RpcError('timeout', 'the server does not answer', { reason: 'attempt_timeout' })
}
