// These tests cover which failures may be followed by another attempt, and after how long.

import { afterEach, describe, expect, test, vi } from 'vitest'

import { RpcError } from '../../../src/rpc/errors.ts'
import {
  backOffMs,
  mayHaveActed,
  mayRetry,
  type RetryPolicy,
  retryDefault,
  type Safety,
  strictestSafety,
} from '../../../src/rpc/retry.ts'

afterEach(() => vi.restoreAllMocks())

const policy: RetryPolicy = { attempts: 3, baseMs: 100, maxMs: 350, jitter: false }
const of = (reason: string) => new RpcError('transport', reason, { reason: reason as never })
const daemon = (code: number) => new RpcError('daemon', 'refused', { code })

/** By what the failure says of the server. */
const failures = {
  notBegun: [of('not_connected'), of('queue_full'), daemon(-28)],
  passing: [of('unavailable'), of('connection_lost'), of('attempt_timeout')],
  final: [daemon(-25), of('timeout'), of('unauthorized'), new RpcError('shape', 'no JSON', {})],
}
const safeties: readonly Safety[] = ['read', 'broadcast', 'other', 'build', 'once']
const retried = (error: RpcError, attempt = 1) =>
  safeties.filter((safety) => mayRetry(error, safety, attempt, policy))

describe('another attempt', () => {
  test('follows a request that the server cannot have begun', () => {
    for (const error of failures.notBegun) {
      expect(retried(error)).toEqual(['read', 'broadcast', 'other'])
    }
  })

  test('follows a passing failure where a repetition does no harm', () => {
    for (const error of failures.passing) expect(retried(error)).toEqual(['read', 'broadcast'])
  })

  test('follows no answer', () => {
    for (const error of failures.final) expect(retried(error)).toEqual([])
  })

  test('is not told by the code of another protocol', () => {
    expect(retried(new RpcError('module', 'refused', { code: -28 }))).toEqual([])
  })

  test('comes as often as the policy says, and once for a broadcast', () => {
    expect(retried(of('unavailable'), 2)).toEqual(['read'])
    expect(retried(of('not_connected'), 2)).toEqual(['read', 'other'])
    expect(retried(of('unavailable'), 3)).toEqual([])
    expect(mayRetry(of('unavailable'), 'read', 1, { ...policy, attempts: Number.NaN })).toBe(false)
  })
})

describe('the wait', () => {
  test('doubles up to its limit', () => {
    expect([1, 2, 3, 4].map((attempt) => backOffMs(attempt, policy))).toEqual([100, 200, 350, 350])
  })

  test('is shortened by up to a half, so that clients do not retry in step', () => {
    const random = vi.spyOn(Math, 'random')
    const jitter = { ...policy, jitter: true }
    random.mockReturnValue(0)
    expect(backOffMs(1, jitter)).toBe(50)
    random.mockReturnValue(0.5)
    expect(backOffMs(1, jitter)).toBe(75)
  })

  test('is by default short, and random', () => {
    expect(retryDefault).toEqual({ attempts: 3, baseMs: 200, maxMs: 5_000, jitter: true })
  })
})

test('a batch is as careful as its most dangerous call', () => {
  expect(strictestSafety(['read', 'once', 'build'])).toBe('once')
  expect(strictestSafety(['read', 'build', 'other'])).toBe('build')
  expect(strictestSafety(['broadcast', 'other'])).toBe('other')
  expect(strictestSafety(['read', 'broadcast'])).toBe('broadcast')
  expect(strictestSafety([])).toBe('read')
})

describe('a server may have acted', () => {
  const acts = (error: RpcError, isRelayed?: true) =>
    safeties.filter((safety) => mayHaveActed(error, { safety, isRelayed }))
  const changing: readonly Safety[] = ['broadcast', 'other', 'once']

  test('a server may have acted if the reply was lost, or is none', () => {
    for (const error of [
      ...failures.passing,
      new RpcError('shape', 'no JSON', {}),
      new RpcError('http', 'HTTP 500', { status: 500 }),
    ]) {
      expect(acts(error)).toEqual(changing)
    }
  })

  test.each(['not_connected', 'queue_full', 'unauthorized', 'forbidden', 'redirected'])(
    'a server has not acted if the call was %s',
    (reason) => {
      expect(acts(of(reason))).toEqual([])
    },
  )

  test('a server that refused has not acted, unless the transaction is in the chain', () => {
    expect(acts(daemon(-26))).toEqual([])
    // komodo src/rpc/protocol.h, RPC_VERIFY_ALREADY_IN_CHAIN
    expect(acts(daemon(-27))).toEqual(['broadcast'])
    expect(acts(new RpcError('module', 'refused', {}))).toEqual([])
    expect(acts(new RpcError('module', 'refused', {}), true)).toEqual([])
  })

  test('a server may have acted if a framework passes on what its own server said', () => {
    const refused = new RpcError('framework', 'refused', {})
    expect(acts(refused)).toEqual([])
    expect(acts(refused, true)).toEqual(changing)
  })
})
