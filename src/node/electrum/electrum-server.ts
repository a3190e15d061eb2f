// A server of the Electrum protocol over TCP: the development chain, as light wallets read it.

import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  isJsonObject,
  JsonFaultError,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../primitives/json.ts'
import { LineReader } from '../../primitives/line-reader.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { Engine } from '../engine.ts'
import type { Faults } from '../faults.ts'
import type { Context } from '../methods/context.ts'
import { callElectrum } from './call.ts'
import { falseAnswer } from './false-answers.ts'
import { tipOf } from './header-methods.ts'
import type { ElectrumContext, ElectrumSession } from './method.ts'
import { ScriptHistory } from './script-history.ts'
import { statusOf } from './script-methods.ts'

export interface ElectrumServer {
  /** `tcp://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** Ends the server and every connection. */
  close(): Promise<void>
}

interface ElectrumServerOptions {
  readonly engine: Engine
  readonly faults: Faults
  /** Makes the daemon that the Electrum server reads, as a real one reads its own. */
  readonly daemon: () => Context
  readonly port: number
}

const lineBytesMax = 5_000_000
const batchMax = 1_000
/** Bytes that a client may leave unread before its connection ends. */
const unreadBytesMax = 64_000_000
const parseError = -32_700
const invalidRequest = -32_600
const internalError = -32_603
/** spesmilo/electrumx, aiorpcX jsonrpc.py EXCESSIVE_RESOURCE_USAGE */
const excessiveUse = -101

/** Listens on loopback. */
export function openElectrumServer(options: ElectrumServerOptions): Promise<ElectrumServer> {
  const { engine } = options
  const history = new ScriptHistory(engine)
  const connections = new Set<Connection>()
  const server = createServer((socket) => {
    const connection = new Connection(socket, history, options)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  })
  const stopTelling = engine.onChange(() => {
    for (const connection of connections) connection.notifyOfChanges()
  })
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen({ host: '127.0.0.1', port: options.port }, () => {
      const { port } = server.address() as { port: number }
      resolve({
        url: `tcp://127.0.0.1:${port}`,
        port,
        close: () => {
          stopTelling()
          for (const connection of connections) connection.end()
          return new Promise((done) => server.close(() => done()))
        },
      })
    })
  })
}

/** The answer to a request, after which the connection may end. */
interface Outcome {
  readonly reply?: object | undefined
  readonly isLast?: boolean
}

/** In place of a result that no client gets. */
const connectionLost = Symbol('connection lost')

