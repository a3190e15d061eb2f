// Servers restart and connections break while a program watches the chain for days.

import { expect, test, vi } from 'vitest'

import { RpcError } from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  electrumChain,
  quorum,
  type WalletEvent,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const lost = () => new RpcError('transport', 'refused', { reason: 'not_connected' })
const unauthorized = () => new RpcError('http', 'unauthorized', { reason: 'unauthorized' })
const warmingUp = () => new RpcError('daemon', 'Loading block index...', { code: -28 })

/** A wallet whose source fails with an error while there is one, and its events. */
async function watched(sourceOf = (source: ChainSource) => source) {
  const { node, alice, bob, chain } = await fundedNode()
  let failure: { readonly method: string; readonly error: Error } | undefined
  let failures = 0
  const failing = (method: string) => {
    if (failure?.method !== method) return
    failures += 1
    throw failure.error
  }
  let block1 = await chain.chain!()
  const source = tampered(chain, {
    chain: async () => block1,
    async history(scripts, options) {
      failing('history')
      return chain.history(scripts, options)
    },
    async unspent(scripts, options) {
      failing('unspent')
      return chain.unspent(scripts, options)
    },
  })
  const [wallet, payer] = [await openWallet(bob, sourceOf(source)), await openWallet(alice, chain)]
  const interruptions: string[] = []
  const events = wallet.events({
    pollMs: 1,
    onInterruption: ({ message }) => interruptions.push(message),
  })
  const next = async (type: WalletEvent['type']) => {
    for (;;) {
      const { value, done } = await events.next()
      if (done === true || value?.type === type) return value
    }
  }
  return {
    ...{ node, bob, payer, events, interruptions, next },
    fail: (error: Error | undefined, method = 'history') => {
      failures = 0
      failure = error && { method, error }
    },
    async failedTimes(count: number) {
      while (failures < count) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    moveToOtherChain: () => {
      block1 = '11'.repeat(32)
    },
  }
}

test('events go on after a reorganization that leaves fewer blocks', async () => {
  const { node, bob, payer, events, interruptions, next } = await watched()
  const before = node.snapshot()
  const first = next('received')
  const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n, id: 'one' })
  await first
  const confirmed = next('confirmed')
  node.mine(40)
  await confirmed
  const reorganized = next('reorganized')
  node.revert(before)
  node.mine(20)
  await vi.waitUntil(() => interruptions.length > 0)
  node.mine(15)
  expect(await reorganized).toMatchObject({ type: 'reorganized', txid })
  expect(interruptions).toEqual([expect.stringContaining('wait until it has caught up')])
  await events.return()
  await node.close()
})

test.each([
  ['a lost connection', lost(), 'history'],
  ['a daemon that loads its blocks', warmingUp(), 'history'],
  ['a failure in the middle of a look', lost(), 'unspent'],
] as const)('events go on after %s', async (_, error, method) => {
  const { node, bob, payer, events, interruptions, next, fail, failedTimes } = await watched()
  const first = next('received')
  await payer.pay({ to: bob.address, amount: 1_000_000n, id: 'one' })
  await first
  for (const id of ['two', 'three']) {
    fail(error, method)
    const received = next('received')
    const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n, id })
    node.mine()
    await failedTimes(3)
    fail(undefined)
    expect(await received).toMatchObject({ type: 'received', entry: { txid } })
  }
  // Once for each interruption, not for each look.
  expect(interruptions).toEqual([error.message, error.message])
  await events.return()
  await node.close()
})

test('events end if the first look fails', async () => {
  const { node, events, fail } = await watched()
  fail(lost())
  await expect(events.next()).rejects.toThrow('refused')
  await node.close()
})

test.each([
  ['a wrong password', unauthorized()],
  ['another certificate', new RpcError('transport', 'other', { reason: 'certificate_changed' })],
])('events end because of %s', async (_, error) => {
  const { node, bob, payer, next, fail, interruptions } = await watched()
  const first = next('received')
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  await first
  fail(error)
  await expect(next('received')).rejects.toBe(error)
  expect(interruptions).toEqual([])
  await node.close()
})

