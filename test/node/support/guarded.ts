// A guard in front of a server of the test.

import {
  createGuard,
  type Guard,
  type GuardOptions,
  type Policy,
} from '../../../src/guard/index.ts'
import type { DevNode } from '../../../src/node/index.ts'
import { basic, type RawReply, type RawRequest, rawRequest } from './raw.ts'

export const user = 'user'
export const password = 'a password'
export const authorization = basic(user, password)

/** Starts a guard of the server at `url`, which takes the credentials above. */
export function guardOf(url: string, options: Partial<GuardOptions> = {}): Promise<Guard> {
  return createGuard({
    daemon: { url, credentials: () => ({ user, password }) },
    ...options,
  })
}

/** Starts a guard of a development node, which pays from the node's first key. */
export function guardOfNode(node: DevNode, options: Partial<GuardOptions> = {}): Promise<Guard> {
  const { url, user, password, pubkey } = node.identities[0]!
  const daemon = { url, credentials: () => ({ user, password }) }
  return createGuard({ daemon, pubkey, ...options })
}

/** Returns a policy that asks a person about every payment. */
export function askingPolicy(ask: (signal: AbortSignal) => Promise<boolean>): Policy {
  return {
    admit: () => undefined,
    decide: (_, { isConfirmed }) =>
      isConfirmed ? { verdict: 'allow' } : { verdict: 'confirm', rule: 'confirm', ask },
  }
}

/** Posts a body with the right credentials. */
export function post(
  guard: Pick<Guard, 'url'>,
  body: string | Buffer,
  { headers, ...request }: RawRequest = {},
): Promise<RawReply> {
  return rawRequest(guard.url, { headers: { authorization, ...headers }, body, ...request })
}

export function callText(method: string, params: readonly unknown[] = [], id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '1.0', id, method, params })
}

/** Returns a function that calls a guard with the credentials of the node's first key. */
export function callerOf(node: () => DevNode) {
  return async (guard: Guard, method: string, params: readonly unknown[], key?: string) => {
    const { user, password } = node().identities[0]!
    const name = key === undefined ? {} : { 'idempotency-key': key }
    const headers = { authorization: basic(user, password), ...name }
    const { body } = await rawRequest(guard.url, { headers, body: callText(method, params) })
    return JSON.parse(body)
  }
}
