// Waiting for confirmations at a daemon whose chain reorganizes, and which goes away.

import { beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  type DaemonClient,
  type WaitProgress,
  waitForTransaction,
} from '../../src/rpc/index.ts'

let node: DevNode
let client: DaemonClient
let calls: string[]
/** Height of the last block before a test. */
let start: number
/** Runs before the node answers a call. It may answer in its place. */
let before: (method: string, params: readonly unknown[]) => unknown

beforeEach(async () => {
  node = await createDevNode({ mine: 'manual', time: 1_800_000_000 })
  node.mine(2)
  start = node.height
  calls = []
  before = () => undefined
  client = newClient()
  return () => node.close()
})

const newClient = (more: { readonly attemptTimeoutMs?: number } = {}) =>
  createDaemonClient({
    url: 'http://127.0.0.1/',
    user: 'user',
    password: 'pass',
    retry: false,
    ...more,
    async fetch(input, init) {
      const { method, params, id } = JSON.parse(String(init?.body))
      calls.push(method)
      const answer = await before(method, params)
      if (answer instanceof Response) return answer
      if (answer !== undefined) return Response.json({ result: answer, error: null, id })
      return node.fetch(String(input), init as never)
    },
  })

const send = () =>
  node.request('sendtoaddress', [node.identities[1]!.address, 0.5]) as Promise<string>

/** Waits, and acts when the wait has seen a step. */
function watched(
  txid: string,
  confirmations: number,
  act: Partial<Record<WaitProgress['step'], (seen: number) => void>> = {},
) {
  const seen: WaitProgress[] = []
  const result = waitForTransaction(client, txid, {
    confirmations,
    pollMs: 1,
    onProgress(progress) {
      seen.push(progress)
      act[progress.step]?.(seen.filter(({ step }) => step === progress.step).length)
    },
  })
  return { result, seen, steps: () => seen.map(({ step }) => step) }
}

const mine = () => void node.mine(1)

test('counts blocks, whatever is notarised, and tells each', async () => {
  const txid = await send()
  const { result, steps } = watched(txid, 3, { waiting: mine, 'in-block': mine })
  const found = await result
  const height = start + 1
  expect(found).toMatchObject({ txid, height, confirmations: 3, reorganizations: 0 })
  expect(found.blockhash).toBe(await node.request('getblockhash', [height]))
  expect(steps()).toEqual(['waiting', 'in-block', 'in-block', 'in-block'])
})

test('counts blocks while the daemon keeps confirmations at 1, as before a notarisation', async () => {
  const txid = await send()
  node.mine(3)
  before = async (method, [hash]) =>
    method === 'getblockheader'
      ? { ...((await node.request(method, [hash])) as object), confirmations: 1 }
      : undefined
  const { result, steps } = watched(txid, 3)
  expect(await result).toMatchObject({ height: start + 1, confirmations: 3 })
  expect(steps()).toEqual(['in-block'])
})

test('is content with the mempool for 0 confirmations', async () => {
  const txid = await send()
  expect(await watched(txid.toUpperCase(), 0).result).toEqual({
    txid,
    confirmations: 0,
    reorganizations: 0,
  })
})

