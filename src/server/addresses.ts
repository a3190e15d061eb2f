// Access to a server of this machine: programs of this machine may call it, pages in a browser may
// not.

import { isIP } from 'node:net'

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i

/** Tells whether a server bound to `host` can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return loopback.test(host)
}

/**
 * Headers that distinguish a page in a browser, or a request under a changed host name, from a
 * program.
 */
interface CallerHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  /** Sec-Fetch-Site and Sec-Fetch-Dest, which browsers alone send. */
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly 'sec-fetch-dest'?: string | string[] | undefined
}

interface Answering {
  readonly allowedHosts: readonly string[]
  /** Origins of pages that may call, such as `http://localhost:5173`. */
  readonly allowedOrigins: readonly string[]
  /** True if the answer is a page, to which other pages may link. */
  readonly isPage: boolean
}

/**
 * Returns why a request is not answered; undefined if it is.
 *
 * A browser names the page's origin with each POST, and the name that it looked up as the host. A
 * page whose name was pointed at this machine after it was loaded has a name there, no address.
 * With an image that a page asks for it names no origin, but that another site wants it.
 */
export function refusalOf(
  { host, origin, ...fetched }: CallerHeaders,
  { allowedHosts, allowedOrigins, isPage }: Answering,
): string | undefined {
  // The page of this server itself. Its host is checked below.
  const isOwn = isPage && host !== undefined && origin === `http://${host}`
  if (origin !== undefined && !isOwn && !allowedOrigins.includes(origin)) {
    return `web pages are not answered (Origin ${origin}); a development server's page may be allowed by --allow-origin or allowedOrigins`
  }
  const site = fetched['sec-fetch-site'] ?? 'none'
  const isVisit = isPage && fetched['sec-fetch-dest'] === 'document'
  if (site !== 'none' && site !== 'same-origin' && !isVisit) {
    return `web pages are not answered (Sec-Fetch-Site ${site})`
  }
  if (host === undefined) return undefined
  const name = hostName(host)
  if (isIP(name) !== 0 || loopback.test(name) || allowedHosts.includes(name)) return undefined
  return `the name ${name} is not this server's (Host)`
}

/**
 * Checks that a text is an origin as browsers write it, so that a slip is not silently never
 * matched.
 *
 * @throws {TypeError}
 */
export function requireOrigin(origin: string): string {
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
  if (isOrigin && /^https?:/.test(origin)) return origin
  throw new TypeError(
    `allowedOrigins: expected an origin such as http://localhost:5173, got ${JSON.stringify(origin)}`,
  )
}

/** A Host header without its port; an IPv6 address without its brackets. */
function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}