class Connection {
  readonly #socket: Socket
  readonly #history: ScriptHistory
  readonly #options: ElectrumServerOptions
  readonly #session: ElectrumSession = {
    protocol: undefined,
    hasHeaders: false,
    scripts: new Map(),
  }
  #header: string
  /** Lines are answered in their order. */
  #last: Promise<void> = Promise.resolve()

  constructor(socket: Socket, history: ScriptHistory, options: ElectrumServerOptions) {
    this.#socket = socket
    this.#history = history
    this.#options = options
    this.#header = tipOf(options.engine).hex
    const reader = new LineReader(
      () => lineBytesMax,
      (line) => {
        this.#last = this.#last.then(() => this.#receive(line))
      },
    )
    socket.setNoDelay(true)
    // The close event removes a connection that breaks.
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk as Uint8Array)
      } catch {
        socket.destroy()
      }
    })
  }

  end(): void {
    this.#socket.destroy()
  }

  /** Sends what changed for the subscriptions of this connection. */
  notifyOfChanges(): void {
    const tip = tipOf(this.#options.engine)
    if (this.#session.hasHeaders && tip.hex !== this.#header) {
      this.#send({ method: 'blockchain.headers.subscribe', params: [tip] })
    }
    this.#header = tip.hex
    for (const [scripthash, before] of this.#session.scripts) {
      const status = statusOf(this.#history, scripthash)
      if (status === before) continue
      this.#session.scripts.set(scripthash, status)
      this.#send({ method: 'blockchain.scripthash.subscribe', params: [scripthash, status] })
    }
  }

  async #receive(line: string): Promise<void> {
    if (this.#socket.destroyed) return
    let message: JsonValue
    try {
      message = parseJson(line)
    } catch (error) {
      if (!(error instanceof JsonFaultError)) throw error
      this.#send(failureOf(null, new RpcFailure(parseError, 'invalid JSON')))
      return
    }
    if (!Array.isArray(message)) {
      this.#reply(await this.#answer(message))
      return
    }
    if (message.length === 0 || message.length > batchMax) {
      const reason = message.length === 0 ? 'batch is empty' : `a batch over ${batchMax} requests`
      this.#send(failureOf(null, new RpcFailure(invalidRequest, reason)))
      return
    }
    const replies: object[] = []
    for (const element of message) {
      const outcome = await this.#answer(element)
      if (outcome.isLast) return this.#reply(outcome)
      if (outcome.reply !== undefined) replies.push(outcome.reply)
    }
    if (replies.length > 0) this.#send(replies)
  }

  #reply({ reply, isLast }: Outcome): void {
    if (reply !== undefined) this.#send(reply)
    if (isLast) this.#socket.destroySoon()
  }

  #send(message: object): void {
    if (this.#socket.destroyed) return
    const text = Array.isArray(message)
      ? stringifyJson(message)
      : stringifyJson({ jsonrpc: '2.0', ...message })
    this.#socket.write(`${text}\n`)
    if (this.#socket.writableLength > unreadBytesMax) this.#socket.destroy()
  }

  /** Answers a request; a notification has no reply. */
  async #answer(message: JsonValue): Promise<Outcome> {
    if (!isJsonObject(message) || typeof message.method !== 'string') {
      const failure = new RpcFailure(invalidRequest, 'request object must be a dictionary')
      return { reply: failureOf(null, failure) }
    }
    const { id, method, params } = message
    const isBeforeVersion = this.#session.protocol === undefined
    try {
      if (isBeforeVersion && method !== 'server.version') {
        throw new RpcFailure(1, 'use server.version to identify client')
      }
      const result = await this.#resultOf(method, params)
      if (result === connectionLost) return { isLast: true }
      return id === undefined ? {} : { reply: { jsonrpc: '2.0', result, id } }
    } catch (error) {
      const failure =
        error instanceof RpcFailure ? error : new RpcFailure(internalError, 'internal server error')
      const reply = failureOf(id ?? null, failure)
      const isLast =
        (isBeforeVersion && this.#session.protocol === undefined) || failure.code === excessiveUse
      return isLast || id !== undefined ? { reply, isLast } : {}
    }
  }

  async #resultOf(method: string, params: JsonValue | undefined): Promise<unknown> {
    const { faults, engine, daemon } = this.#options
    const context: ElectrumContext = {
      engine,
      daemon: daemon(),
      history: this.#history,
      session: this.#session,
    }
    const rules = faults.take(method, 0, ['latency', 'error', 'excessive_use', 'reset'])
    for (const rule of rules) {
      if (rule.kind === 'latency') await pause(rule.milliseconds)
      if (rule.kind === 'error') throw new RpcFailure(rule.code, rule.message)
      if (rule.kind === 'excessive_use') {
        throw new RpcFailure(excessiveUse, 'excessive resource usage')
      }
      if (rule.kind === 'reset') return connectionLost
    }
    const answer = callElectrum(context, method, params)
    // The call ran, and the client gets no reply: clients must survive that.
    if (faults.take(method, 0, ['lost_reply']).length > 0) return connectionLost
    const falsehoods = faults.take(method, 0, [
      'wrong_txid',
      'false_branch',
      'false_header',
      'hidden',
    ])
    return falsehoods.reduce((given, { kind }) => falseAnswer(kind, method, given), answer)
  }
}

function failureOf(id: JsonValue, { code, message }: RpcFailure): object {
  return { jsonrpc: '2.0', error: { code, message }, id }
}
