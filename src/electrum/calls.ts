// Requests to the server in use. Reads are repeated on the next server; a broadcast is sent once.

import type { JsonValue } from '../primitives/json.ts'
import { type Clock, longestSince, startClock, untilStopped } from '../rpc/clock.ts'
import { isRpcError, RpcError, type RpcErrorDetails, withDetails } from '../rpc/errors.ts'
import { readValue } from '../rpc/fields.ts'
import { hasItAlready } from '../rpc/known-transaction.ts'
import type { Connections } from './connections.ts'
import { silentError } from './failures.ts'
import { type ElectrumMethod, electrumMethods } from './methods.ts'
import type { ReadyOptions } from './options.ts'
import type { Session } from './session.ts'
import { Turns } from './turns.ts'

/** A connection that was silent for longer is proven alive before something is sent for good. */
const freshMs = 15_000
/** ElectrumX's code for a session that used too much. */
export const excessiveUse = -101

/** Requests of one client, of which a limited number are in flight. */
export class Calls {
  readonly #connections: Connections
  readonly #options: ReadyOptions
  readonly #turns: Turns

  constructor(connections: Connections, options: ReadyOptions) {
    this.#connections = connections
    this.#options = options
    this.#turns = new Turns(options.inFlightMax)
  }

  /**
   * Tries each server once before it gives up, because another one may answer. If a connection from
   * before this call breaks, that does not count as a try: it may have been dead for long.
   */
  async read(method: ElectrumMethod, params: readonly unknown[], clock: Clock): Promise<JsonValue> {
    const earlierErrors: RpcError[] = []
    const before = this.#connections.current()?.session
    let triesLeft = this.#options.addresses.length
    for (;;) {
      const { session } = await untilStopped(this.#connections.connect(), clock)
      try {
        return await this.#turns.run(clock, () => this.#exchange(session, method, params, clock))
      } catch (error) {
        if (!isRpcError(error) || !isOfServer(error)) throw error
        // The next server may be less busy, or less wrong.
        session.end(error)
        if (session !== before || !isRpcError(error, 'transport')) triesLeft -= 1
        if (triesLeft === 0) {
          throw earlierErrors.length === 0 ? error : withDetails(error, { earlierErrors })
        }
        earlierErrors.push(error)
      }
    }
  }

  /**
   * Sends a transaction once. If a server does not answer, or answers something other than a txid,
   * it may have sent the transaction on.
   */
  async broadcast(params: readonly unknown[], clock: Clock): Promise<unknown> {
    const { session } = await untilStopped(this.#connections.connect(), clock)
    if (longestSince(session.lastHeard) > freshMs) {
      await this.read('server.ping', [], clock).catch((error) => {
        // A server that refuses a ping is alive.
        if (!isRpcError(error, 'daemon') || error.code === excessiveUse) throw error
      })
    }
    return await this.#turns.run(clock, async () => await this.#send(params, clock))
  }

  async #send(params: readonly unknown[], clock: Clock): Promise<unknown> {
    const method = 'blockchain.transaction.broadcast'
    // The connection may be another one than before the wait for a turn.
    const { session } = await untilStopped(this.#connections.connect(), clock)
    // The transaction has not been sent yet, so a failure here is certain.
    session.requireOpen()
    try {
      const answer = await this.#exchange(session, method, params, clock)
      return readValue<unknown>(electrumMethods[method].result, answer)
    } catch (error) {
      if (isRpcError(error, 'daemon') && !hasItAlready.test(error.message)) throw error
      throw uncertain(error)
    }
  }

  /**
   * Asks for notifications. The time of the call begins with its turn, for which a thousand others
   * may be ahead. `onAnswer` gets the answer in its order among the notifications.
   */
  async subscribe(
    session: Session,
    method: ElectrumMethod,
    params: readonly unknown[],
    end: AbortSignal,
    onAnswer: (answer: JsonValue) => void,
  ): Promise<void> {
    await this.#turns.run(end, async () => {
      const clock = startClock(this.#options.timeoutMs, end)
      try {
        await this.#exchange(session, method, params, clock, onAnswer)
      } finally {
        clock.release()
      }
    })
  }

  /** Sends a request and waits for its answer. A connection that does not answer is given up. */
  async #exchange(
    session: Session,
    method: ElectrumMethod,
    params: readonly unknown[],
    clock: Clock,
    onAnswer?: (answer: JsonValue) => void,
  ): Promise<JsonValue> {
    const patience = startClock(this.#options.answerTimeoutMs, clock)
    const { bytesMax } = electrumMethods[method]
    const { answer, forget } = session.request(method, params, bytesMax, onAnswer)
    const sentMs = performance.now()
    try {
      return await untilStopped(answer, patience)
    } catch (error) {
      if (isRpcError(error)) throw error
      // A slow answer among others is not the connection's fault, and neither is an abort.
      const isSilent = clock.stopped()?.by !== 'signal' && session.lastHeard.steady < sentMs
      if (isSilent) session.end(silentError())
      if (clock.stopped() === undefined) throw silentError()
      throw error
    } finally {
      patience.release()
      forget()
    }
  }
}

/** Returns whether another server may answer what this one did not. */
function isOfServer(error: RpcError): boolean {
  if (isRpcError(error, 'daemon')) return error.code === excessiveUse
  return (
    isRpcError(error, 'transport') || isRpcError(error, 'shape') || isRpcError(error, 'timeout')
  )
}

function uncertain(error: unknown): RpcError {
  if (isRpcError(error)) return withDetails(error, { uncertain: true })
  const details: RpcErrorDetails = { reason: 'call_timeout', uncertain: true }
  return new RpcError('timeout', 'blockchain.transaction.broadcast: no answer in time', details)
}
