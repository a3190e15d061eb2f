// Sends requests by HTTP, with limits of time and size, to allowed hosts only.

import {
  argumentError,
  isUint8Array,
  requireArray,
  requireString,
} from '../primitives/arguments.ts'
import { RpcError } from './errors.ts'
import {
  canPostLocally,
  isLoopback,
  isRedirect,
  type LocalServer,
  localServer,
  postLocally,
} from './local-http.ts'
import { ownText } from './own-text.ts'
import { causesOf, codeOf } from './redaction.ts'

/** A request as it is sent. This layer is the first that sees credentials. */
interface RpcRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Largest reply in bytes, if less than the transport's own limit. */
  readonly maxResponseBytes?: number | undefined
}

/** A reply of any status. */
export interface RpcResponse {
  readonly status: number
  readonly text: string
}

/** The transport of the clients: a request in, a reply out. */
type RpcTransport = (request: RpcRequest) => Promise<RpcResponse>

/** The part of `fetch` that is used. The global function, undici's and test doubles all fit. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

export interface FetchInit {
  readonly method: 'POST' | 'GET'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  readonly redirect: 'manual'
  readonly credentials: 'omit'
  readonly cache: 'no-store'
}

export interface FetchResponse {
  readonly status: number
  readonly type?: string
  readonly redirected?: boolean
  readonly headers: { get(name: string): string | null }
  readonly body?: FetchBody | null
  /** Called only if there is no stream, as in a test double. */
  text?(): Promise<string>
}

interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(reason?: unknown): Promise<void>
  }
  cancel(reason?: unknown): Promise<void>
}

interface HttpTransportOptions {
  readonly url: string | URL
  readonly fetch?: Fetch | undefined
  /** Largest reply in bytes; default 64 MiB, twice the daemon's own limit for requests. */
  readonly maxResponseBytes?: number | undefined
  /** Allowed hosts besides loopback. */
  readonly allowedHosts?: readonly string[] | undefined
}

/** Refuses a size that is not a number, because no reply would exceed it. */
export function requireByteLimit(value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && !Number.isNaN(value))) return
  throw argumentError('maxResponseBytes', 'a number of bytes', value)
}

const responseBytesDefault = 64 * 1024 * 1024

/**
 * Posts to one URL and reads the whole reply. It follows no redirect, sends no cookie and keeps no
 * state.
 *
 * Throws `RpcError` of kind `transport`, `http` (`redirected`) or `shape` (`reply_too_large`,
 * `malformed_text`), or the reason of `signal` if that aborted first.
 */
export function httpTransport(options: HttpTransportOptions): RpcTransport {
  const url = checkedUrl(options.url, options.allowedHosts ?? [])
  requireByteLimit(options.maxResponseBytes)
  const ownMax = options.maxResponseBytes ?? responseBytesDefault
  const near = options.fetch === undefined ? localServer(url) : undefined
  return async ({ body, headers, signal, maxResponseBytes = ownMax }) => {
    const bytesMax = Math.min(maxResponseBytes, ownMax)
    if (near !== undefined && canPostLocally()) {
      return sendLocally(near, { body, headers, signal, bytesMax })
    }
    const response = await send(options.fetch, url, {
      method: 'POST',
      headers: { ...headers },
      body,
      signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    })
    refuseRedirect(response)
    return { status: response.status, text: await readText(response, bytesMax, signal) }
  }
}

/**
 * Checks the URL of a server before any credential is sent to it.
 *
 * Loopback needs no permission. Another host must be in `allowedHosts`, so that a URL that a user
 * typed or a link contained cannot receive the password.
 *
 * @param name - of `allowedHosts`, for messages
 * @throws {TypeError}
 */
export function checkedUrl(
  source: string | URL,
  allowedHosts: readonly string[],
  name = 'allowedHosts',
): string {
  requireArray(allowedHosts, name)
  for (const [at, host] of allowedHosts.entries()) requireString(host, `${name}[${at}]`)
  if (!URL.canParse(String(source))) throw new TypeError('url is not an absolute URL')
  const url = new URL(source)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('url must begin with http: or https:')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials do not belong in the url: pass them as options')
  }
  const isAllowed = allowedHosts.some((host) => host.toLowerCase() === url.hostname)
  if (!isAllowed && !isLoopback(url.hostname)) {
    throw new TypeError(`${url.hostname} is not this machine: name it in ${name}`)
  }
  url.hash = ''
  return url.href
}

async function sendLocally(
  server: LocalServer,
  request: Parameters<typeof postLocally>[1],
): Promise<RpcResponse> {
  const { signal, bytesMax } = request
  const { status, bytes } = await postLocally(server, request).catch((error) => {
    throw signal.aborted ? signal.reason : lostConnection(error)
  })
  if (isRedirect(status)) throw redirected(status)
  if (bytes === undefined) throw tooLarge(status, bytesMax)
  return { status, text: decode(newDecoder(), bytes, status, false) }
}

