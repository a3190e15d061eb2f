// A call numbers its requests, repeats them, informs hooks, hides secrets and stops its clocks.

import { afterEach, describe, expect, test, vi } from 'vitest'

import { type Call, createCaller, type Protocol } from '../../../src/rpc/calls.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import { anything } from '../../../src/rpc/fields.ts'
import type { ConnectionOptions, RequestEvent, ResponseEvent } from '../../../src/rpc/options.ts'
import { replyText } from '../../../src/rpc/reply.ts'
import type { Safety } from '../../../src/rpc/retry.ts'

afterEach(() => vi.useRealTimers())

type Reply = readonly [status: number, text: string] | Error

const call = (method: string, safety: Safety = 'read', more: Partial<Call> = {}): Call => ({
  method,
  safety,
  result: anything,
  replyBytesMax: 10_000,
  ...more,
})

interface Answer {
  readonly result?: unknown
  readonly code?: number
}

/** Answers are `{"result":…}` or `{"code":…}`; a request is the name of its method. */
const protocol: Protocol<Call> = {
  open: () => ({
    headers: {},
    secrets: ['password of the user'],
    write: ({ call: { method } }) => JSON.stringify(method),
  }),
  read(answer) {
    const { result, code } = answer as Answer
    if (code === undefined) return result
    throw new RpcError('daemon', `refused ${JSON.stringify(answer)}`, { code: Number(code) })
  },
}

function callerOf(
  replies: readonly Reply[],
  { own = protocol, ...options }: Partial<ConnectionOptions> & { own?: Protocol<Call> } = {},
) {
  const left = [...replies]
  const sent: unknown[] = []
  const caller = createCaller<Call>(
    {
      url: 'http://127.0.0.1:1/',
      retry: { baseMs: 0, jitter: false },
      fetch: async (_, { body = '' }) => {
        sent.push(JSON.parse(body))
        const reply = left.shift()
        if (reply === undefined) throw new Error('one request too many')
        if (reply instanceof Error) throw reply
        const [status, text] = reply
        return { status, headers: { get: () => null }, text: async () => text }
      },
      ...options,
    },
    own,
  )
  return { ...caller, sent }
}

const answered = (...answers: readonly Answer[]): Reply => [200, JSON.stringify(answers)]
const one = (answer: Answer): Reply => [200, JSON.stringify(answer)]
const failure = (work: Promise<unknown>): Promise<RpcError> =>
  work.then(
    () => expect.unreachable('it did not fail'),
    (error) => error,
  )

