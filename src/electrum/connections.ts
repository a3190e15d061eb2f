// The connection in use: which server is tried next, and when.

import { openSocketStream } from '#sockets'
import { notify } from '../primitives/observers.ts'
import { sleep, startClock, untilStopped } from '../rpc/clock.ts'
import { isRpcError, RpcError, withDetails } from '../rpc/errors.ts'
import { type ConnectedServer, introduction, serverOf } from './connected-server.ts'
import { closedError, silentError } from './failures.ts'
import type { ConnectionEvent, ReadyOptions } from './options.ts'
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

const backOffMs = { first: 1_000, most: 60_000 }

/** At most one connection at a time; a lost one is replaced when somebody needs it. */
export class Connections {
  readonly #options: ReadyOptions
  readonly #use: ConnectionUse
  readonly #end: AbortSignal
  /** The server that is tried next. */
  #next = 0
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined

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

  /** Connects again for the sake of subscriptions, with longer and longer waits. */
  async reconnect(): Promise<void> {
    for (let waitMs = backOffMs.first; ; waitMs = Math.min(2 * waitMs, backOffMs.most)) {
      try {
        await sleep(waitMs * (0.5 + Math.random() / 2), this.#end)
        if (!this.#use.isWanted()) return
        await this.connect()
        return
      } catch {
        if (this.#end.aborted) return
      }
    }
  }

  async #connectToAny(): Promise<Connection> {
    const { addresses } = this.#options
    const errors: RpcError[] = []
    for (let tried = 0; tried < addresses.length; tried += 1) {
      const address = addresses[this.#next % addresses.length]!
      try {
        return await this.#connectTo(address)
      } catch (error) {
        if (this.#end.aborted) throw closedError()
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
      // What came with the reply may have ended the session, before anybody could hear of it.
      session.requireOpen()
      const connection = { session, server }
      this.#connection = connection
      this.#notify({ type: 'connected', server: address.url })
      this.#use.onConnected(connection)
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
    if (this.#use.isWanted() && !this.#end.aborted) void this.reconnect()
  }

  #notify(event: ConnectionEvent): void {
    const { onConnection } = this.#options
    if (onConnection !== undefined) notify(onConnection, event)
  }
}
