// These tests cover what a reply is before the protocol reads it: its status, and whether it is
// JSON.

import { describe, expect, test } from 'vitest'

import { rememberReply, replyJson, replyText } from '../../../src/rpc/reply.ts'
import { readVectors } from '../../support/vectors.ts'

const clock = (signal = new AbortController().signal) => ({ signal }) as never
const read = (status: number, text: string, signal?: AbortSignal) =>
  replyJson({ status, text }, clock(signal))

describe('a status', () => {
  test.each([200, 299])('a status of %i has an answer', async (status) => {
    expect(await read(status, '7')).toMatchObject({ value: '7' })
    await expect(read(status, 'not found')).rejects.toMatchObject({ kind: 'shape', status })
  })

  test.each([199, 300, 404, 500])(
    'a status of %i has one only if it is an object or a list',
    async (it) => {
      expect(await read(it, ' \n{"error":null}')).toEqual({ error: null })
      expect(await read(it, '[]')).toEqual([])
      for (const text of ['7', 'null', '"{}"', 'x{}', '<html>{}</html>', '{"a":', '']) {
        await expect(read(it, text)).rejects.toMatchObject({
          kind: 'http',
          status: it,
          message: `HTTP ${it} without an answer`,
          ...(text !== '' && { body: text }),
        })
      }
    },
  )

  test('a status without a text has no body', async () => {
    const error: unknown = await read(404, '').catch((it: unknown) => it)
    expect(error).toMatchObject({ status: 404 })
    expect((error as { body?: string }).body).toBeUndefined()
  })

  test.each<[number, string, string | undefined, string]>([
    [401, '', 'unauthorized', 'user or password is wrong (HTTP 401)'],
    [403, 'no', 'forbidden', 'this address is not allowed to call (HTTP 403)'],
    [503, 'no', 'unavailable', 'unavailable (HTTP 503)'],
    [
      500,
      ' Work queue depth exceeded\r\n',
      'queue_full',
      "the server's work queue is full (HTTP 500)",
    ],
    [500, 'Work queue depth exceeded, or not', undefined, 'HTTP 500 without an answer'],
    [502, 'Work queue depth exceeded', undefined, 'HTTP 502 without an answer'],
  ])('a status of %i with the text %j is %s', async (status, text, reason, message) => {
    const error: unknown = await read(status, text).catch((it: unknown) => it)
    expect(error).toMatchObject({ kind: 'http', status, message })
    expect((error as { reason?: string }).reason).toBe(reason)
  })
})

describe('a text that is not JSON', () => {
  test('is reported with what is wrong, where, and the text', async () => {
    await expect(read(200, '{"a":1,"a":2}')).rejects.toMatchObject({
      kind: 'shape',
      reason: 'duplicate_member',
      status: 200,
      body: '{"a":1,"a":2}',
      message: expect.stringMatching(/^the reply is not acceptable JSON: /),
    })
  })
})

describe('a large text', () => {
  const list = (characters: number) => `[${' '.repeat(characters - 2)}]`
  const isPending = async (reading: Promise<unknown>) => {
    const ended = reading.then(() => false)
    // more turns of the queue of promises than a reply at once takes
    const turns = (async () => {
      for (let turn = 0; turn < 20; turn += 1) await undefined
      return true
    })()
    return Promise.race([ended, turns])
  }

  test('is read in slices, so that others get in between', async () => {
    const values = (count: number) => `[${Array.from({ length: count }, () => '0').join()}]`
    expect(await isPending(read(200, values(400_000)))).toBe(true)
    expect(await isPending(read(200, list(64 * 1024)))).toBe(false)
  })

  test('is not read any further once the call is aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    const text = `[${'0,'.repeat(400_000)}0]`
    await expect(read(200, text, stop.signal)).rejects.toThrow('stopped')
    await expect(read(500, text, stop.signal)).rejects.toThrow('stopped')
    // a small one is read before anybody could look
    expect(await read(200, list(64 * 1024), stop.signal)).toEqual([])
  })

  test('comes to the same as a small one', async () => {
    expect(await read(200, list(64 * 1024 + 1))).toEqual([])
    const text = `${list(70_000)}}`
    await expect(read(200, text)).rejects.toMatchObject({ kind: 'shape', body: text })
    await expect(read(500, text)).rejects.toMatchObject({ kind: 'http', body: text })
  })
})

describe('a member that is there twice', () => {
  const { exchanges } = readVectors<{
    exchanges: { request: string; response: string }[]
  }>('rpc/tokeld.json')
  const recorded = exchanges.find(
    ({ request, response }) =>
      request.includes('"getrawtransaction"') && response.includes('"vin":[{"txid"'),
  )!.response
  const [, input] = /"vin":\[(\{"txid".*?"sequence":\d+\})/.exec(recorded)!
  const address = /"address":"[^"]*",/.exec(input!)![0]

  /** The reply with more inputs, each with a second address where a daemon with an index has one. */
  const withInputs = (count: number, second = address) => {
    const twice = input!.replace(/("valueSat":\d+,)/, `$1${second}`)
    return recorded.replace(input!, Array(count).fill(twice).join(','))
  }

  test('is read from a reply of a daemon with an index, whatever its length', async () => {
    expect(withInputs(10).length).toBeLessThan(64 * 1024)
    expect(withInputs(200).length).toBeGreaterThan(64 * 1024)
    for (const count of [1, 10, 200]) {
      const once = JSON.parse(withInputs(count)).result
      const { result } = (await read(200, withInputs(count))) as { result: typeof once }
      expect(result.vin).toHaveLength(count)
      expect(result.txid).toBe(once.txid)
      expect(result.vin.map((it: typeof once) => it.address)).toEqual(
        once.vin.map((it: typeof once) => it.address),
      )
    }
  })

  test('is refused with two values, whatever the length of the reply', async () => {
    for (const count of [1, 200]) {
      const text = withInputs(count, '"address":"another",')
      const fault = { kind: 'shape', reason: 'duplicate_member' }
      await expect(read(200, text)).rejects.toMatchObject(fault)
    }
  })
})

describe('the text of a reply', () => {
  test('is kept for objects and lists, and for nothing else', () => {
    const [result, list] = [{}, [1]]
    expect(rememberReply(result, 'one')).toBe(result)
    expect(rememberReply(list, 'two')).toBe(list)
    expect([replyText(result), replyText(list)]).toEqual(['one', 'two'])
    expect(rememberReply(7, 'three')).toBe(7)
    expect(rememberReply(null, 'four')).toBe(null)
    expect(replyText({})).toBeUndefined()
  })
})