describe('a batch', () => {
  test('sends nothing if it is empty', async () => {
    const { batch, sent } = callerOf([])
    expect(await batch([])).toEqual([])
    expect(sent).toEqual([])
  })

  test('repeats a look-up whatever else it had', async () => {
    const starting: Answer = { code: -28 }
    const replies = [answered({ result: 'paid' }, starting), answered({ result: 'seen' })]
    const { batch, sent } = callerOf(replies)
    expect(await batch([call('pay', 'once'), call('look')])).toEqual([
      { status: 'fulfilled', value: 'paid' },
      { status: 'fulfilled', value: 'seen' },
    ])
    expect(sent).toEqual([['pay', 'look'], ['look']])
  })

  test('is not repeated as a whole if one of its calls may have acted', async () => {
    const busy: Reply = [503, '']
    const look = callerOf([busy, answered({ result: 'seen' })])
    expect(await look.batch([call('look')])).toEqual([{ status: 'fulfilled', value: 'seen' }])

    const pay = callerOf([busy, answered({}, {})])
    const error = await failure(pay.batch([call('look'), call('pay', 'once')]))
    expect(error).toMatchObject({ reason: 'unavailable', uncertain: true })
    expect(pay.sent).toHaveLength(1)
  })

  test('names the method of each call that failed', async () => {
    const { batch } = callerOf([answered({ code: -5 }, { code: -8 })])
    const [first, second] = await batch([call('one'), call('other')])
    expect(first).toMatchObject({ reason: { method: 'one', code: -5 } })
    expect(second).toMatchObject({ reason: { method: 'other', code: -8 } })
  })

  test('keeps what earlier attempts at a call came to', async () => {
    const { batch, sent } = callerOf([answered({ code: -28 }), answered({ code: -5 })])
    const [only] = await batch([call('look')])
    expect(only).toMatchObject({ reason: { code: -5, earlierErrors: [{ code: -28 }] } })
    expect(sent).toHaveLength(2)
  })

  test('keeps the answers that arrived if the rest is asked in vain', async () => {
    const busy: Reply = [503, '']
    const { batch } = callerOf([answered({ result: 'seen' }, { code: -28 }), busy, busy])
    const [seen, missed] = await batch([call('one'), call('other')])
    expect(seen).toEqual({ status: 'fulfilled', value: 'seen' })
    expect(missed).toMatchObject({ status: 'rejected', reason: { reason: 'unavailable' } })
  })

  test('says which call was not answered, and that it may have acted', async () => {
    const { batch } = callerOf([answered({ result: 'seen' })])
    const [, paid] = await batch([call('look'), call('pay', 'once')])
    expect(paid).toMatchObject({
      status: 'rejected',
      reason: { kind: 'shape', method: 'pay', reason: 'missing_reply', uncertain: true },
    })
  })

  test('has the single error of a server that refuses it as a whole', async () => {
    const { batch } = callerOf([one({ code: -32600 })])
    expect(await failure(batch([call('one'), call('other')]))).toMatchObject({
      kind: 'daemon',
      method: 'batch',
      code: -32600,
    })
  })
})

test('a call is given up after three attempts', async () => {
  const starting = one({ code: -28 })
  const { call: send, sent } = callerOf([starting, starting, starting])
  expect(await failure(send(call('look')))).toMatchObject({ code: -28, attempts: 3 })
  expect(sent).toEqual(['look', 'look', 'look'])
})

test('credentials are asked for by the calls that they are for', async () => {
  const open = vi.fn(protocol.open)
  const { batch } = callerOf([answered({}, {})], { own: { ...protocol, open } })
  const [first, second] = [call('first'), call('second')]
  await batch([first, second])
  expect(open.mock.calls).toEqual([[[first, second]]])
})

describe('a secret', () => {
  test.each([
    ['a call with a secret parameter', ['secret of the call']],
    ['a call without one', undefined],
    ['a call with none of several', []],
  ])('is hidden in the error of %s', async (_, secrets) => {
    const own: Protocol<Call> = {
      ...protocol,
      read: () => {
        throw new RpcError('daemon', 'not password of the user, not secret of the call', {})
      },
    }
    const { call: send } = callerOf([one({})], { own })
    const { message } = await failure(send(call('unlock', 'read', { secrets })))
    const typed = secrets?.length === 1 ? '[redacted]' : 'secret of the call'
    expect(message).toBe(`unlock: not [redacted], not ${typed}`)
  })

  test('is hidden in the reply of a task, and a plain reply stays as it was', async () => {
    const quoted = { result: { pin: 'secret of the call' } }
    const { call: send } = callerOf([one(quoted), one(quoted)])
    const secrets = ['secret of the call']
    const plain = await send<object>(call('look', 'read', { secrets }))
    expect(replyText(plain)).toBe('{"result":{"pin":"secret of the call"}}')
    const task = await send<object>(call('look', 'read', { secrets, taskId: 7 }))
    expect(replyText(task)).toBe('{"result":{"pin":"[redacted]"}}')
  })
})

