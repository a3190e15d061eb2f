import { expect } from 'vitest'
import { isRpcError, type RpcError } from '../../../src/rpc/index.ts'
import { type Exact, exactJson, plain, typedValue } from './oracle.ts'

// This file derives the expected result of a client from an answer, without any code under test.

export interface Reply {
  readonly status: number
  readonly type: string | null
  readonly response: string
}

export interface Expectation {
  readonly kind: 'result' | 'http' | 'daemon' | 'module'
  readonly status?: number
  readonly code?: number
  readonly message?: string
  readonly result?: Exact
}

/** Returns the result that a client must return for an answer. */
export function expectationOf({ status, type, response }: Reply): Expectation {
  if (type !== 'application/json') return { kind: 'http', status }
  const { result, error } = exactJson(response) as unknown as Answer
  if (error !== null) {
    return { kind: 'daemon', status, code: Number(error.code['#']), message: error.message.trim() }
  }
  const failure = result as { readonly result?: unknown; readonly error?: string } | null
  return failure?.result === 'error'
    ? { kind: 'module', status, message: failure.error ?? '' }
    : { kind: 'result', result }
}

interface Answer {
  readonly result: Exact
  readonly error: { readonly code: { readonly '#': string }; readonly message: string } | null
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown }

export function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  return call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  )
}

/** Holds an outcome against what was recorded. */
export function check(
  outcome: Outcome,
  expected: Expectation,
  method: string | undefined,
  at: string,
) {
  if (expected.kind !== 'result') {
    const { message = '', kind, ...facts } = expected
    const error = 'error' in outcome ? (outcome.error as RpcError) : undefined
    expect(isRpcError(error, kind as never), `${at} ${JSON.stringify(plain(outcome))}`).toBe(true)
    expect(error, at).toMatchObject(facts)
    expect(error?.message, at).toContain(message)
    return
  }
  if ('error' in outcome) throw new Error(at, { cause: outcome.error })
  expect(plain(outcome.value), at).toEqual(typedValue(method, expected.result as Exact))
}
