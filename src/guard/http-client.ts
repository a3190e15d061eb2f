// Node's HTTP client for the server of a guard, over connections that stay open.

import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

interface HttpClient {
  readonly request: typeof httpRequest
  /** Keeps connections open. It takes no proxy from the environment. */
  readonly agent: HttpAgent
  /** Returns an agent that opens a connection for each request. */
  newAgent(): HttpAgent
}

/** Connections at once. A daemon has a queue of 16 calls (`-rpcworkqueue`). */
const socketsMax = 16

/** Returns the client for the scheme of a URL. */
export function httpClient(url: string): HttpClient {
  const isTls = new URL(url).protocol === 'https:'
  const AgentOfScheme = isTls ? HttpsAgent : HttpAgent
  return {
    request: isTls ? httpsRequest : httpRequest,
    agent: new AgentOfScheme({ keepAlive: true, maxSockets: socketsMax }),
    newAgent: () => new AgentOfScheme(),
  }
}
