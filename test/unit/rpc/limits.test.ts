// These tests cover the limits of a call: where its time, its attempts and the size of its reply come from.

import { describe, expect, test } from 'vitest'

import { limitsOf } from '../../../src/rpc/limits.ts'
import { replyBytesMax } from '../../../src/rpc/reply-sizes.ts'
import { retryDefault } from '../../../src/rpc/retry.ts'
import { httpTransport } from '../../../src/rpc/transport.ts'

const url = 'http://localhost'
const method = { replyBytesMax: 10 }
const patient = { replyBytesMax: 20, patienceMs: 900 }

describe('the time of a call', () => {
  const timesOf = (...given: Parameters<typeof limitsOf>) => {
    const { callMs, attemptMs } = limitsOf(...given)
    return [callMs, attemptMs]
  }

  test('is what the call says, else the client, else the method', () => {
    const client = { url, timeoutMs: 5, attemptTimeoutMs: 4 }
    const call = { timeoutMs: 3, attemptTimeoutMs: 2 }
    expect(timesOf({ url }, [method], {})).toEqual([60_000, 30_000])
    expect(timesOf({ url }, [patient], {})).toEqual([900, 900])
    expect(timesOf(client, [patient], {})).toEqual([5, 4])
    expect(timesOf(client, [patient], call)).toEqual([3, 2])
  })

  test('the time of a batch is not that of one of its methods', () => {
    expect(timesOf({ url }, [patient, method], {})).toEqual([60_000, 30_000])
    expect(timesOf({ url }, [], {})).toEqual([60_000, 30_000])
  })

  test('may be endless, and is a number', () => {
    expect(timesOf({ url, timeoutMs: Number.POSITIVE_INFINITY }, [method], {})).toEqual([
      Number.POSITIVE_INFINITY,
      30_000,
    ])
    for (const value of [Number.NaN, '5', 5n]) {
      const wrong = value as number
      expect(() => limitsOf({ url, timeoutMs: wrong }, [method], {})).toThrow(
        /^timeoutMs: expected a number of milliseconds/,
      )
      expect(() => limitsOf({ url }, [method], { attemptTimeoutMs: wrong })).toThrow(
        /^attemptTimeoutMs: expected a number of milliseconds/,
      )
      expect(() => limitsOf({ url }, [method], { timeoutMs: wrong })).toThrow(TypeError)
    }
  })
})

test('a reply is as large as its method needs, of a batch as all together, or as the call says', () => {
  expect(limitsOf({ url }, [method], {}).maxResponseBytes).toBe(10)
  expect(limitsOf({ url }, [method, patient], {}).maxResponseBytes).toBe(30)
  expect(limitsOf({ url }, [method, patient], { maxResponseBytes: 7 }).maxResponseBytes).toBe(7)
})

test.each([Number.NaN, '5', 5n, null])('a reply has no limit of %s', (value) => {
  const maxResponseBytes = value as number
  const refusal = /^maxResponseBytes: expected a number of bytes/
  expect(() => limitsOf({ url }, [method], { maxResponseBytes })).toThrow(refusal)
  expect(() => httpTransport({ url, maxResponseBytes })).toThrow(refusal)
})

test('attempts are those of the call, else of the client, and none further where it says so', () => {
  const client = { url, retry: { attempts: 7, baseMs: undefined as unknown as number } }
  expect(limitsOf({ url }, [method], {}).policy).toEqual(retryDefault)
  expect(limitsOf(client, [method], {}).policy).toEqual({ ...retryDefault, attempts: 7 })
  expect(limitsOf(client, [method], { retry: { maxMs: 1 } }).policy).toEqual({
    ...retryDefault,
    maxMs: 1,
  })
  expect(limitsOf(client, [method], { retry: false }).policy).toEqual({
    ...retryDefault,
    attempts: 1,
  })
})

describe('the largest reply', () => {
  test('has room for the largest transaction in hex, and little more', () => {
    const envelope = replyBytesMax.transaction - 2 * 200_000
    expect(envelope).toBeGreaterThan(1_000)
    expect(envelope).toBeLessThan(20_000)
    expect(replyBytesMax.built).toBeGreaterThan(2 * 400_000)
  })

  test('grows with the kind of answer, up to 16 MiB', () => {
    const kinds = [
      replyBytesMax.scalar,
      replyBytesMax.object,
      replyBytesMax.transaction,
      replyBytesMax.built,
      replyBytesMax.decoded,
      replyBytesMax.list,
    ]
    expect(kinds).toEqual(kinds.toSorted((one, other) => one - other))
    // the longest usage text of a daemon has 4 kB
    expect(kinds[0]).toBeGreaterThan(4_096)
    expect(kinds[0]).toBeLessThan(100_000)
    expect(kinds.at(-1)).toBeGreaterThanOrEqual(50_000 * 300)
    expect([kinds.at(-1), replyBytesMax.untyped]).toEqual([2 ** 24, 2 ** 24])
  })
})