describe('a reorganization', () => {
  test('of the block: it tells it, and counts anew', async () => {
    const txid = await send()
    mine()
    const first = await node.request('getblockhash', [start + 1])
    const { result, seen } = watched(txid, 3, {
      'in-block': (times) => (times === 1 ? node.reorg(1) : mine()),
      waiting: mine,
    })
    expect(await result).toMatchObject({ confirmations: 3, reorganizations: 1 })
    expect(seen).toContainEqual({ step: 'reorganized', height: start + 1, blockhash: first })
  })

  test('is reported as missing if it drops the transaction', async () => {
    const txid = await send()
    const hex = await node.request('getrawtransaction', [txid])
    mine()
    const { result, steps } = watched(txid, 1_000, {
      'in-block': (times) => {
        if (times === 1) node.reorg(1, { drop: [txid] })
      },
      missing: () => void node.request('sendrawtransaction', [hex]).then(() => node.mine(1_000)),
    })
    expect(await result).toMatchObject({ reorganizations: 1 })
    expect(steps().slice(0, 3)).toEqual(['in-block', 'reorganized', 'missing'])
  })

  test('between two questions decides nothing', async () => {
    const txid = await send()
    node.mine(3)
    let isDone = false
    before = (method) => {
      // The block is known, and its height is asked for when the chain changes.
      if (method === 'getblockheader' && !isDone) {
        isDone = true
        node.reorg(3, { drop: [txid] })
      }
      return undefined
    }
    const controller = new AbortController()
    const seen: string[] = []
    const wait = waitForTransaction(client, txid, {
      confirmations: 2,
      pollMs: 1,
      signal: controller.signal,
      onProgress({ step }) {
        seen.push(step)
        controller.abort()
      },
    })
    await expect(wait).rejects.toMatchObject({ kind: 'aborted' })
    expect(seen).toEqual(['missing'])
  })

  test('keeps the count at 0 for a block that left the chain', async () => {
    const txid = await send()
    node.mine(5)
    const reply = (await node.request('getrawtransaction', [txid, 1])) as { blockhash: string }
    const header = await node.request('getblockheader', [reply.blockhash])
    let looks = 0
    before = (method, [hash]) => {
      if (method !== 'getblockheader' || hash !== reply.blockhash) return undefined
      looks += 1
      return looks === 1 ? { ...(header as object), confirmations: -1 } : undefined
    }
    const { result, steps } = watched(txid, 5)
    expect(await result).toMatchObject({ confirmations: 5 })
    expect(steps()).toEqual(['waiting', 'in-block'])
  })
})

test('goes on if the daemon has lost the block that it named', async () => {
  const txid = await send()
  mine()
  let asked = 0
  before = (method) => {
    if (method !== 'getblockheader') return undefined
    asked += 1
    if (asked > 2) return undefined
    const error = { code: -5, message: 'Block not found' }
    return Response.json({ result: null, error, id: null }, { status: 500 })
  }
  const { result, steps } = watched(txid, 1)
  expect(await result).toMatchObject({ confirmations: 1, reorganizations: 0 })
  expect(steps()).toEqual(['in-block'])
})

test('another transaction is an error', async () => {
  const [txid, other] = [await send(), await send()]
  node.mine(1)
  const reply = await node.request('getrawtransaction', [other, 1])
  before = (method) => (method === 'getrawtransaction' ? { ...(reply as object), txid } : undefined)
  await expect(watched(txid, 1).result).rejects.toMatchObject({
    kind: 'shape',
    reason: 'wrong_txid',
  })
})

test('an answer in hex where an object was asked for is an error of shape', async () => {
  const txid = await send()
  const hex = await node.request('getrawtransaction', [txid])
  before = (method) => (method === 'getrawtransaction' ? hex : undefined)
  await expect(watched(txid, 1).result).rejects.toMatchObject({
    name: 'RpcError',
    kind: 'shape',
    method: 'getrawtransaction',
  })
})

test('tells the block again when the daemon is back, though no block came since', async () => {
  const txid = await send()
  mine()
  let isAway = false
  before = () => {
    if (isAway) throw new TypeError('fetch failed')
  }
  const { result, steps } = watched(txid, 2, {
    unreachable: () => {
      isAway = false
    },
    'in-block': (times) => {
      if (times === 1) isAway = true
      else mine()
    },
  })
  expect(await result).toMatchObject({ confirmations: 2 })
  expect(steps()).toEqual(['in-block', 'unreachable', 'in-block', 'in-block'])
})

