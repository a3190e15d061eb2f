// The client of Electrum servers: calls with their timeouts and errors, and subscriptions.

import { argumentError, requireArray, requireString } from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { startClock } from '../rpc/clock.ts'
import { abortedBy, isRpcError, RpcError, withDetails } from '../rpc/errors.ts'
import { readValue } from '../rpc/fields.ts'
import { requireMilliseconds } from '../rpc/limits.ts'
import { Calls } from './calls.ts'
import type { ConnectedServer } from './connected-server.ts'
import { Connections, type ConnectionUse } from './connections.ts'
import { closedError, lostBy } from './failures.ts'
import {
  type ElectrumMethod,
  type ElectrumResults,
  electrumMethods,
  subscriptionMethods,
} from './methods.ts'
import { type ElectrumOptions, type ReadyOptions, readOptions } from './options.ts'
import { Subscriptions } from './subscriptions.ts'

export interface ElectrumCallOptions {
  /** Ends the call; the error is of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/**
 * A client of Electrum servers. Nothing that they answer is checked beyond its form: use
 * `verifyHeaderChain` and `verifyInclusion`, and hash every transaction.
 */
export interface ElectrumClient {
  /**
   * Calls a method that the client knows.
   *
   * If a connection breaks, a read is repeated on the next server, or on a new connection to the
   * only one. A broadcast is never repeated: its error has `uncertain: true` if the server may have
   * received the transaction.
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
   * after a reconnection. The status shows only that something changed.
   *
   * A server may refuse to watch a script, for example one with a long history. The client asks
   * again after a second, and later once a minute, and asks every new connection. Until one agrees,
   * the listener hears nothing, so pass `onRefused`.
   *
   * @param scripthash - `scripthashOf` of the locking script
   * @param onRefused - called with each refusal: the script is not watched now
   * @returns a function that ends it
   */
  subscribeScript(
    scripthash: string,
    listener: (status: string | null) => void,
    onRefused?: (error: RpcError) => void,
  ): () => void
  /** Reports the last block whenever there is another, and once at the start. */
  subscribeHeaders(
    listener: (tip: ElectrumResults['blockchain.headers.subscribe']) => void,
    onRefused?: (error: RpcError) => void,
  ): () => void
  /** The URLs of its servers, the preferred first. */
  readonly servers?: readonly string[]
  /** The server in use, one object for each connection; `undefined` while there is none. */
  server(): ConnectedServer | undefined
  /**
   * Ends the connection to a server that proves wrong, such as one of another chain, if it is still
   * in use. For ten minutes, the client then connects to it only if no other server takes the
   * connection. The only server of a client is not given up.
   *
   * @param server - as `server` returned it
   * @param error - why; the calls that wait for the server are repeated on the next
   */
  avoid?(server: ConnectedServer, error: RpcError): void
  /** Ends the connection, every call and every subscription. */
  close(): void
  [Symbol.dispose](): void
}

/** A server closes a connection that is silent for ten minutes. */
const pingAfterMs = 120_000

/**
 * Creates a client of Electrum servers. It connects on the first call.
 *
 * @param options - URLs of servers of one chain, the preferred first; timeouts in milliseconds
 * @returns the client; call `close` to end its connection
 * @throws {TypeError} for wrong or unknown options
 * @example
 * const client = createElectrumClient({ servers: ['tcp://127.0.0.1:50001'] })
 * client.close()
 */
export function createElectrumClient(options: ElectrumOptions): ElectrumClient {
  return new Client(options)
}

class Client implements ElectrumClient {
  readonly servers: readonly string[]
  readonly #options: ReadyOptions
  readonly #connections: Connections
  readonly #calls: Calls
  readonly #subscriptions: Subscriptions
  readonly #end = new AbortController()
  #pings: ReturnType<typeof setInterval> | undefined

  constructor(options: ElectrumOptions) {
    this.#options = readOptions(options)
    this.servers = this.#options.addresses.map(({ url }) => url)
    const use: ConnectionUse = {
      isWanted: () => this.#subscriptions.size > 0,
      onConnected: (connection) => {
        this.#keepAlive()
        this.#subscriptions.resume(connection)
      },
      onNotification: (notification) => this.#subscriptions.notified(notification),
    }
    const { signal } = this.#end
    this.#connections = new Connections(this.#options, use, signal)
    this.#calls = new Calls(this.#connections, this.#options)
    this.#subscriptions = new Subscriptions(this.#connections, this.#calls, signal)
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
    // A value that JSON does not have, such as a bigint, is the caller's error.
    JSON.stringify(params)
    const { result } = electrumMethods[method]
    const { timeoutMs = this.#options.timeoutMs, signal } = options
    requireMilliseconds(timeoutMs, 'options.timeoutMs')
    const clock = startClock(timeoutMs, signal)
    try {
      if (method === 'blockchain.transaction.broadcast') {
        return (await this.#calls.broadcast(params, clock)) as ElectrumResults[Method]
      }
      const answer = await this.#calls.read(method, params, clock)
      return readValue(result, answer) as ElectrumResults[Method]
    } catch (error) {
      throw this.#explained(error, method, signal)
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

  subscribeScript(
    scripthash: string,
    listener: (status: string | null) => void,
    onRefused?: (error: RpcError) => void,
  ): () => void {
    requireString(scripthash, 'scripthash')
    if (!isHex32(scripthash)) {
      throw argumentError('scripthash', '32 bytes in lower-case hex', scripthash)
    }
    return this.#subscriptions.add(subscriptionMethods.script, [scripthash], listener, onRefused)
  }

  subscribeHeaders(
    listener: (tip: ElectrumResults['blockchain.headers.subscribe']) => void,
    onRefused?: (error: RpcError) => void,
  ): () => void {
    return this.#subscriptions.add(subscriptionMethods.headers, [], listener, onRefused)
  }

  server(): ConnectedServer | undefined {
    return this.#connections.current()?.server
  }

  avoid(server: ConnectedServer, error: RpcError): void {
    this.#connections.avoid(server, error)
  }

  close(): void {
    if (this.#end.signal.aborted) return
    this.#end.abort()
    clearInterval(this.#pings)
    this.#subscriptions.clear()
    this.#connections.current()?.session.end(closedError())
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #keepAlive(): void {
    clearInterval(this.#pings)
    this.#pings = setInterval(() => {
      if (this.#connections.current() !== undefined) this.call('server.ping').catch(() => undefined)
    }, pingAfterMs)
    // A process may end although it has a client.
    ;(this.#pings as { unref?: () => void }).unref?.()
  }

  #explained(error: unknown, method: string, signal: AbortSignal | undefined): RpcError {
    if (isRpcError(error)) {
      // The connection can fail because the server refused its greeting or a ping, not this call.
      const isOfOther = error.method !== undefined && error.method !== method
      return withDetails(isOfOther ? lostBy(error) : error, { method })
    }
    if (this.#end.signal.aborted) return withDetails(closedError(), { method })
    if (signal?.aborted) return withDetails(abortedBy(signal), { method })
    return new RpcError('timeout', `${method}: no answer in time`, {
      method,
      reason: 'call_timeout',
    })
  }
}
