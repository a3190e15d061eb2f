// A guard in front of a server of the test.

import { createGuard, type Guard, type GuardOptions } from '../../../src/guard/index.ts'
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
