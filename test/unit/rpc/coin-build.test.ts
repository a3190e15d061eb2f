// How a daemon makes a payment in coins: what it is asked, and which payments wait for each other.

import { describe, expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import type { DaemonClient } from '../../../src/rpc/index.ts'
import {
  inFundingTurn,
  losesReward,
  madeByDaemon,
  withMarkedCallbacks,
} from '../../../src/rpc/safe-flow/coin-build.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('a daemon creates, funds and signs a payment, each from the answer before', async () => {
  const asked: unknown[] = []
  const answering = (name: string, answer: unknown) => async (params: object, limits: object) => {
    asked.push([name, params, limits])
    return answer
  }
  const client = {
    createrawtransaction: answering('create', 'c0'),
    fundrawtransaction: answering('fund', { hex: 'f0' }),
    signrawtransaction: answering('sign', { hex: '50', complete: true }),
  } as unknown as DaemonClient
  const payees = [
    { address: 'first', amount: 5n },
    { address: 'second', amount: 7n },
    { script: '51', amount: 9n },
  ]
  const limits = { timeoutMs: 50 }
  expect(await madeByDaemon(client, payees, limits)).toEqual({ hex: '50', complete: true })
  expect(asked).toEqual([
    ['create', { inputs: [], outputs: { first: 5n, second: 7n, '': 9n } }, limits],
    ['fund', { hex: 'c0' }, limits],
    ['sign', { hex: 'f0' }, limits],
  ])
})

test.each([
  [true, 'komodo'],
  [false, 'assetChain'],
  [false, 'tokel'],
] as const)(
  'a payment of a daemon without a lock time loses a reward: %s, on %s',
  (loses, name) => {
    expect(losesReward(networks[name])).toBe(loses)
  },
)

/** Work on one client that notes its begin, and ends when it is told to. */
function lasting(log: string[], name: string) {
  let end = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = async () => {
    log.push(name)
    await promise
  }
  return { work, end: () => end() }
}

describe('payments of one daemon', () => {
  test('are made one after the other, and those of another daemon beside them', async () => {
    const [client, log] = [{}, [] as string[]]
    const first = lasting(log, 'first')
    const calls = [
      inFundingTurn(client, undefined, first.work),
      inFundingTurn(client, undefined, async () => log.push('second')),
      inFundingTurn({}, undefined, async () => log.push('elsewhere')),
    ]
    await soon()
    expect(log).toEqual(['first', 'elsewhere'])
    first.end()
    await Promise.all(calls)
    expect(log).toEqual(['first', 'elsewhere', 'second'])
  })

  test('stop waiting when their caller does', async () => {
    const client = {}
    const first = lasting([], 'first')
    const making = inFundingTurn(client, undefined, first.work)
    const stop = new AbortController()
    const waiting = inFundingTurn(client, stop.signal, async () => 'made')
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
    first.end()
    await making
  })

  const report = {} as never

  test.each(['confirm', 'onProgress'] as const)(
    'do not wait for a payment that waits for its %s, which makes them',
    async (name) => {
      const client = {}
      const made = async () => inFundingTurn(client, undefined, async () => 'made')
      const results: unknown[] = []
      const callback = async () => {
        results.push(await made())
        return true
      }
      const marked = withMarkedCallbacks(client, { [name]: callback })
      const call = () =>
        name === 'confirm'
          ? marked.confirm!(report, [])
          : marked.onProgress!({ step: 'broadcasting', report })
      expect(await inFundingTurn(client, undefined, async () => call())).toBe(true)
      expect(results).toEqual(['made'])
    },
  )

  test('wait for one whose progress is only told', async () => {
    const [client, log] = [{}, [] as string[]]
    let inside: Promise<unknown> | undefined
    const { onProgress } = withMarkedCallbacks(client, {
      onProgress: () => {
        inside = inFundingTurn(client, undefined, async () => log.push('inside'))
        return 'told'
      },
    })
    const first = lasting(log, 'first')
    const making = inFundingTurn(client, undefined, async () => {
      expect(onProgress!({ step: 'asking' })).toBe('told')
      await first.work()
    })
    await soon()
    expect(log).toEqual(['first'])
    first.end()
    await making
    await inside
    expect(log).toEqual(['first', 'inside'])
  })

  test('get the report and the progress that the caller asked for, and nothing else', async () => {
    const seen: unknown[] = []
    const marked = withMarkedCallbacks(
      {},
      {
        id: 'one',
        confirm: (it) => {
          seen.push(it)
          return false
        },
        onProgress: (it) => seen.push(it),
      },
    )
    expect(marked.id).toBe('one')
    expect(await marked.confirm!(report, [])).toBe(false)
    await marked.onProgress!({ step: 'broadcasting', report })
    expect(seen[0]).toBe(report)
    expect(seen[1]).toEqual({ step: 'broadcasting', report })
    expect(withMarkedCallbacks({}, { id: 'two' })).toEqual({ id: 'two' })
  })
})
