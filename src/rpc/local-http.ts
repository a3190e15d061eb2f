// Posts to a server on this machine with Node's own HTTP client. It follows no redirect, and uses no
// proxy and no cookies. docs/adr/0046-http-to-this-machine.md compares its time with that of `fetch`.

import { oncePerObject } from '../primitives/once-per-object.ts'

/** A reply of any status. */
interface LocalReply {
  readonly status: number
  /** Absent if it is larger than allowed. Empty for a redirect, whose body is not read. */
  readonly bytes: Uint8Array | undefined
}

interface LocalRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly bytesMax: number
}

type Http = NonNullable<ReturnType<typeof nodeHttp>>

/** Idle connections end before the 30 seconds of a daemon, so that few calls meet a closed one. */
const idleMs = 4000

let opened: { http: Http; agent: InstanceType<Http['Agent']> } | undefined

/** The place of a server, as Node's client takes it. */
export interface LocalServer {
  readonly host: string
  readonly port: string
  readonly path: string
}

/** Returns the server of a URL; `undefined` if it is not of this machine, or has TLS. */
export function localServer(url: string): LocalServer | undefined {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  if (protocol !== 'http:' || !isLoopback(hostname)) return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname}${search}` }
}

/**
 * Returns true if requests to this machine can go past `fetch`: in Node, unless the program replaced
 * `fetch` or the dispatcher that leads it through proxies.
 */
export function canPostLocally(): boolean {
  return isPlainFetch() && open() !== undefined
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

interface Dispatcher {
  readonly dispatch?: unknown
  readonly [member: symbol]: unknown
}
const replaceable = globalThis as { fetch?: unknown; [place: symbol]: Dispatcher | undefined }
/** The start of the names under which undici keeps the dispatcher of `fetch`: lib/global.js. */
const placeOfDispatcher = /^undici\.globalDispatcher\./
const firstPlace = Symbol.for('undici.globalDispatcher.1')
const isNodes = oncePerObject((fetch: object) =>
  /^(?:async )?function fetch\(input, init = undefined\)/.test(String(fetch)),
)

/** Returns true if `fetch` is Node's own, and connects directly; false in doubt. */
function isPlainFetch(): boolean {
  const { fetch } = replaceable
  if (typeof fetch !== 'function') return false
  // Versions of Node read different places. All are consulted, in case a later one reads a new one.
  return isNodes(fetch) && symbolsOf(replaceable, placeOfDispatcher).every(isDirect)
}

/** Returns true for a place that has the dispatcher which undici makes by default; false in doubt. */
function isDirect(place: symbol): boolean {
  const dispatcher = replaceable[place]
  if (dispatcher === undefined) return true
  if (dispatcher === null || typeof dispatcher !== 'object') return false
  const name = dispatcher.constructor?.name
  // Since undici 8, `fetch` does not read the first place. There is a wrapper for older copies.
  if (name === 'Dispatcher1Wrapper') return versionOfUndici() >= 8 && place === firstPlace
  return name === 'Agent' && isDefaultAgent(dispatcher)
}

/**
 * Returns true if a program gave an agent no options, factory or interceptor, any of which may lead
 * requests elsewhere.
 *
 * @see undici lib/dispatcher/agent.js, Agent, and lib/dispatcher/dispatcher.js, `compose`
 */
function isDefaultAgent(agent: Dispatcher): boolean {
  const [options, factory] = [/^options$/, /^factory$/].map(
    (name) => agent[symbolsOf(agent, name)[0]!],
  )
  const inherited = Object.getPrototypeOf(Object.getPrototypeOf(agent))?.dispatch
  return (
    agent.dispatch === inherited &&
    (factory as { name?: string } | undefined)?.name === 'defaultFactory' &&
    // `maxOrigins` is infinite by default.
    Object.values(options ?? { missing: true }).every(
      (value) => value === undefined || value === Number.POSITIVE_INFINITY,
    )
  )
}

function symbolsOf(holder: object, name: RegExp): symbol[] {
  return Object.getOwnPropertySymbols(holder).filter(({ description }) =>
    name.test(description ?? ''),
  )
}

function versionOfUndici(): number {
  return Number.parseInt(globalThis.process?.versions?.undici ?? '', 10)
}

function nodeHttp() {
  return globalThis.process?.getBuiltinModule?.('node:http')
}

function open(): typeof opened {
  if (opened !== undefined) return opened
  const http = nodeHttp()
  if (http === undefined) return undefined
  opened = { http, agent: new http.Agent({ keepAlive: true, timeout: idleMs }) }
  return opened
}

/**
 * Posts to a server of this machine, after `canPostLocally`, and reads the whole reply.
 *
 * Rejects with the error of Node's client if the connection fails, or `signal` ends it.
 */
export function postLocally(
  server: LocalServer,
  { body, headers, signal, bytesMax }: LocalRequest,
): Promise<LocalReply> {
  const { http, agent } = open()!
  return new Promise((resolve, reject) => {
    const request = http.request({ ...server, method: 'POST', headers, agent }, (response) => {
      const status = response.statusCode ?? 0
      const chunks: Uint8Array[] = []
      let length = 0
      const stop = (bytes: Uint8Array | undefined): void => {
        end()
        resolve({ status, bytes })
        request.destroy()
      }
      if (isRedirect(status)) return stop(new Uint8Array())
      if (Number(response.headers['content-length'] ?? 0) > bytesMax) return stop(undefined)
      response.on('data', (chunk: Uint8Array) => {
        length += chunk.length
        if (length > bytesMax) stop(undefined)
        else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('close', () => fail(new Error('the reply was cut short')))
      response.on('end', () => {
        end()
        resolve({ status, bytes: chunks.length === 1 ? chunks[0] : joined(chunks, length) })
      })
    })
    const abort = (): void => {
      fail(signal.reason)
      request.destroy()
    }
    const end = (): void => signal.removeEventListener('abort', abort)
    function fail(error: Error): void {
      end()
      reject(error)
    }
    signal.addEventListener('abort', abort)
    request.on('error', fail)
    // Without a listener, Node would wait for more.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('the server wants another protocol'))
    })
    request.end(body)
  })
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
