// The history of a wallet that a framework shows in pages. A client without a server answers here.

import { afterEach, describe, expect, test, vi } from 'vitest'

import { RpcError } from '../../../src/rpc/errors.ts'
import { createFrameworkClient, type FrameworkClient } from '../../../src/rpc/framework/client.ts'
import type { TxHistory } from '../../../src/rpc/framework/results.ts'
import { walletHistory } from '../../../src/rpc/safe-flow/wallet-history.ts'
import { readVectors } from '../../support/vectors.ts'

const tip = 5_000
const now = Date.parse('2026-11-28T12:00:00Z')
const txidOf = (number: number) => number.toString(16).padStart(64, '0')

interface Listed {
  readonly number: number
  readonly height: number
  readonly spent?: string
  /** Seconds before now. */
  readonly age?: number
}

afterEach(() => vi.useRealTimers())

/** Answers each question from the list that it returns, in pages of the limit that is asked for. */
function historyOf(
  listAt: (question: number) => readonly Listed[],
  state = () => 'Finished',
  limitMax = 100,
) {
  vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  let questions = 0
  const client = {
    async myTxHistory(given: { limit: number; paging_options: { PageNumber: number } }) {
      questions += 1
      const all = listAt(questions)
      const { limit, paging_options } = given
      if (limit > limitMax) throw new RpcError('shape', 'large', { reason: 'reply_too_large' })
      const skipped = (paging_options.PageNumber - 1) * limit
      const transactions = all.slice(skipped, skipped + limit).map((it) => {
        const { number, height, spent = '1', age = 0 } = it
        const timestamp = now / 1000 - age
        return { tx_hash: txidOf(number), block_height: height, spent_by_me: spent, timestamp }
      })
      const pages = {
        limit,
        skipped,
        total: all.length,
        total_pages: Math.ceil(all.length / limit),
      }
      const sync_status = { state: state() }
      return {
        coin: 'A',
        current_block: tip,
        transactions,
        sync_status,
        ...pages,
      } as unknown as TxHistory
    },
  } as unknown as FrameworkClient
  return { history: walletHistory(client, 'A', {}), asked: () => questions }
}

const spendsOf = (count: number, height = tip, from = 0): Listed[] =>
  Array.from({ length: count }, (_, at) => ({ number: from + at, height }))

describe('the spends of a history', () => {
  test('end with the day and with the blocks of a day, whichever is longer', async () => {
    const long = { age: 24 * 3600 + 1 }
    const all = [
      { number: 1, height: 0, ...long },
      { number: 2, height: tip - 1439, ...long },
      { number: 3, height: tip - 3000, age: 24 * 3600 },
      { number: 4, height: tip - 3001, ...long },
    ]
    const { history } = historyOf(() => all)
    const expected = [1, 2, 3].map(txidOf)
    expect(await history.spends({})).toEqual({ txids: expected, isWhole: true })
    // The first payment of the journal is older.
    const first = tip - 3002
    expect((await history.spends({ first })).txids).toEqual([...expected, txidOf(4)])
    expect((await history.spends({ first, dropped: tip - 3001 })).txids).toEqual(expected)
    // A record far above the tip is false.
    expect((await history.spends({ first: tip + 101 })).txids).toEqual([...expected, txidOf(4)])
  })

  test('leave out what was only received', async () => {
    const all = [
      { number: 1, height: tip, spent: '0' },
      { number: 2, height: tip, spent: '0.00000000' },
      { number: 3, height: tip, spent: '0.00000001' },
    ]
    expect((await historyOf(() => all).history.spends({})).txids).toEqual([txidOf(3)])
  })

  test('are read page by page, and no further than they are compared', async () => {
    const old = { height: 1, age: 48 * 3600 }
    const all = [...spendsOf(150), ...spendsOf(300, 1, 150).map((it) => ({ ...it, ...old }))]
    const { history, asked } = historyOf(() => all)
    expect((await history.spends({})).txids).toEqual(
      spendsOf(150).map(({ number }) => txidOf(number)),
    )
    expect(asked()).toBe(2)
    // The journal may have dropped what is older.
    expect((await history.spends({ first: 1, dropped: 1 })).txids).toHaveLength(150)
    expect(asked()).toBe(4)
  })

  test('have a transaction that another one moved between two pages', async () => {
    const first = spendsOf(201)
    // The mempool drops the first one after the first page, so number 100 comes to the end of it.
    const { history } = historyOf((question) => (question === 1 ? first : first.slice(1)))
    const { txids, isWhole } = await history.spends({})
    expect(isWhole).toBe(true)
    expect(new Set(txids)).toEqual(new Set(first.map(({ number }) => txidOf(number))))
  })

  test('are not whole if the pages change without an end, or are too many', async () => {
    const changing = historyOf((question) => spendsOf(200 + question))
    expect((await changing.history.spends({})).isWhole).toBe(false)
    const long = historyOf(() => spendsOf(10_001))
    expect(await long.history.spends({})).toMatchObject({ isWhole: false })
    expect(long.asked()).toBe(100)
  })
})

