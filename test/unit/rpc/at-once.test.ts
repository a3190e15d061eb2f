// Several questions in one request, against a daemon that answers a batch in every other way than a
// right one. Where an answer is not usable, the caller asks one after the other.

import { describe, expect, test } from 'vitest'
import { createDaemonClient } from '../../../src/rpc/index.ts'
import { askAtOnce } from '../../../src/rpc/safe-flow/at-once.ts'
import type { Fetch } from '../../../src/rpc/transport.ts'

const questions = [
  { method: 'getblockhash', params: [1] },
  { method: 'getblockcount', params: [] },
  { method: 'getaddressmempool', params: [{ addresses: ['R'] }] },
]
const hash = 'ab'.repeat(32)
const results = [`"${hash}"`, '7', '[]']

interface Row {
  readonly id: string
  readonly result?: string
  readonly error?: string
}
const rowText = ({ id, result = 'null', error = 'null' }: Row) =>
  `{"result":${result},"error":${error},"id":"${id}"}`

/** Asks a daemon whose right rows are changed; counts the requests. */
async function asked(change: (rows: Row[]) => Row[] | string, limits = {}) {
  let count = 0
  const fetch: Fetch = async (_, { body = '' }) => {
    count += 1
    const rows = (JSON.parse(body) as { id: string }[]).map(({ id }, at) => ({
      id,
      result: results[at]!,
    }))
    const changed = change(rows)
    const text = typeof changed === 'string' ? changed : `[${changed.map(rowText).join(',')}]`
    const headers = { get: () => null }
    return { status: 200, headers, text: async () => text }
  }
  return { answers: await askAtOnce(clientOf(fetch), questions, limits), count }
}

function clientOf(fetch: Fetch) {
  const login = { user: 'user', password: 'a password' }
  return createDaemonClient({ url: 'http://127.0.0.1:1/', ...login, fetch })
}

test('the answers come in the order of the questions, by one request', async () => {
  const { answers, count } = await asked((rows) => rows)
  expect(count).toBe(1)
  expect(answers?.map(String)).toEqual([hash, '7', ''])
})

test('a question that the daemon refuses has no answer, and the others have theirs', async () => {
  const { answers } = await asked(([one, two, three]) => [
    one!,
    { id: two!.id, error: '{"code":-5,"message":"no"}' },
    three!,
  ])
  expect(answers?.map(String)).toEqual([hash, 'undefined', ''])
})

describe('no answer is used, and none is asked for again, of a daemon that', () => {
  const warmingUp = '{"code":-28,"message":"Loading block index..."}'
  test.each<[string, (rows: Row[]) => Row[] | string]>([
    ['answers in another order', ([one, two, three]) => [two!, one!, three!]],
    ['leaves the last answer out', ([one, two]) => [one!, two!]],
    ['leaves the first answer out', ([, two, three]) => [two!, three!]],
    ['answers one question twice', ([one, , three]) => [one!, one!, three!]],
    [
      'gives an answer the id of another request',
      ([one, ...more]) => [{ ...one!, id: 'x' }, ...more],
    ],
    [
      'begins to start between two answers',
      ([one, two, three]) => [one!, two!, { id: three!.id, error: warmingUp }],
    ],
    ['answers with another type', ([one, ...more]) => [{ ...one!, result: '1' }, ...more]],
    ['answers a batch like a single call', ([one]) => rowText(one!)],
    ['answers with no JSON', () => '<html></html>'],
    ['refuses batches', () => '{"result":null,"error":{"code":-32700,"message":"no"},"id":null}'],
    ['answers with more than a mebibyte', (rows) => [...rows, { id: 'x'.repeat(1 << 20) }]],
  ])('%s', async (_, change) => {
    expect(await asked(change)).toEqual({ answers: undefined, count: 1 })
  })
})

test('a caller that leaves gets that error', async () => {
  const signal = AbortSignal.abort()
  await expect(asked((rows) => rows, { signal })).rejects.toMatchObject({ kind: 'aborted' })
})

describe('a daemon that never answers', () => {
  const silent = clientOf(
    (_, { signal }) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )

  test('is not asked again if the time of the whole call is over', async () => {
    const asked = askAtOnce(silent, questions, { timeoutMs: 5 })
    await expect(asked).rejects.toMatchObject({ kind: 'timeout', reason: 'call_timeout' })
  })

  test('gives no answer in the time of one attempt, so its caller may ask otherwise', async () => {
    expect(await askAtOnce(silent, questions, { attemptTimeoutMs: 5 })).toBeUndefined()
  })
})