test('events of a quorum end once too few of its sources can ever answer', async () => {
  const { node, bob, payer, next, fail, failedTimes, interruptions } = await watched((source) => {
    const history = async () => Promise.reject(unauthorized())
    return quorum([source, tampered(source, { name: 'another', history })], 1)
  })
  const first = next('received')
  await payer.pay({ to: bob.address, amount: 1_000_000n, id: 'first' })
  await first
  fail(lost())
  const second = next('received')
  const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n, id: 'second' })
  await failedTimes(3)
  fail(undefined)
  expect(await second).toMatchObject({ entry: { txid } })
  fail(unauthorized())
  await expect(next('received')).rejects.toThrow('unauthorized')
  expect(interruptions).toHaveLength(1)
  await node.close()
})

test('events end if the program closes the client of the source', async () => {
  const { node, bob, payer, next, fail, interruptions } = await watched()
  const first = next('received')
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  await first
  const source = electrumChain(['tcp://127.0.0.1:1'])
  source.close()
  const closed = await source.tip().then(undefined, (error: Error) => error)
  fail(closed as Error)
  await expect(next('received')).rejects.toThrow('the client is closed')
  expect(interruptions).toEqual([])
  await node.close()
})

test('events end if another chain answers after an interruption', async () => {
  const { node, bob, payer, next, fail, failedTimes, moveToOtherChain } = await watched()
  const first = next('received')
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  await first
  fail(lost())
  const ended = expect(next('received')).rejects.toMatchObject({ kind: 'shape' })
  await failedTimes(1)
  moveToOtherChain()
  fail(undefined)
  await ended
  await node.close()
})

test('events go on after the one source that names its chain was away, with a named first block', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let isAway = false
  const naming = tampered(chain, {
    name: 'naming',
    async tip(options) {
      if (isAway) throw lost()
      return chain.tip(options)
    },
    async chain(options) {
      if (isAway) throw lost()
      return chain.chain!(options)
    },
  })
  const silent: { -readonly [Name in keyof ChainSource]: ChainSource[Name] } = { ...chain }
  delete silent.chain
  const firstBlock = (await chain.chain!())!
  const wallet = await openWallet(bob, quorum([silent, naming], 1), { firstBlock })
  const interruptions: string[] = []
  const onInterruption = ({ message }: Error) => interruptions.push(message)
  const events = wallet.events({ pollMs: 1, since: await wallet.history(), onInterruption })
  expect(await events.next()).toMatchObject({ value: { type: 'balance' } })
  isAway = true
  const next = events.next()
  await vi.waitUntil(() => interruptions.length > 0)
  expect(interruptions).toEqual([expect.stringContaining('no block 1 to compare with firstBlock')])
  const payer = await openWallet(alice, chain)
  const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n })
  isAway = false
  expect(await next).toMatchObject({ value: { type: 'received', entry: { txid } } })
  await events.return()
  await node.close()
})

test('a server that is far behind at a start takes no stored transaction back', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const payer = await openWallet(alice, chain)
  const before = node.snapshot()
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  node.mine()
  const since = await (await openWallet(bob, chain)).history()
  const [{ height = 0 } = {}] = since
  const behind = (blocks: number) =>
    tampered(chain, {
      tip: async (options) => ({ ...(await chain.tip(options)), height: height - blocks }),
      history: async () => [],
      unspent: async () => [],
    })
  const first = async (source: ChainSource) =>
    (await openWallet(bob, source)).events({ since, pollMs: 1 }).next()
  await expect(first(behind(11))).rejects.toThrow(
    `its last block is ${height - 11}, but since names block ${height}; wait until it has caught up`,
  )
  // A reorganization may leave a few blocks less.
  expect(await first(behind(10))).toMatchObject({ value: { type: 'reorganized', was: height } })
  node.revert(before)
  await node.close()
})

test('a server of another chain takes no stored transaction back, with a named first block', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const payer = await openWallet(alice, chain)
  const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n })
  node.mine()
  const since = await (await openWallet(bob, chain)).history()
  const firstBlock = (await chain.chain!())!
  // Its chain is longer, so its height shows nothing.
  const other = tampered(chain, {
    chain: async () => '11'.repeat(32),
    tip: async (options) => ({ ...(await chain.tip(options)), height: node.height + 1000 }),
    history: async () => [],
    unspent: async () => [],
  })
  const first = async (options: { firstBlock?: string }) =>
    (await openWallet(bob, other, options)).events({ since, pollMs: 1 }).next()
  await expect(first({ firstBlock })).rejects.toMatchObject({ kind: 'shape', expected: firstBlock })
  expect(await first({})).toMatchObject({ value: { type: 'reorganized', txid } })
  await node.close()
})
