import {
  hasMoreValues,
  isLosslessNumber,
  JsonFaultError,
  type JsonValue,
  parseJson,
} from '../primitives/json.ts'
import { printable } from '../primitives/printable.ts'
import { RpcError } from '../rpc/errors.ts'
import type { MessageStream } from './stream.ts'

/** A message that a server sends of its own accord. */
export interface Notification {
  readonly method: string
  readonly params: readonly JsonValue[]
}

interface Waiting {
  readonly method: string
  readonly bytesMax: number
  resolve(value: JsonValue): void
  reject(error: RpcError): void
}

/** Messages that nobody waits for, notifications among them, are never longer. */
const noticeBytesMax = 65_536
/** Bytes beside the result of an answer. */
const envelopeBytes = 1024
/** The values of an answer, one to so many bytes. Parsing costs by the value. */
const bytesPerValue = 8
const valuesMin = 1000

/**
 * One connection to a server: numbers requests, gives each its answer, and passes notifications on.
 *
 * A message that breaks the protocol ends the connection. No later message could be matched with its
 * request. An answer that comes too late does not end it.
 *
 * @see spesmilo/electrum-protocol, Protocol Basics; JSON-RPC 2.0
 */
export class Session {
  readonly #waiting = new Map<number, Waiting>()
  readonly #onNotification: (notification: Notification) => void
  readonly #onClose: (error: RpcError) => void
  #stream: MessageStream | undefined
  #nextId = 0
  #closed: RpcError | undefined
  /** Milliseconds of `performance.now()` at the last message. */
  lastHeardMs: number = performance.now()

  constructor(
    onNotification: (notification: Notification) => void,
    onClose: (error: RpcError) => void,
  ) {
    this.#onNotification = onNotification
    this.#onClose = onClose
  }

  start(stream: MessageStream): void {
    this.#stream = stream
    this.lastHeardMs = performance.now()
  }

  /** The number of requests without an answer. */
  get inFlight(): number {
    return this.#waiting.size
  }

  /** The longest message that is accepted now, in bytes. */
  bytesMax(): number {
    let most = noticeBytesMax
    for (const { bytesMax } of this.#waiting.values()) most = Math.max(most, bytesMax)
    return most + envelopeBytes
  }

  /**
   * Sends a request.
   *
   * @param bytesMax - the longest answer that is accepted
   * @returns the answer, and a function that stops waiting for it
   */
  request(
    method: string,
    params: readonly unknown[],
    bytesMax: number,
  ): { readonly answer: Promise<JsonValue>; forget(): void } {
    const id = this.#nextId++
    const answer = new Promise<JsonValue>((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed)
        return
      }
      this.#waiting.set(id, { method, bytesMax, resolve, reject })
      this.#stream!.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
    return { answer, forget: () => this.#waiting.delete(id) }
  }

  /** Takes a message of the server. */
  receive(text: string): void {
    if (this.#closed !== undefined) return
    this.lastHeardMs = performance.now()
    try {
      const valuesMax = Math.max(valuesMin, Math.ceil(text.length / bytesPerValue))
      if (hasMoreValues(text, valuesMax)) throw broken('too many values for its length')
      this.#read(parsed(text))
    } catch (error) {
      this.end(error as RpcError)
    }
  }

  #read(message: JsonValue): void {
    if (typeof message !== 'object' || message === null || isLosslessNumber(message)) {
      throw broken('no object')
    }
    if (Array.isArray(message)) throw broken('a batch, though none was asked for')
    const { id, method, params, result, error } = message as Record<string, JsonValue | undefined>
    if (method !== undefined) {
      // A server that asks its clients something is not one of ours; it gets no answer.
      if (id === undefined && typeof method === 'string' && Array.isArray(params)) {
        this.#onNotification({ method, params })
      }
      return
    }
    const number = isLosslessNumber(id) ? Number(id.value) : Number.NaN
    const isIssued = Number.isInteger(number) && number >= 0 && number < this.#nextId
    if (!isIssued) {
      const reason = error === undefined || error === null ? undefined : messageOf(error)
      throw broken(reason === undefined ? 'an id that no request has' : `an error: ${reason}`)
    }
    const waiting = this.#waiting.get(number)
    // The request timed out, or was answered before.
    if (waiting === undefined) return
    this.#waiting.delete(number)
    if (error !== undefined && error !== null) waiting.reject(refusal(waiting.method, error))
    else if (result === undefined) waiting.reject(broken(`${waiting.method}: no result`))
    else waiting.resolve(result)
  }

  /** Ends the connection; every request that has no answer rejects with the error. */
  end(error: RpcError): void {
    if (this.#closed !== undefined) return
    this.#closed = error
    this.#stream?.close()
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
    this.#onClose(error)
  }
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    throw new RpcError('shape', 'the server sent a message that is no JSON', {
      reason: error.fault,
      cause: error,
    })
  }
}

function broken(what: string): RpcError {
  const message = `the server sent a message of another form: ${what}`
  return new RpcError('shape', message, { reason: 'wrong_envelope' })
}

const shownMax = 500

function messageOf(error: JsonValue): string {
  const { message } = (typeof error === 'object' ? error : {}) as { message?: unknown }
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  return printable(text.slice(0, shownMax))
}

/** Returns the error for a refusal, which is `{ code, message }`, or a text of an old server. */
function refusal(method: string, error: JsonValue): RpcError {
  const { code } = (typeof error === 'object' ? error : {}) as { code?: unknown }
  const number = isLosslessNumber(code) ? Number(code.value) : 0
  const message = `${method}: ${messageOf(error) || 'refused without a reason'}`
  return new RpcError('daemon', message, { method, code: number })
}