test('goes on while the daemon is away, and tells it once', async () => {
  const txid = await send()
  mine()
  let asked = 0
  before = () => {
    asked += 1
    if (asked <= 2) throw new TypeError('fetch failed')
    if (asked <= 4) {
      const error = { code: -28, message: 'Loading block index...' }
      return Response.json({ result: null, error, id: null }, { status: 500 })
    }
    if (asked <= 6) return new Response('', { status: 503 })
    return undefined
  }
  const { result, steps } = watched(txid, 1)
  expect(await result).toMatchObject({ confirmations: 1 })
  expect(steps()).toEqual(['unreachable', 'in-block'])
})

test('goes on after an answer that never comes', async () => {
  const txid = await send()
  mine()
  let asked = 0
  before = () => {
    asked += 1
    return asked === 1 ? new Promise(() => undefined) : undefined
  }
  client = newClient({ attemptTimeoutMs: 500 })
  const { result, steps } = watched(txid, 1)
  expect(await result).toMatchObject({ confirmations: 1 })
  expect(steps()).toEqual(['unreachable', 'in-block'])
})

test.each<[string, () => Response, object]>([
  [
    'a wrong password',
    () => new Response('', { status: 401 }),
    { kind: 'http', reason: 'unauthorized' },
  ],
  [
    'an unknown method',
    () => {
      const error = { code: -32601, message: 'Method not found' }
      return Response.json({ result: null, error, id: null }, { status: 404 })
    },
    { kind: 'daemon', code: -32601 },
  ],
])('ends for an error that stays: %s', async (_, answer, expected) => {
  before = (method) => (method === 'getrawtransaction' ? answer() : undefined)
  await expect(watched('ab'.repeat(32), 1).result).rejects.toMatchObject(expected)
})

test('ends with its time, or its signal', async () => {
  const txid = 'ab'.repeat(32)
  await expect(
    waitForTransaction(client, txid, { timeoutMs: 20, pollMs: 1 }),
  ).rejects.toMatchObject({ kind: 'timeout' })
  const controller = new AbortController()
  const wait = waitForTransaction(client, txid, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(wait).rejects.toMatchObject({ kind: 'aborted', cause: { message: 'enough' } })
})

test('ends with its time while an answer never comes', async () => {
  before = () => new Promise(() => undefined)
  await expect(
    waitForTransaction(client, 'ab'.repeat(32), { timeoutMs: 20 }),
  ).rejects.toMatchObject({ kind: 'timeout', reason: 'call_timeout' })
})

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('mine')
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
  ['hangs', () => new Promise(() => undefined)],
])('an observer that %s changes nothing', async (_, onProgress) => {
  const txid = await send()
  mine()
  expect(await waitForTransaction(client, txid, { onProgress })).toMatchObject({ confirmations: 1 })
})

test('asks one question while nothing changes', async () => {
  const txid = await send()
  mine()
  const controller = new AbortController()
  const wait = waitForTransaction(client, txid, {
    confirmations: 2,
    pollMs: 1,
    signal: controller.signal,
  })
  wait.catch(() => undefined)
  while (calls.length < 25) await new Promise((resolve) => setTimeout(resolve, 1))
  controller.abort()
  await expect(wait).rejects.toMatchObject({ kind: 'aborted' })
  expect(new Set(calls.slice(5))).toEqual(new Set(['getbestblockhash']))
})

test.each<[string, unknown, object, RegExp]>([
  ['a txid of another length', 'abcd', {}, /wrong_length/],
  ['a misspelt option', 'ab'.repeat(32), { confirmation: 6 }, /confirmations/],
  ['a number of blocks that is none', 'ab'.repeat(32), { confirmations: -1 }, /confirmations/],
  ['a time that is not a number', 'ab'.repeat(32), { timeoutMs: Number.NaN }, /timeoutMs/],
])('%s is refused, and nothing is asked', async (_, txid, options, message) => {
  const outcome = await waitForTransaction(client, txid as string, options).catch(String)
  expect(outcome).toMatch(message)
  expect(calls).toEqual([])
})
