// A client of a development node, with a test between the two. The test may change what is asked, or
// answer in the node's place, at once or later.

import type { DevNode } from '../../../src/node/index.ts'
import { createDaemonClient, type DaemonClient } from '../../../src/rpc/index.ts'

/** A request as it reached the node, or would have. */
export interface SentRequest {
  readonly method: string
  readonly params: readonly unknown[]
  readonly body: string
}

/**
 * @param change - told of each request; may change `params`, return an answer, or throw to break the
 *   connection
 */
export function tamperedClient(
  node: DevNode,
  change: (request: SentRequest & { readonly params: unknown[] }) => unknown,
): DaemonClient {
  return createDaemonClient({
    url: 'http://127.0.0.1/',
    user: 'user',
    password: 'pass',
    retry: false,
    async fetch(input, init) {
      const body = String(init?.body)
      const { method, params, id } = JSON.parse(body)
      const before = JSON.stringify(params)
      const answer = await change({ method, params, body })
      if (answer !== undefined) return Response.json({ result: answer, error: null, id })
      const isChanged = JSON.stringify(params) !== before
      // The text of the client keeps its numbers exact.
      const text = isChanged ? JSON.stringify({ method, params, id }) : body
      return node.fetch(String(input), { ...init, body: text } as never)
    },
  })
}

/** Returns how many satoshis an address has received. */
export async function receivedBy(node: DevNode, address: string): Promise<bigint> {
  const answer = await node.request('getaddressbalance', [{ addresses: [address] }])
  return BigInt((answer as { received: number }).received)
}
