// A server on this machine with the limits that both interfaces need. It bounds callers, bytes and
// time, injects faults into answers, and closes every connection at its end.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { requireBoolean } from '../primitives/arguments.ts'
import { notify } from '../primitives/observers.ts'
import { compactSizeMax } from '../primitives/wire.ts'
import { isLoopback, refusalOf, requireOrigin } from './addresses.ts'
import { type Body, readBody } from './body.ts'
import { connectionsMax, HeldBytes } from './bounds.ts'

/** A request before its body has been read. */
export interface RequestHead {
  readonly method: string
  /** As sent, query included. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they were sent; `headers` drops or joins doubled ones. */
  readonly rawHeaders: readonly string[]
  /** Address of the other end. */
  readonly remoteAddress: string
  /** The user, once admission knows it. */
  user?: string
}

/** A whole request; `body` is null if its bytes are not UTF-8. */
export interface HttpRequest extends RequestHead {
  readonly body: string | null
  /** Aborted if the client leaves before its answer. */
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer that stays open, such as an event stream. */
interface OpenReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Called once the head is sent; answers what to do when the stream ends, from either side. */
  readonly open: (write: (text: string) => void) => () => void
}

/** An answer whose body comes from elsewhere. An error in its middle breaks the connection. */
interface StreamedReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly stream: AsyncIterable<Uint8Array>
}

/** An answer that goes wrong on purpose. */
type Fault =
  /** Later. */
  | { readonly fault: 'delay'; readonly delayMs: number; readonly reply: Answer }
  /** Half of the body, then the connection is reset. */
  | { readonly fault: 'reset'; readonly reply: Reply }

export type Answer = Reply | OpenReply | StreamedReply | Fault

/** A request that was not handled as requested, for a log. */
export interface Refusal {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly reason: string
}

export interface HttpServerOptions {
  /** Default 127.0.0.1. Others than loopback addresses need {@link exposeToNetwork}. */
  readonly host?: string | undefined
  /** Default 0: any free one; the real one is in `url`. */
  readonly port?: number | undefined
  /** Listens on an address that other machines reach: they may then try the password. */
  readonly exposeToNetwork?: boolean | undefined
  /** Names besides localhost by which programs may call this server, as `host.docker.internal`. */
  readonly allowedHosts?: readonly string[] | undefined
  /**
   * Origins of pages that may call, such as `http://localhost:5173`: the proxy of a development
   * server forwards the page's. Pages of other origins are refused.
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Largest body, in bytes. Default 32 MiB, the daemon's limit. */
  readonly bodyBytesMax?: number | undefined
  /** A request that is not complete after so long is dropped. Default 30 s, the daemon's. */
  readonly requestMsMax?: number | undefined
  /** Told of each request that was refused, and of each that failed. */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined
}

/** The parts in which servers differ. */
export interface HttpServerRules {
  /** Looks at a request before its body is read; an answer ends it there. */
  readonly admit?: (head: RequestHead) => Answer | undefined | Promise<Answer | undefined>
  readonly handle: (request: HttpRequest) => Answer | Promise<Answer>
  /** It serves a page: links of others may lead there. */
  readonly isPage?: boolean
}

/** A server that listens. */
export interface HttpServer {
  /** With the real port, and a slash at the end. */
  readonly url: string
  readonly port: number
  /**
   * Stops listening, lets answers on their way arrive for half a second, and ends every connection.
   * May be called twice.
   */
  close(): Promise<void>
}

// komodo src/httpserver.cpp: a body may have as many bytes as a CompactSize may count.
const bodyBytesDefault = compactSizeMax
// komodo src/httpserver.h, DEFAULT_HTTP_SERVER_TIMEOUT
const requestMsDefault = 30_000
// The daemon sets no limit of its own. Node's usual one holds any header a client has a reason for.
const headerBytesMax = 16 * 1024
const closingMs = 500
const unreadBytesMax = 1 << 20

/**
 * Listens for requests.
 *
 * @throws {TypeError} for a host that is not loopback, unless `exposeToNetwork` is true; for another
 *   value of it than true and false, and for an invalid origin
 */
export async function openHttpServer(
  rules: HttpServerRules,
  options: HttpServerOptions = {},
): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0, exposeToNetwork = false } = options
  requireBoolean(exposeToNetwork, 'exposeToNetwork')
  if (!exposeToNetwork && !isLoopback(host)) {
    throw new TypeError(
      `host: ${host} can be reached from other machines; exposeToNetwork says that it may`,
    )
  }
  for (const origin of options.allowedOrigins ?? []) requireOrigin(origin)
  const closing = new AbortController()
  const held = new HeldBytes()
  const requestTimeout = options.requestMsMax ?? requestMsDefault
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeout,
      requestTimeout,
      keepAliveTimeout: requestMsDefault,
      connectionsCheckingInterval: Math.min(requestTimeout, 1_000),
    },
    (request, response) => void respond(request, response, { rules, options, closing, held }),
  )
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // A thousand callers may come at once: Node's usual queue of 511 would let some wait for
    // seconds.
    server.listen({ host, port, backlog: 4096 }, resolve)
  })
  // More connections than this process may have files: those that it has go on.
  server.on('error', () => undefined)
  const address = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return {
    url: `http://${urlHost(address)}:${address.port}/`,
    port: address.port,
    close: () => {
      closed ??= closeServer(server, closing)
      return closed
    },
  }
}

