// The connection in use: which server is tried next, and when.

import { openSocketStream } from '#sockets'
import { notify } from '../primitives/observers.ts'
import { sleep, startClock, untilStopped } from '../rpc/clock.ts'
import { isRpcError, RpcError, withDetails } from '../rpc/errors.ts'
import { type ConnectedServer, introduction, serverOf } from './connected-server.ts'
import { closedError, lostBy, silentError } from './failures.ts'
import type { ReadyOptions } from './options.ts'
import { type Notification, Session } from './session.ts'
import type { ServerAddress, StreamEvents } from './stream.ts'
import { openWebStream } from './web-stream.ts'

export interface Connection {
  readonly session: Session
  readonly server: ConnectedServer
}

/** The client, as its connections need it. */
export interface ConnectionUse {
  /** Returns whether somebody waits for notifications, for which a lost connection is made again. */
  isWanted(): boolean
  onConnected(connection: Connection): void
  onNotification(notification: Notification): void
}

/** How long a server that proved wrong is tried last, in milliseconds. */
const avoidMs = 600_000

/** Gives the waits before each next attempt in milliseconds: from 1 second to 60, less a part. */
export function* backOffs(): Generator<number, never> {
  for (let ms = 1_000; ; ms = Math.min(2 * ms, 60_000)) {
    // Clients that lost one server must not come back all at once.
    yield ms * (0.5 + Math.random() / 2)
  }
}

/** At most one connection at a time; a lost one is replaced when somebody needs it. */
export class Connections {
  readonly #options: ReadyOptions
  readonly #use: ConnectionUse
  readonly #end: AbortSignal
  /** The server that is tried next. */
  #next = 0
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined
  #isReconnecting = false
  #waits = backOffs()
  #hasServed = false
  /** The times until which servers that proved wrong are tried last, by URL. */
  readonly #avoided = new Map<string, number>()

  /** @param end - ends every attempt for good */
  constructor(options: ReadyOptions, use: ConnectionUse, end: AbortSignal) {
    this.#options = options
    this.#use = use
    this.#end = end
  }

  current(): Connection | undefined {
    return this.#connection
  }

  /** The connection in use, or a new one to the first server that takes it. */
  connect(): Promise<Connection> {
    if (this.#end.aborted) return Promise.reject(closedError())
    if (this.#connection !== undefined) return Promise.resolve(this.#connection)
    this.#connecting ??= this.#connectToAny().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Tells that the connection answered a subscription, so that its loss is a new one. */
  served(): void {
    this.#hasServed = true
  }

  /** Ends the connection to a server that proved wrong, and tries it last for a while. */
  avoid(server: ConnectedServer, error: RpcError): void {
    const current = this.#connection
    if (current?.server !== server || this.#options.addresses.length === 1) return
    this.#avoided.set(server.url, performance.now() + avoidMs)
    // A call that began on this connection does not count its loss as a try.
    current.session.end(lostBy(error))
  }

  /** Connects again for the sake of subscriptions, with longer and longer waits; one loop for all. */
  async reconnect(): Promise<void> {
    if (this.#isReconnecting) return
    this.#isReconnecting = true
    try {
      for (;;) {
        await sleep(this.#waits.next().value, this.#end)
        if (!this.#use.isWanted()) return
        await this.connect().catch(() => undefined)
        // If the new connection was lost at once, `#lost` found this loop running, so it must go on.
        if (this.#connection !== undefined) return
      }
    } catch {
      // The client was closed.
    } finally {
      this.#isReconnecting = false
    }
  }

  async #connectToAny(): Promise<Connection> {
    const { addresses } = this.#options
    const errors: RpcError[] = []
    for (const at of this.#order()) {
      const address = addresses[at]!
      this.#next = at
      try {
        return await this.#connectTo(address)
      } catch (error) {
        if (this.#end.aborted) throw closedError()
        const reason = isRpcError(error)
          ? error
          : new RpcError('transport', 'no connection', { reason: 'not_connected', cause: error })
        errors.push(reason)
        notify(this.#options.onConnection, { type: 'lost', server: address.url, error: reason })
        this.#next += 1
      }
    }
    const last = errors.at(-1)!
    const earlierErrors = errors.slice(0, -1)
    throw earlierErrors.length === 0 ? last : withDetails(last, { earlierErrors })
  }

  /** Returns the places of the servers, from the next one on; those that proved wrong come last. */
  #order(): number[] {
    const { addresses } = this.#options
    const now = performance.now()
    const isAvoided = (at: number) => now < (this.#avoided.get(addresses[at]!.url) ?? 0)
    const order = addresses.map((_, at) => (this.#next + at) % addresses.length)
    return order.sort((one, other) => Number(isAvoided(one)) - Number(isAvoided(other)))
  }

  async #connectTo(address: ServerAddress): Promise<Connection> {
    const clock = startClock(this.#options.connectTimeoutMs, this.#end)
    const session: Session = new Session(
      (notification) => this.#use.onNotification(notification),
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
      const { answer } = session.request('server.version', introduction, 4096)
      const reply = await untilStopped(answer, clock)
      const server = serverOf(address, stream, reply)
      // Bytes behind the reply may have ended the session, before anybody could hear of it.
      session.requireOpen()
      const connection = { session, server }
      this.#connection = connection
      this.#hasServed = false
      // An observer may subscribe, which asks the connection by itself.
      this.#use.onConnected(connection)
      notify(this.#options.onConnection, { type: 'connected', server: address.url })
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
    // A server that refuses everything must not be asked again every second.
    if (this.#hasServed && !isRpcError(error, 'daemon')) this.#waits = backOffs()
    notify(this.#options.onConnection, { type: 'lost', server: url, error })
    if (this.#use.isWanted() && !this.#end.aborted) void this.reconnect()
  }
}
