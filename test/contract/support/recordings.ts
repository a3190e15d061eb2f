import { readFileSync } from 'node:fs'

/** One recorded HTTP exchange of a daemon. */
export interface Recorded {
  readonly at: string
  readonly note?: string
  /** How the request was sent, where not as an ordinary call. */
  readonly raw?: {
    readonly method?: string
    readonly path?: string
    readonly [name: string]: unknown
  }
  readonly request: string
  readonly status: number
  readonly type: string | null
  readonly response: string
}

/** One example of the daemon's documentation. */
export interface DocumentedDaemon {
  readonly at: string
  readonly note?: string
  readonly transport: 'http' | 'cli'
  readonly request: string
  readonly response: string
  readonly txid_matches_hex?: boolean
}

/** One example of the framework's documentation. */
export interface DocumentedFramework {
  readonly at: string
  readonly method: string | null
  readonly note?: string
  readonly status?: number
  readonly structure?: boolean
  readonly request: string | null
  readonly response: string | null
}

function load<Row>(name: string): Row[] {
  const url = new URL(`../../vectors/rpc/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).exchanges
}

export function recordings(daemon: 'komodod' | 'tokeld'): Recorded[] {
  return load(daemon)
}

export function documentedDaemon(): DocumentedDaemon[] {
  return load('docs-daemon')
}

export function documentedFramework(): DocumentedFramework[] {
  return load('docs-framework')
}

/**
 * The recorded answer with the id that the client chose in place of the recorded one; an error
 * without an id, as for an unreadable request, keeps its null.
 */
export function withId(response: string, idText: string): string {
  if (/"error":\s*\{.*"id":\s*null\}\s*$/s.test(response)) return response
  return response.replace(/"id":\s*(?:"[^"]*"|[\d.]+|null|\{[^}]*\})\}(\s*)$/, `"id":${idText}}$1`)
}
