// The daemon's HTTP server: one path, one method, one user.

import { createHash, timingSafeEqual } from 'node:crypto'
import { notify } from '../primitives/observers.ts'
import {
  type Answer,
  type HttpRequest,
  type HttpServer,
  type HttpServerOptions,
  openHttpServer,
  type Refusal,
  type Reply,
  type RequestHead,
} from './http-server.ts'

export interface ServeOptions extends HttpServerOptions {
  readonly user: string
  readonly password: string
  /** Milliseconds by which the answer to a wrong password is delayed. Default 250, the daemon's. */
  readonly wrongPasswordMs?: number | undefined
  /** Answers a request that was admitted. `jsonRpc` makes such a handler. */
  readonly handle: (request: HttpRequest) => Answer | Promise<Answer>
}

/**
 * Serves a daemon's RPC port. Checks the path, the HTTP method and the credentials in the daemon's
 * order, and refuses with the daemon's statuses and texts.
 *
 * @see komodo src/httpserver.cpp http_request_cb, src/httprpc.cpp HTTPReq_JSONRPC
 */
export function serve(options: ServeOptions): Promise<HttpServer> {
  const expected = `${options.user}:${options.password}`
  const authenticate = (given: Buffer) =>
    matchesSecret(given, expected) ? options.user : undefined
  return openHttpServer(
    { admit: admission({ ...options, authenticate }), handle: options.handle },
    options,
  )
}

interface AdmissionRules {
  /** Returns the user whose `user:password` was given; `undefined` if they are wrong. */
  readonly authenticate: (given: Buffer) => string | undefined | Promise<string | undefined>
  readonly wrongPasswordMs?: number | undefined
  readonly onRefusal?: HttpServerOptions['onRefusal']
}

/** Returns a function that admits requests as a daemon does, and sets `head.user`. */
export function admission(
  rules: AdmissionRules,
): (head: RequestHead) => Promise<Answer | undefined> {
  return async (head) => {
    const { method, path } = head
    const refuse = (reply: Reply, reason: string): Reply => {
      notify(rules.onRefusal, { method, path, status: reply.status, reason } satisfies Refusal)
      return reply
    }
    if (!knownMethods.has(method)) return refuse(plain(405, ''), 'unknown HTTP method')
    if (path !== '/') return refuse(plain(404, ''), 'the path is not /')
    if (method !== 'POST') return refuse(onlyPost, 'the HTTP method is not POST')
    const { authorization } = head.headers
    if (authorization === undefined) return refuse(unauthorized, 'user and password are missing')
    const given = basicCredentials(authorization)
    const user = given && (await rules.authenticate(given))
    if (user === undefined) {
      const reply = refuse(unauthorized, 'user or password is wrong')
      return { fault: 'delay', delayMs: rules.wrongPasswordMs ?? 250, reply }
    }
    head.user = user
    return undefined
  }
}

// komodo src/httpserver.h HTTPRequest::RequestMethod
const knownMethods = new Set(['GET', 'POST', 'HEAD', 'PUT'])

/** A reply that is not JSON, with the type that libevent gives it. */
export function plain(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=ISO-8859-1' }, body }
}

const onlyPost = plain(405, 'JSONRPC server handles only POST requests')
const unauthorized = plain(401, '', { 'www-authenticate': 'Basic realm="jsonrpc"' })

/** The daemon's answer when too many calls wait. source: komodo src/httpserver.cpp */
export const workQueueFull: Reply = plain(500, 'Work queue depth exceeded')

/** @see komodo src/httprpc.cpp RPCAuthorized */
function basicCredentials(authorization: string): Buffer | undefined {
  if (!authorization.startsWith('Basic ')) return undefined
  return Buffer.from(authorization.slice('Basic '.length).trim(), 'base64')
}

/**
 * Returns true if `given` is the secret. Both are hashed to one length, so that the time of the
 * comparison reveals nothing.
 */
export function matchesSecret(given: Buffer, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest()
}
