// These tests cover which payments to a payee are listed, and which blocks are read again.

import { describe, expect, test } from 'vitest'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { paidTo } from '../../../src/rpc/safe-flow/paid-to.ts'

const address = 'RXSwmXKtDURwXP7sdqNfsJ6Ga8RaxTchxE'
const amount = 5n
const equal = 'ab'.repeat(32)

interface Row {
  readonly txid: string
  readonly satoshis: number
  readonly height?: number
}

const others = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    txid: `${index}`.padStart(64, '0'),
    satoshis: 100 + index,
    height: 1 + (index % 1000),
  }))

/** A daemon, and how many rows it listed. */
function daemon(rows: readonly Row[], tip = 1400) {
  const chain = { tip, rows: [...rows], branch: 'a', listed: 0, refusesLists: false, hashes: 0 }
  const answers: Readonly<Record<string, (params: readonly never[]) => unknown>> = {
    getaddressmempool: () => [],
    getblockcount: () => chain.tip,
    getblockchaininfo: () => ({ blocks: chain.tip, headers: chain.tip }),
    getblockhash([height]) {
      chain.hashes += 1
      return `${chain.branch}${height}`
    },
    getblockheader: ([hash]) => ({ time: 60 * Number(String(hash).slice(1)) }),
    getaddressdeltas([asked]) {
      if (chain.refusesLists) throw new RpcError('daemon', 'no', { code: -5, codeName: '' })
      const { start, end } = asked as unknown as { start: number; end: number }
      const found = chain.rows.filter(({ height = start }) => height >= start && height <= end)
      chain.listed += found.length
      return found
    },
  }
  const call = async (method: string, params: never[]) => answers[method]!(params)
  const batch = async (questions: readonly { method: string; params: never[] }[]) =>
    Promise.allSettled(questions.map(({ method, params }) => call(method, params)))
  const client = { call, batch } as unknown as DaemonClient
  const list = (first = 1, of = amount) => paidTo(client, { address, amount: of }, { first }, {})
  const listedBy = async (work: () => Promise<unknown>) => {
    const before = chain.listed
    await work()
    return chain.listed - before
  }
  return { chain, list, listedBy }
}

describe('the blocks of a popular payee', () => {
  const popular = () => daemon([...others(5000), { txid: equal, satoshis: 5, height: 700 }])

  test('are read once, except those that a reorganization may replace', async () => {
    const { chain, list, listedBy } = popular()
    expect(await list()).toEqual([equal])
    expect(chain.listed).toBe(5001)
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5, height: 1401 })
    chain.tip += 1
    expect(await listedBy(list)).toBe(1)
    expect(await list()).toEqual([equal, 'cd'.repeat(32)])
    expect(await list(1, 4099n)).toEqual(['3999'.padStart(64, '0')])
  })

  test('stay kept when the chain grows, and as it has them then', async () => {
    const { chain, list, listedBy } = popular()
    await list()
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5, height: 1390 })
    expect(await list()).toEqual([equal, 'cd'.repeat(32)])
    // A reorganization takes it out of the chain.
    chain.rows.pop()
    expect(await list()).toEqual([equal])
    chain.rows.push({ txid: 'ef'.repeat(32), satoshis: 5, height: 1395 })
    for (const tip of [1410, 1530, 1520]) {
      chain.tip = tip
      expect(await list()).toEqual([equal, 'ef'.repeat(32)])
    }
    expect(await listedBy(list)).toBe(0)
  })

  test('are compared above the first payment of the journal only', async () => {
    const { list, chain } = popular()
    chain.tip = 1500
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5, height: 50 })
    expect(await list(1)).toEqual([equal, 'cd'.repeat(32)])
    expect(await list(50)).toEqual([equal])
    expect(await list(49)).toEqual([equal, 'cd'.repeat(32)])
  })

  test('are read again on another chain', async () => {
    const { chain, list } = popular()
    await list()
    chain.branch = 'b'
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5, height: 600 })
    expect(await list()).toEqual([equal, 'cd'.repeat(32)])
  })

  test('are read again if the chain is shorter than they are', async () => {
    const { chain, list } = popular()
    await list()
    chain.tip = 1299
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5, height: 600 })
    expect(await list()).toEqual([equal, 'cd'.repeat(32)])
  })

  test('are read again while the daemon refuses their list', async () => {
    const { chain, list } = popular()
    chain.refusesLists = true
    expect(await list()).toEqual([])
    chain.refusesLists = false
    expect(await list()).toEqual([equal])
  })

  test('are read again if a row has no height', async () => {
    const { chain, list, listedBy } = popular()
    chain.rows.push({ txid: 'cd'.repeat(32), satoshis: 5 })
    for (const _ of [1, 2]) expect(await list()).toEqual([equal, 'cd'.repeat(32)])
    expect(await listedBy(list)).toBe(5002)
  })
})

test('a payee with few rows costs no question for a hash', async () => {
  const { chain, list, listedBy } = daemon(others(900))
  await list()
  expect(await listedBy(list)).toBe(900)
  expect(chain.hashes).toBe(0)
})

test('a payee with more rows than are kept is read again', async () => {
  const { list, listedBy } = daemon(others(200_001))
  await list()
  expect(await listedBy(list)).toBe(200_001)
})
