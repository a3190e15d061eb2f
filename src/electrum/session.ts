// One connection to an Electrum server: requests, answers and notifications.

import {
  hasMoreValues,
  isLosslessNumber,
  JsonFaultError,
  type JsonValue,
  parseJson,
} from '../primitives/json.ts'
import { printable } from '../primitives/printable.ts'
import { type Moment, momentNow } from '../rpc/clock.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { lostBy } from './failures.ts'
import type { MessageStream } from './stream.ts'

/** A message that a server sends without a request. */
export interface Notification {
  readonly method: string
  readonly params: readonly JsonValue[]
}

/** A request that has no answer yet. */
interface PendingRequest {
  readonly method: string
  readonly bytesMax: number
  resolve(value: JsonValue): void
  reject(error: RpcError): void
}

/** The longest message that answers no pending request, such as a notification. */
const noticeBytesMax = 65_536
/** The most bytes that an answer has besides its result. */
const envelopeBytes = 1024
/**
 * A message may have one JSON value for each 8 characters, and 1000 in any case. The time and the
 * memory of parsing grow with the number of values.
 */
const charactersPerValue = 8
const valuesAlwaysAllowed = 1000

/**
 * Speaks JSON-RPC over one connection to a server: it numbers requests, matches each with its
 * answer, and passes notifications on.
 *
 * A message that breaks the protocol ends the connection. No later message could be matched with
 * its request. An answer that comes too late does not end it.
 *
 * @see spesmilo/electrum-protocol, Protocol Basics; JSON-RPC 2.0
 */
export class Session {
  readonly #pending = new Map<number, PendingRequest>()
  readonly #onNotification: (notification: Notification) => void
  readonly #onClose: (error: RpcError) => void
  #stream: MessageStream | undefined
  #nextId = 0
  #closed: RpcError | undefined
  /** The moment of the last message. */
  lastHeard: Moment = momentNow()

  constructor(
    onNotification: (notification: Notification) => void,
    onClose: (error: RpcError) => void,
  ) {
    this.#onNotification = onNotification
    this.#onClose = onClose
  }

  start(stream: MessageStream): void {
    this.#stream = stream
    this.lastHeard = momentNow()
  }

  /** @throws {RpcError} the reason why the connection has ended */
  requireOpen(): void {
    if (this.#closed !== undefined) throw this.#closed
  }

  /** The longest message that is accepted now, in bytes. */
  bytesMax(): number {
    let most = noticeBytesMax
    for (const { bytesMax } of this.#pending.values()) most = Math.max(most, bytesMax)
    return most + envelopeBytes
  }

  /**
   * Sends a request.
   *
   * @param bytesMax - the longest answer that is accepted
   * @param onAnswer - gets the answer before the next message is read; the promise settles later
   * @returns the answer, and a function that stops waiting for it
   */
  request(
    method: string,
    params: readonly unknown[],
    bytesMax: number,
    onAnswer?: (value: JsonValue) => void,
  ): { readonly answer: Promise<JsonValue>; forget(): void } {
    const id = this.#nextId++
    const answer = new Promise<JsonValue>((settle, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed)
        return
      }
      const resolve = (value: JsonValue): void => {
        settle(value)
        onAnswer?.(value)
      }
      this.#pending.set(id, { method, bytesMax, resolve, reject })
      this.#stream!.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
    return { answer, forget: () => this.#pending.delete(id) }
  }

  receive(text: string): void {
    if (this.#closed !== undefined) return
    this.lastHeard = momentNow()
    try {
      const valuesMax = Math.max(valuesAlwaysAllowed, Math.ceil(text.length / charactersPerValue))
      if (hasMoreValues(text, valuesMax)) throw malformed('too many values for its length')
      this.#read(parsed(text))
    } catch (error) {
      this.end(error as RpcError)
    }
  }

  #read(message: JsonValue): void {
    if (typeof message !== 'object' || message === null || isLosslessNumber(message)) {
      throw malformed('not a JSON object')
    }
    if (Array.isArray(message)) throw malformed('a batch, but no batch was requested')
    const { id, method, params, result, error } = message as Record<string, JsonValue | undefined>
    if (method !== undefined) {
      // Servers of this protocol send no requests, which have an id; such a message is ignored.
      if (id === undefined && typeof method === 'string' && Array.isArray(params)) {
        this.#onNotification({ method, params })
      }
      return
    }
    const number = isLosslessNumber(id) ? Number(id.value) : Number.NaN
    const isKnownId = Number.isInteger(number) && number >= 0 && number < this.#nextId
    if (!isKnownId) {
      // A server reports a request that it could not read with an error and without its id.
      const reason = error === undefined || error === null ? undefined : messageOf(error)
      throw malformed(reason === undefined ? 'an id that no request has' : `an error: ${reason}`)
    }
    const request = this.#pending.get(number)
    // The request timed out, or was answered before.
    if (request === undefined) return
    this.#pending.delete(number)
    if (error !== undefined && error !== null) request.reject(refusal(request.method, error))
    else if (result === undefined) request.reject(malformed(`${request.method}: no result`))
    else request.resolve(result)
  }

  /**
   * Ends the connection. Every pending request rejects with the error, unless it is a refusal: that
   * answers one request, and the others may have been carried out.
   */
  end(error: RpcError): void {
    if (this.#closed !== undefined) return
    const closed = isRpcError(error, 'daemon') ? lostBy(error) : error
    this.#closed = closed
    this.#stream?.close()
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(closed)
    this.#onClose(error)
  }
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    throw new RpcError('shape', 'the server sent a message that is not JSON', {
      reason: error.fault,
      cause: error,
    })
  }
}

function malformed(fault: string): RpcError {
  const message = `the server sent a malformed message: ${fault}`
  return new RpcError('shape', message, { reason: 'wrong_envelope' })
}

/** Characters of a server's message that an error repeats. */
const shownMax = 500

function messageOf(error: JsonValue): string {
  const { message } = (typeof error === 'object' ? error : {}) as { message?: unknown }
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  return printable(text.slice(0, shownMax))
}

/** Returns the error for a refusal: `{ code, message }`, or only a text from an old server. */
function refusal(method: string, error: JsonValue): RpcError {
  const { code } = (typeof error === 'object' ? error : {}) as { code?: unknown }
  const number = isLosslessNumber(code) ? Number(code.value) : 0
  const message = `${method}: ${messageOf(error) || 'refused without a reason'}`
  return new RpcError('daemon', message, { method, code: number })
}