describe('hooks', () => {
  function watched(replies: readonly Reply[]) {
    const requests: RequestEvent[] = []
    const responses: ResponseEvent[] = []
    const onRequest = (event: RequestEvent): unknown => requests.push(event)
    const onResponse = (event: ResponseEvent): unknown => responses.push(event)
    return { ...callerOf(replies, { onRequest, onResponse }), requests, responses }
  }

  test('see requests with ids that count up', async () => {
    const { call: send, batch, requests } = watched([one({}), answered({}, {}), one({})])
    await send(call('first'))
    await batch([call('second'), call('third')])
    await send(call('fourth'))
    expect(requests.map(({ method, id }) => [method, id])).toEqual([
      ['first', 0],
      ['batch', 1],
      ['fourth', 3],
    ])
  })

  test('see what came of an answer, a refusal and a lost connection', async () => {
    const lost = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    const { call: send, responses } = watched([one({ result: 1 }), one({ code: -5 }), lost])
    const began = performance.now()
    await send(call('look'))
    const refused = await failure(send(call('look')))
    const broken = await failure(send(call('pay', 'once')))
    const [good, bad, none] = responses
    const duration = { durationMs: expect.any(Number) }
    expect(good).toStrictEqual({
      method: 'look',
      id: 0,
      attempt: 1,
      status: 200,
      size: 12,
      ...duration,
    })
    expect(bad).toMatchObject({ id: 1, status: 200, size: 11, error: refused })
    expect(bad?.error).toBeInstanceOf(RpcError)
    expect(none).toStrictEqual({
      method: 'pay',
      id: 2,
      attempt: 1,
      error: expect.any(RpcError),
      ...duration,
    })
    expect(none?.error?.message).toBe(broken.message)
    expect(good?.durationMs).toBeLessThanOrEqual(performance.now() - began)
  })
})

describe('a stop', () => {
  test('during the credentials sends nothing, and no hook sees a request', async () => {
    const stop = new AbortController()
    let opened = (): void => {}
    const own: Protocol<Call> = {
      ...protocol,
      open: async (calls) => {
        await new Promise<void>((resolve) => {
          opened = resolve
        })
        return protocol.open(calls)
      },
    }
    const onRequest = vi.fn()
    const { call: send, sent } = callerOf([one({})], { own, onRequest })
    const failed = failure(send(call('pay', 'once'), { signal: stop.signal }))
    stop.abort()
    const error = await failed
    expect(error).toMatchObject({ kind: 'aborted' })
    expect(error.uncertain).toBeFalsy()
    opened()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(onRequest).not.toHaveBeenCalled()
    expect(sent).toEqual([])
  })

  test('made by a hook that sees the request sends nothing', async () => {
    const stop = new AbortController()
    const { call: send, sent } = callerOf([one({})], { onRequest: () => stop.abort() })
    const error = await failure(send(call('pay', 'once'), { signal: stop.signal }))
    expect(error).toMatchObject({ kind: 'aborted' })
    expect(error.uncertain).toBeFalsy()
    expect(sent).toEqual([])
  })

  test('between two attempts opens no further one', async () => {
    const stop = new AbortController()
    const open = vi.fn(protocol.open)
    const { call: send } = callerOf([[503, '']], {
      own: { ...protocol, open },
      retry: { baseMs: 60_000 },
      onRetry: () => stop.abort(),
    })
    expect(await failure(send(call('look'), { signal: stop.signal }))).toMatchObject({
      kind: 'aborted',
      attempts: 1,
    })
    expect(open).toHaveBeenCalledTimes(1)
  })

  test('leaves no timer behind that would keep a process from its end', async () => {
    vi.useFakeTimers()
    const { call: send } = callerOf([one({ result: 'seen' }), one({ code: -5 })])
    expect(await send(call('look'))).toBe('seen')
    expect(await failure(send(call('look')))).toMatchObject({ code: -5 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('an error of the program itself is passed on as it is', async () => {
  const fault = new TypeError('a fault of the reader')
  const own: Protocol<Call> = {
    ...protocol,
    read: () => {
      throw fault
    },
  }
  const { call: send } = callerOf([one({})], { own })
  expect(await failure(send(call('look')))).toBe(fault)
})
