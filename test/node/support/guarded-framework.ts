// A guard in front of a framework server of the test, and calls to the guard.

import {
  createFrameworkGuard,
  type FrameworkGuardOptions,
  type Guard,
} from '../../../src/guard/index.ts'
import { rawRequest } from './raw.ts'

export const coin = 'TOKTEST'
export const to = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
export const own = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
export const userpass = 'the framework password'
export const wanted = { coin, to, amount: '0.01' }

/** A request, as the framework gets it. */
export type Body = Record<string, unknown> & { method: string; params?: Record<string, unknown> }

export interface Answered {
  readonly status: number
  readonly text: string
  readonly result?: Record<string, unknown>
  readonly error?: string
  readonly error_type?: string
  readonly id?: unknown
}

/** Starts a guard of the framework at `url`, whose wallet has the address `own`. */
export function guardOfFramework(
  url: string,
  options: Partial<FrameworkGuardOptions> = {},
): Promise<Guard> {
  return createFrameworkGuard({ framework: { url, userpass }, coin, own: [own], ...options })
}

export async function post(
  guard: Pick<Guard, 'url'>,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const answer = await rawRequest(guard.url, { body, headers })
  return { status: answer.status, text: answer.body, ...JSON.parse(answer.body) }
}

/** Calls a method of the newer dispatcher. */
export function call(
  guard: Pick<Guard, 'url'>,
  method: string,
  params: object,
  headers?: Record<string, string>,
): Promise<Answered> {
  const body = { userpass, mmrpc: '2.0', method, params, id: 7 }
  return post(guard, JSON.stringify(body), headers)
}
