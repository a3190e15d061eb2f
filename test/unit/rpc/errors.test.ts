// These tests cover what an error of a call says: its details, earlier attempts, and whether the
// server may have acted.

import { describe, expect, test } from 'vitest'

import type { startClock } from '../../../src/rpc/clock.ts'
import {
  abortedBy,
  isRpcError,
  RpcError,
  type RpcErrorDetails,
  withDetails,
} from '../../../src/rpc/errors.ts'
import { finished, stopOf } from '../../../src/rpc/failure.ts'
import { concluded, failedBetween, startHistory } from '../../../src/rpc/history.ts'
import { redactor } from '../../../src/rpc/redaction.ts'

const txid = '11'.repeat(32)
const lost = (details: RpcErrorDetails = {}) =>
  new RpcError('transport', 'lost', { reason: 'connection_lost', ...details })
const unreached = () => new RpcError('transport', 'unreached', { reason: 'not_connected' })

describe('an error', () => {
  test('has the details that were given, a cause, and a place in the documents', () => {
    const cause = new Error('socket')
    const error = lost({ cause, status: undefined, attempts: 2 })
    expect(error).toMatchObject({ name: 'RpcError', kind: 'transport', attempts: 2, cause })
    expect(error.docs).toBe('antara-tx/docs/rpc.md#transport')
    expect(Object.keys(error)).toEqual(['name', 'kind', 'reason', 'attempts', 'docs'])
    expect('cause' in lost()).toBe(false)
  })

  test('is reported by its class and its kind', () => {
    expect([isRpcError(lost()), isRpcError(new Error('lost')), isRpcError(undefined)]).toEqual([
      true,
      false,
      false,
    ])
    expect(isRpcError(lost(), 'transport')).toBe(true)
    expect(isRpcError(lost(), 'http')).toBe(false)
    expect(isRpcError({ kind: 'transport' }, 'transport')).toBe(false)
  })

  test('an error of an aborted call has the reason of the signal', () => {
    const stop = new AbortController()
    stop.abort('enough')
    expect(abortedBy(stop.signal)).toMatchObject({ kind: 'aborted', cause: 'enough' })
    expect('cause' in abortedBy(undefined)).toBe(false)
  })
})

describe('an error with more details', () => {
  test('keeps what it had, and its stack', () => {
    const error = lost({ attempts: 1, cause: 'socket' })
    const copy = withDetails(error, { attempts: 2, taskId: 7 })
    expect(copy).toMatchObject({ reason: 'connection_lost', attempts: 2, taskId: 7 })
    expect([copy.message, copy.cause, copy.stack]).toEqual(['lost', 'socket', error.stack])
    const { stack: _, ...bare } = { stack: 1 }
    Object.defineProperty(error, 'stack', { value: undefined })
    expect([bare, withDetails(error, {}).stack]).toEqual([{}, expect.any(String)])
  })

  test('names the transaction that may have been broadcast once', () => {
    const named =
      'lost; 1111111111111111111111111111111111111111111111111111111111111111 may have been broadcast'
    const open = withDetails(lost(), { uncertain: true, txid })
    expect(open.message).toBe(named)
    expect(withDetails(open, { attempts: 3 }).message).toBe(named)
    expect(withDetails(lost({ uncertain: true }), { txid }).message).toBe(named)
    expect(withDetails(lost({ txid }), { uncertain: true }).message).toBe(named)
    expect(withDetails(lost(), { txid }).message).toBe('lost')
    expect(withDetails(lost(), { uncertain: true }).message).toBe('lost')
  })
})

describe('the attempts at a call', () => {
  const broadcast = { safety: 'broadcast', txid: () => txid } as const

  test('leave it uncertain if one was sent and not refused', () => {
    const history = startHistory(broadcast)
    history.note(lost(), false)
    expect(history.isUncertain).toBe(false)
    history.note(unreached(), true)
    expect(history.isUncertain).toBe(false)
    history.note(lost(), true)
    expect(history.isUncertain).toBe(true)
    history.note(unreached(), true)
    expect(history.isUncertain).toBe(true)
    expect(history.errors).toHaveLength(4)
  })

  test('are reported by the final error, which is none of the earlier ones', () => {
    const history = startHistory({ safety: 'read' })
    const [first, last] = [lost(), unreached()]
    history.note(first, true)
    history.note(last, true)
    const error = concluded(last, [history])
    expect(error.earlierErrors).toEqual([first])
    expect('uncertain' in error || 'txid' in error).toBe(false)
    const other = lost()
    expect(concluded(other, [history]).earlierErrors).toEqual([first, last])
  })

  test('attempts without anything to tell leave the error as it is', () => {
    const history = startHistory({ safety: 'read' })
    const error = lost()
    history.note(error, true)
    expect(concluded(error, [history])).toBe(error)
    expect(concluded(error, [startHistory({ safety: 'read' })])).toBe(error)
  })

  test('attempts at a batch are uncertain if one of its calls is, and name no transaction', () => {
    const [one, other] = [startHistory({ safety: 'read' }), startHistory(broadcast)]
    const error = lost()
    for (const history of [one, other]) history.note(error, true)
    const named = concluded(error, [one, other])
    expect(named.uncertain).toBe(true)
    expect('txid' in named).toBe(false)
    expect('txid' in concluded(error, [other, one])).toBe(false)
    expect(concluded(error, [other])).toMatchObject({ uncertain: true, txid })
  })
})