function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}

function closeServer(server: Server, closing: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const last = setTimeout(() => server.closeAllConnections(), closingMs)
    server.close(() => {
      clearTimeout(last)
      resolve()
    })
    closing.abort()
    server.closeIdleConnections()
  })
}

interface Context {
  readonly rules: HttpServerRules
  readonly options: HttpServerOptions
  readonly closing: AbortController
  readonly held: HeldBytes
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const { onRefusal } = context.options
  const head: RequestHead = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    remoteAddress: request.socket.remoteAddress ?? '',
  }
  const refuse = (status: number, reason: string, body = reason): Reply => {
    notify(onRefusal, { method: head.method, path: head.path, status, reason })
    return { status, headers: { 'content-type': 'text/plain' }, body }
  }
  // A connection that breaks is the other side's concern.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  const left = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) left.abort()
  })
  let body: Body | undefined
  try {
    const { allowedHosts = [], allowedOrigins = [] } = context.options
    const isPage = context.rules.isPage ?? false
    const reason = refusalOf(head.headers, { allowedHosts, allowedOrigins, isPage })
    const early =
      reason === undefined ? await context.rules.admit?.(head) : refuse(403, `${reason}\n`)
    if (early !== undefined) return await send(early, response, context)
    const bytesMax = context.options.bodyBytesMax ?? bodyBytesDefault
    body = await readBody(request, bytesMax, context.held)
    if (body.fault === 'too large') {
      return await send(refuse(413, 'the body is too large', tooLargePage), response, context)
    }
    if (body.fault === 'no room') {
      return await send(refuse(503, 'too many large bodies at once\n'), response, context)
    }
    if (body.fault === 'broken off') return
    const whole: HttpRequest = { ...head, body: body.text, signal: left.signal }
    await send(await context.rules.handle(whole), response, context)
  } catch (error) {
    // A request that nothing was prepared for ends itself, and not the server.
    const reply = refuse(500, `the request failed: ${wordsOf(error)}`, 'Unhandled request')
    if (response.headersSent) response.destroy()
    else await send(reply, response, context)
  } finally {
    body?.release()
  }
}

// libevent http.c evhttp_send_error
const tooLargePage = `<HTML><HEAD>
<TITLE>413 Request Entity Too Large</TITLE>
</HEAD><BODY>
<H1>Request Entity Too Large</H1>
</BODY></HTML>
`

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function send(answer: Answer, response: ServerResponse, context: Context): Promise<void> {
  if (response.destroyed) return
  // The request itself may have closed the server. Its connection must take no further one.
  if (context.closing.signal.aborted) response.shouldKeepAlive = false
  if ('open' in answer) return sendOpen(answer, response, context.closing.signal)
  if ('stream' in answer) return sendStream(answer, response)
  if ('delayMs' in answer) {
    await pause(answer.delayMs, response, context.closing.signal)
    return send(answer.reply, response, context)
  }
  if ('fault' in answer) return reset(answer.reply, response)
  writeHead(answer, response)
  response.end(answer.body)
}

function writeHead({ status, headers, body }: Reply, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
}

function reset(reply: Reply, response: ServerResponse): void {
  writeHead(reply, response)
  const half = reply.body.slice(0, Math.floor(reply.body.length / 2))
  response.flushHeaders()
  response.write(half, () => response.socket?.resetAndDestroy())
}

async function sendStream({ status, headers, stream }: StreamedReply, response: ServerResponse) {
  response.writeHead(status, headers)
  // Applies back-pressure, and ends the stream if the client goes away.
  await pipeline(stream, response).catch(() => response.destroy())
}

function sendOpen(answer: OpenReply, response: ServerResponse, closing: AbortSignal): void {
  response.writeHead(answer.status, answer.headers)
  response.flushHeaders()
  const end = answer.open((text) => {
    if (response.destroyed) return
    // A client that stopped reading would be remembered forever.
    if (response.writableLength > unreadBytesMax) response.destroy()
    else response.write(text)
  })
  const onClosing = (): void => void response.end()
  closing.addEventListener('abort', onClosing, { once: true })
  response.on('close', () => {
    closing.removeEventListener('abort', onClosing)
    end()
  })
}

/** Waits, unless the connection is gone or the server closes. */
function pause(ms: number, response: ServerResponse, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      response.off('close', done)
      closing.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, closing.aborted ? 0 : ms)
    response.on('close', done)
    closing.addEventListener('abort', done, { once: true })
  })
}