/** An HD wallet with empty histories, whose accounts end where `stateOf` returns `undefined`. */
function accountsOf(stateOf: (account: number) => string | undefined) {
  const empty = { current_block: tip, total: 0, total_pages: 0, transactions: [] }
  const asked: number[] = []
  const client = {
    async myTxHistory({ target }: { target?: { account_id: number } }) {
      const state = target && stateOf(target.account_id)
      const details = { errorType: 'InvalidTarget', errorData: {} } as const
      if (state === undefined) throw new RpcError('framework', 'no such history', details)
      asked.push(target!.account_id)
      return { ...empty, sync_status: { state } }
    },
  } as unknown as FrameworkClient
  return { history: walletHistory(client, 'A', {}), asked }
}

test('the spends of a wallet with a hundred accounts or more are not whole', async () => {
  const { history, asked } = accountsOf(() => 'Finished')
  expect(await history.spends({})).toEqual({ txids: [], isWhole: false })
  expect(asked).toHaveLength(100)
})

test.each([0, 1])(
  'an account whose history is still read (%d) ends the comparison',
  async (slow) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const states = ['Finished', 'Finished'].with(slow, 'InProgress')
    const { history } = accountsOf((account) => states[account])
    const failed = expect(history.spends({})).rejects.toMatchObject({ path: 'sync_status' })
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
  },
)

test('a history whose pages are too large is read in smaller ones', async () => {
  const all = spendsOf(250)
  const { history, asked } = historyOf(() => all, undefined, 10)
  const { txids, isWhole } = await history.spends({})
  expect([new Set(txids).size, isWhole, asked()]).toEqual([250, true, 26])
  expect(await history.place(txidOf(249))).toEqual({ height: tip })
  const larger = historyOf(() => all, undefined, 9).history
  await expect(larger.spends({})).rejects.toMatchObject({ reason: 'reply_too_large' })
  expect(await larger.place(txidOf(0))).toEqual({})
})

test('a server that reads its history is waited for, and no longer than five seconds', async () => {
  let isRead = false
  const { history } = historyOf(
    () => spendsOf(1),
    () => (isRead ? 'Finished' : 'InProgress'),
  )
  const read = history.spends({})
  await vi.advanceTimersByTimeAsync(1_000)
  isRead = true
  await vi.advanceTimersByTimeAsync(500)
  expect(await read).toEqual({ txids: [txidOf(0)], isWhole: true })
  isRead = false
  const failed = expect(history.spends({})).rejects.toMatchObject({
    ...{ kind: 'shape', path: 'sync_status', expected: 'Finished' },
  })
  await vi.advanceTimersByTimeAsync(5_000)
  await failed
})

describe('the documented answers', () => {
  const { exchanges } = readVectors<{ exchanges: { at: string; response?: string }[] }>(
    'rpc/docs-framework.json',
  )
  const answered = (at: string) => exchanges.find((it) => it.at === at)!.response!
  const older = answered('legacy-my_tx_history__my_tx_history__kdf__02')

  /** A framework that answers the newer question as documented, and the older one by `olderText`. */
  async function historyFrom(olderText: string) {
    const newer = answered('my_tx_history__my_tx_history__kdf__06')
    const request = async (_url: unknown, { body }: { body: string }) => {
      const isOlder = !body.includes('"mmrpc"')
      return new Response(isOlder ? olderText : newer, { status: isOlder ? 200 : 500 })
    }
    const client = createFrameworkClient({
      ...{ url: 'http://127.0.0.1:1', userpass: 'x', retry: false },
      fetch: request as unknown as typeof fetch,
    })
    return walletHistory(client, 'ETOMIC', {})
  }

  test('without a history in the newer form, that of the older one counts', async () => {
    const whole = older.replace(/"state":\s*"InProgress"/, '"state":"Finished"')
    const { spends, place } = await historyFrom(whole)
    const txid = '903e5d71b8717205314a71055fe8bbb868e7b76d001fbe813a34bd71ff131e93'
    // It says that there are 5,915 pages, and shows this one each time.
    expect(await spends({})).toEqual({ txids: [txid], isWhole: false })
    expect(await place(txid)).toEqual({ height: 172_409 })
  })

  test('without any history, nothing is compared', async () => {
    const { spends, place } = await historyFrom('{"error":"lp_coins:5357] no history"}')
    expect(await spends({})).toEqual({ txids: [], isWhole: false })
    expect(await place('ab'.repeat(32))).toEqual({})
  })
})

test('a caller who aborts does not wait for the history', async () => {
  const controller = new AbortController()
  const client = {
    myTxHistory: async () => ({ transactions: [], sync_status: { state: 'NotStarted' } }),
  } as unknown as FrameworkClient
  const { spends } = walletHistory(client, 'A', { signal: controller.signal })
  const aborted = expect(spends({})).rejects.toMatchObject({ kind: 'aborted' })
  controller.abort()
  await aborted
})