describe('code of the caller that fails between two attempts', () => {
  const thrown = new Error('credentials')

  test('is what was thrown where nothing may have been carried out', () => {
    const history = startHistory({ safety: 'broadcast' })
    history.note(unreached(), true)
    expect(failedBetween(thrown, [history])).toBe(thrown)
    expect(failedBetween(thrown, [])).toBe(thrown)
  })

  test('gives way to an attempt that may have arrived', () => {
    const [calm, open] = [startHistory({ safety: 'read' }), startHistory({ safety: 'broadcast' })]
    const attempts = [1, 2, 3].map((number) => lost({ attempts: number }))
    for (const attempt of attempts) open.note(attempt, true)
    const error = failedBetween(thrown, [calm, open])
    expect(error).toMatchObject({ uncertain: true, cause: thrown, reason: 'connection_lost' })
    expect(error).toMatchObject({ attempts: 3 })
  })
})

describe('the reason that stopped a call', () => {
  const stopped = (by: 'time' | 'signal' | undefined) =>
    ({
      stopped: () => (by === undefined ? undefined : { by, cause: 'enough' }),
      whenStopped: () => () => undefined,
    }) as unknown as ReturnType<typeof startClock>

  test('is its caller, its own time, or that of an attempt', () => {
    expect(stopOf(stopped('signal'))).toMatchObject({ kind: 'aborted', cause: 'enough' })
    expect(stopOf(stopped('signal'), stopped('time'))).toMatchObject({ kind: 'aborted' })
    const late = { kind: 'timeout', reason: 'call_timeout', message: 'not done in time' }
    expect(stopOf(stopped('time'))).toMatchObject(late)
    expect(stopOf(stopped('time'), stopped('time'))).toMatchObject(late)
    expect(stopOf(stopped(undefined), stopped(undefined))).toMatchObject(late)
    expect(stopOf(stopped(undefined), stopped('time'))).toMatchObject({
      kind: 'timeout',
      reason: 'attempt_timeout',
      message: 'no answer in time',
    })
  })
})

describe('an error for the caller', () => {
  const redact = redactor(['correcthorse'])
  const facts = { method: 'getinfo', attempts: 2, taskId: undefined }
  const complete = (details: RpcErrorDetails, message = 'no', kind = 'http' as const) =>
    finished(new RpcError(kind, message, details), facts, redact)

  test('names its method and hides every secret', () => {
    const secret = 'has correcthorse in it'
    const hidden = 'has [redacted] in it'
    const error = complete(
      {
        errorType: secret,
        errorData: { it: secret },
        errorPath: secret,
        errorTrace: secret,
        path: secret,
        expected: secret,
        received: secret,
        body: secret,
      },
      secret,
    )
    expect(error).toMatchObject({
      method: 'getinfo',
      attempts: 2,
      message: `getinfo: ${hidden}`,
      errorType: hidden,
      errorData: { it: hidden },
      errorPath: hidden,
      errorTrace: hidden,
      path: hidden,
      expected: hidden,
      received: hidden,
    })
    // it may repeat the secret in another form
    expect('body' in error).toBe(false)
    expect(complete({ body: 'no secret' }).body).toBe('no secret')
    expect('errorType' in complete({})).toBe(false)
  })

  test('has no text longer than a screen', () => {
    const long = (count: number) => 'x'.repeat(count)
    expect(complete({}, long(4_000)).message).toBe(`getinfo: ${long(4_000)}`)
    expect(complete({}, long(4_001)).message).toBe(`getinfo: ${long(4_000)}...`)
    expect(complete({ body: long(400), path: long(400) })).toMatchObject({
      body: long(400),
      path: long(400),
    })
    expect(complete({ body: long(401), path: long(401) })).toMatchObject({
      body: `${long(400)}...`,
      path: `${long(400)}...`,
    })
  })

  test('is cut after its secrets are hidden, so that no half of one stays', () => {
    const { path } = complete({ path: `${'x'.repeat(393)}correcthorse` })
    expect(path).toBe(`${'x'.repeat(393)}[redact...`)
  })

  test('an error of a connection has a cause without the request', () => {
    const cause = Object.assign(new Error('of correcthorse'), { code: 'EPIPE', request: 1 })
    const error = finished(lost({ cause }), facts, redact)
    expect(error.cause).toMatchObject({ message: 'of [redacted]', code: 'EPIPE' })
    expect(error.cause).not.toHaveProperty('request')
    expect(complete({ cause }).cause).toBe(cause)
  })

  test('names the task of the call, or its own', () => {
    const of = (own: number | undefined, given: number | undefined) =>
      finished(lost({ taskId: own }), { ...facts, taskId: given }, redact).taskId
    expect([of(undefined, 3), of(4, 3), of(undefined, undefined)]).toEqual([3, 4, undefined])
  })
})
