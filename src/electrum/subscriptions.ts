// Subscriptions of the client, which outlive the connection that they were made on.

import { argumentError } from '../primitives/arguments.ts'
import type { JsonValue } from '../primitives/json.ts'
import { notify } from '../primitives/observers.ts'
import { sleep } from '../rpc/clock.ts'
import { isRpcError, type RpcError } from '../rpc/errors.ts'
import { readValue } from '../rpc/fields.ts'
import { type Calls, excessiveUse } from './calls.ts'
import { backOffs, type Connection, type Connections } from './connections.ts'
import { silentError } from './failures.ts'
import { electrumMethods, subscriptionMethods } from './methods.ts'
import type { Notification, Session } from './session.ts'

interface Subscription {
  readonly method: (typeof subscriptionMethods)[keyof typeof subscriptionMethods]
  readonly params: readonly string[]
  /** Each call has a listener of its own, even if two calls give the same function. */
  readonly listeners: Set<Listener>
  /** The value that listeners know, and its JSON. */
  known: { readonly value: unknown; readonly text: string } | undefined
  /** The server's last refusal to watch; cleared by the next status. */
  refusal: RpcError | undefined
}

interface Listener {
  readonly tell: (value: never) => void
  readonly refused: OnRefused | undefined
}

type OnRefused = (error: RpcError) => void

/** Subscriptions of one client, which outlive its connections. */
export class Subscriptions {
  readonly #byKey = new Map<string, Subscription>()
  readonly #connections: Connections
  readonly #calls: Calls
  readonly #end: AbortSignal

  constructor(connections: Connections, calls: Calls, end: AbortSignal) {
    this.#connections = connections
    this.#calls = calls
    this.#end = end
  }

  get size(): number {
    return this.#byKey.size
  }

  clear(): void {
    this.#byKey.clear()
  }

  /** @returns a function that ends it */
  add(
    method: Subscription['method'],
    params: readonly string[],
    listener: (value: never) => void,
    onRefused?: OnRefused,
  ): () => void {
    if (typeof listener !== 'function') throw argumentError('listener', 'a function', listener)
    if (onRefused !== undefined && typeof onRefused !== 'function') {
      throw argumentError('onRefused', 'a function', onRefused)
    }
    const key = keyOf(method, params)
    const existing = this.#byKey.get(key)
    const fresh = { method, params, listeners: new Set<Listener>() }
    const subscription = existing ?? { ...fresh, known: undefined, refusal: undefined }
    const added: Listener = { tell: listener, refused: onRefused }
    subscription.listeners.add(added)
    if (existing?.known !== undefined) notify(listener, existing.known.value as never)
    if (existing?.refusal !== undefined) notify(onRefused, existing.refusal)
    if (existing === undefined) {
      this.#byKey.set(key, subscription)
      const connection = this.#connections.current()
      if (connection !== undefined) void this.#ask(subscription, connection)
      else this.#connections.connect().catch(() => this.#connections.reconnect())
    }
    return () => {
      subscription.listeners.delete(added)
      // A later subscription to the same may be in its place.
      const isLast = subscription.listeners.size === 0 && this.#byKey.get(key) === subscription
      if (isLast) this.#byKey.delete(key)
    }
  }

  /** Asks a new connection for everything that somebody listens to. */
  resume(connection: Connection): void {
    for (const subscription of this.#byKey.values()) void this.#ask(subscription, connection)
  }

  /** A refusal concerns one subscription, which is asked for again; the connection is kept. */
  async #ask(subscription: Subscription, { session }: Connection): Promise<void> {
    try {
      for (const waitMs of backOffs()) {
        const refusal = await this.#refusalOf(subscription, session)
        if (refusal === undefined) return
        tellRefusal(subscription, refusal)
        await sleep(waitMs, this.#end)
        // A new connection is asked anyway.
        if (session !== this.#connections.current()?.session) return
        if (subscription.listeners.size === 0) return
      }
    } catch (error) {
      if (isRpcError(error, 'daemon')) tellRefusal(subscription, error)
      // Without the subscription, a listener would wait for ever on a connection that works.
      session.end(isRpcError(error) ? error : silentError())
    }
  }

  /**
   * Asks once. Returns the refusal of this subscription; throws if the server refuses all requests
   * (-101).
   */
  async #refusalOf(subscription: Subscription, session: Session): Promise<RpcError | undefined> {
    const { method, params } = subscription
    try {
      await this.#calls.subscribe(session, method, params, this.#end, (answer) =>
        this.#tell(subscription, answer),
      )
      return undefined
    } catch (error) {
      if (isRpcError(error, 'daemon') && error.code !== excessiveUse) return error
      throw error
    }
  }

  notified({ method, params }: Notification): void {
    const isHeaders = method === subscriptionMethods.headers
    const key = keyOf(method, isHeaders ? [] : params.slice(0, 1))
    const subscription = this.#byKey.get(key)
    if (subscription !== undefined) this.#tell(subscription, params.at(isHeaders ? 0 : 1) ?? null)
  }

  #tell(subscription: Subscription, value: JsonValue): void {
    const read = readValue<unknown>(electrumMethods[subscription.method].result, value)
    const text = JSON.stringify(read)
    subscription.refusal = undefined
    this.#connections.served()
    if (text === subscription.known?.text) return
    subscription.known = { value: read, text }
    for (const { tell } of subscription.listeners) notify(tell, read as never)
  }
}

function tellRefusal(subscription: Subscription, refusal: RpcError): void {
  // Listeners get the next status, even an old one: from then on it is watched again.
  subscription.known = undefined
  subscription.refusal = refusal
  for (const { refused } of subscription.listeners) notify(refused, refusal)
}

const keyOf = (method: string, params: readonly unknown[]) => JSON.stringify([method, params])