/**
 * Sends a request and waits for the head of its reply. The clock ends the wait by itself, in case
 * `fetch` ignores its signal; a reply that arrives afterwards is discarded here.
 */
export async function send(
  given: Fetch | undefined,
  url: string,
  init: FetchInit,
): Promise<FetchResponse> {
  const fetch = given ?? (globalThis.fetch as unknown as Fetch)
  let response: FetchResponse
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init.signal.aborted) throw init.signal.reason
    throw lostConnection(error)
  }
  if (!init.signal.aborted) return response
  discardBody(response)
  throw init.signal.reason
}

// Failures before the first byte of a request: the server cannot have acted.
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
// The same holds for these if no connection was made; an open one can end in them too.
const neverSentByConnect = new Set(['ENETUNREACH', 'EHOSTUNREACH'])

/** The message of fetch for ports that browsers refuse; that error has no code. */
const blockedPort = 'bad port'

function lostConnection(error: unknown): RpcError {
  if (error instanceof Error && messageOf(error.cause) === blockedPort) {
    const message = 'no connection: fetch refuses this port; the server has to listen on another'
    return ownText(new RpcError('transport', message, { reason: 'not_connected', cause: error }))
  }
  const code = codeOf(error)
  const reason = isNeverSent(error, code) ? 'not_connected' : 'connection_lost'
  const message = reason === 'not_connected' ? 'no connection' : 'the connection broke'
  const details = { reason, cause: error } as const
  // A code is fixed if it is a known one. A caller's `fetch` may name any other.
  if (code === undefined) return ownText(new RpcError('transport', message, details))
  const coded = new RpcError('transport', `${message} (${code})`, details)
  return neverSent.has(code) || neverSentByConnect.has(code) ? ownText(coded) : coded
}

function isNeverSent(error: unknown, code = ''): boolean {
  if (neverSent.has(code)) return true
  return neverSentByConnect.has(code) && [...causesOf(error)].some(isOfConnecting)
}

/** Node wraps the failures of several addresses of a name in one AggregateError. */
function isOfConnecting(error: Error): boolean {
  return error instanceof AggregateError || (error as { syscall?: unknown }).syscall === 'connect'
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}

function refuseRedirect(response: FetchResponse): void {
  const { type, redirected: wasRedirected, status } = response
  if (type !== 'opaqueredirect' && wasRedirected !== true && !isRedirect(status)) return
  discardBody(response)
  throw redirected(status)
}

function redirected(status: number): RpcError {
  const message = 'the server wants to redirect, which is never followed'
  return ownText(new RpcError('http', message, { reason: 'redirected', status }))
}

export function discardBody(response: FetchResponse): void {
  response.body?.cancel().catch(() => undefined)
}

async function readText(
  response: FetchResponse,
  bytesMax: number,
  signal: AbortSignal,
): Promise<string> {
  const { status, body } = response
  if (Number(response.headers.get('content-length') ?? 0) > bytesMax) {
    discardBody(response)
    throw tooLarge(status, bytesMax)
  }
  if (!body) return readWithoutStream(response, bytesMax, signal)
  const reader = body.getReader()
  try {
    const decoder = newDecoder()
    let text = ''
    let bytes = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) throw signal.reason
      if (done) return text + decode(decoder, undefined, status)
      if (!isUint8Array(value)) throw new TypeError('the body is not a byte stream')
      bytes += value.length
      if (bytes > bytesMax) throw tooLarge(status, bytesMax)
      text += decode(decoder, value, status)
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    if (signal.aborted) throw signal.reason
    throw error instanceof RpcError ? error : lostConnection(error)
  }
}

async function readWithoutStream(
  response: FetchResponse,
  charactersMax: number,
  signal: AbortSignal,
): Promise<string> {
  if (response.body === null || response.text === undefined) return ''
  const text = await response.text()
  if (signal.aborted) throw signal.reason
  if (text.length > charactersMax) throw tooLarge(response.status, charactersMax)
  return text
}

/** A byte order mark stays, so that the JSON parser reports it. */
function newDecoder(): InstanceType<typeof TextDecoder> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | undefined,
  status: number,
  stream = chunk !== undefined,
): string {
  try {
    return decoder.decode(chunk, { stream })
  } catch {
    throw new RpcError('shape', 'the reply is not UTF-8', { reason: 'malformed_text', status })
  }
}

function tooLarge(status: number, bytesMax: number): RpcError {
  const message = `the reply is larger than ${bytesMax} bytes`
  return ownText(new RpcError('shape', message, { reason: 'reply_too_large', status }))
}
