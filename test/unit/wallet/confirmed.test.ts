// A result waits for its own payment: until it is deep enough, or can no longer be mined.

import { expect, test, vi } from 'vitest'

import { transactionId } from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { NotMined, type Wallet } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const pollMs = 1

test('resolves when the payment has as many confirmations as requested', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  const height = node.height + 1
  node.mine()
  expect(await sent.confirmed()).toEqual({ txid: sent.txid, height, confirmations: 1 })
  const deep = sent.confirmed({ confirmations: 3, pollMs })
  node.mine(2)
  expect(await deep).toEqual({ txid: sent.txid, height, confirmations: 3 })
  await node.close()
})

test('waits between two looks, however long the pause is', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  let looks = 0
  const waiting = await openWallet(
    alice,
    tampered(chain, {
      tip(options) {
        looks += 1
        return chain.tip(options)
      },
    }),
  )
  const stop = new AbortController()
  const wait = waiting.waitFor(sent.txid!, { pollMs: 2 ** 31, signal: stop.signal })
  await new Promise((resolve) => setTimeout(resolve, 50))
  stop.abort(new Error('enough'))
  await expect(wait).rejects.toThrow('enough')
  expect(looks).toBeLessThan(5)
  await node.close()
})

test('ends with the reason of its signal', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  const stop = new AbortController()
  const wait = sent.confirmed({ signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(wait).rejects.toThrow('enough')
  await node.close()
})

test('an uncertain payment is confirmed when a block has it after all', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const lost = tampered(chain, {
    async broadcast(hex) {
      await chain.broadcast(hex)
      throw new RpcError('transport', 'lost', { reason: 'connection_lost', uncertain: true })
    },
  })
  const wallet = await openWallet(alice, lost)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  expect(sent.status).toBe('uncertain')
  node.mine()
  expect(await sent.confirmed()).toMatchObject({ txid: sent.txid, confirmations: 1 })
  await node.close()
})

test('a wait goes on while the server is away, and ends if it refuses the password', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let failure: RpcError | undefined
  let asked = 0
  const away = tampered(chain, {
    async tip(options) {
      asked += 1
      if (failure !== undefined) throw failure
      return chain.tip(options)
    },
  })
  const wallet = await openWallet(alice, away)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
  failure = lost
  await expect(sent.confirmed({ pollMs })).rejects.toBe(lost)
  failure = undefined
  const wait = sent.confirmed({ pollMs })
  asked = 0
  await expect.poll(() => asked).toBeGreaterThan(1)
  failure = lost
  asked = 0
  await expect.poll(() => asked).toBeGreaterThan(3)
  failure = undefined
  node.mine()
  expect(await wait).toMatchObject({ txid: sent.txid, confirmations: 1 })
  const deep = sent.confirmed({ confirmations: 5, pollMs })
  asked = 0
  await expect.poll(() => asked).toBeGreaterThan(1)
  failure = new RpcError('http', 'wrong password', { reason: 'unauthorized' })
  await expect(deep).rejects.toBe(failure)
  await node.close()
})

test('a payment that never left the source has expired one day', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const silent = tampered(chain, { broadcast: async (hex) => transactionId(hex) })
  const wallet = await openWallet(alice, silent)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  expect(sent.status).toBe('accepted')
  node.mine(220)
  await expect(sent.confirmed({ pollMs })).rejects.toMatchObject({ reason: 'expired' })
  await node.close()
})

test('a payment that a false height calls expired is repeated from its coin, and paid once', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 3 })
  let ahead = 0
  const hostile = tampered(chain, {
    async tip(options) {
      const { height, time } = await chain.tip(options)
      return { height: height + ahead, time: time + 60 * ahead }
    },
  })
  const wallet = await openWallet(alice, hostile)
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const sent = await wallet.pay(request)
  ahead = 400
  await expect(sent.confirmed({ pollMs })).rejects.toThrow(
    /: development node reports block \d+, which may be false. If it is your payment, repeat its call with the same id, and pay by no other call$/,
  )
  expect(await wallet.pay(request)).toMatchObject({ status: 'accepted', txid: sent.txid })
  expect(await node.request('getrawmempool')).toEqual([sent.txid])
  await node.close()
})

test('a payment whose coins another transaction spent is conflicted', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, other] = [await openWallet(alice, chain), await openWallet(alice, chain)]
  const sent = await wallet.pay({ to: bob.address, amount: 2_000_000n, id: 'lost' })
  node.mine()
  node.reorg(1, { drop: [sent.txid!] })
  await other.pay({ to: bob.address, amount: 'max', id: 'all' })
  node.mine()
  await expect(sent.confirmed({ pollMs })).rejects.toMatchObject({ reason: 'conflicted' })
  await node.close()
})

test('a payment that was held or rejected was not sent', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const request = { to: bob.address, amount: 1_000_000n }
  const held = await wallet.pay({ ...request, dryRun: true })
  await expect(held.confirmed()).rejects.toBeInstanceOf(NotMined)
  await expect(held.confirmed()).rejects.toThrow('this call sent nothing: dry-run')
  const prepared = await wallet.prepare.pay(request)
  const rejected = await wallet.submit({ ...prepared.case, hex: `${prepared.case.hex}00` })
  await expect(rejected.confirmed()).rejects.toMatchObject({ reason: 'not-sent', txid: '' })
  await node.close()
})

test('a result can be cloned and printed', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  const { txid, status } = structuredClone({ txid: sent.txid, status: sent.status })
  expect({ txid, status }).toEqual({ txid: sent.txid, status: 'accepted' })
  expect(Object.keys(sent)).not.toContain('confirmed')
  await node.close()
})

test('hundreds of waits ask the source as often as one', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let asked = 0
  const counted = tampered(chain, {
    async tip(options) {
      asked += 1
      return chain.tip(options)
    },
  })
  const wallet = await openWallet(alice, counted)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  asked = 0
  const waits = Array.from({ length: 300 }, () => sent.confirmed({ pollMs: 200 }))
  await expect.poll(() => asked).toBeGreaterThan(0)
  node.mine()
  const confirmed = await Promise.all(waits)
  expect(new Set(confirmed.map(({ txid }) => txid))).toEqual(new Set([sent.txid]))
  expect(asked).toBeLessThan(100)
  await node.close()
})

test('a wait that is aborted ends the call of the source, and does not hold up the next', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let isSilent = false
  let ended: AbortSignal | undefined
  const silent = tampered(chain, {
    async tip(options) {
      if (!isSilent) return chain.tip(options)
      ended = options?.signal
      return new Promise<never>(() => undefined)
    },
  })
  const wallet = await openWallet(alice, silent)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  node.mine()
  isSilent = true
  const stop = new AbortController()
  const first = sent.confirmed({ signal: stop.signal })
  const second = sent.confirmed({ signal: stop.signal })
  await expect.poll(() => ended).toBeDefined()
  expect(ended?.aborted).toBe(false)
  stop.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
  await expect(second).rejects.toThrow('enough')
  expect(ended?.aborted).toBe(true)
  isSilent = false
  expect(await sent.confirmed()).toMatchObject({ confirmations: 1 })
  await node.close()
})

test('a wait for a payment of others does not read the history of the payer', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const asked = new Set<string>()
  let looks = 0
  const counted = tampered(chain, {
    async history(scripts, options) {
      for (const script of scripts) asked.add(script)
      return chain.history(scripts, options)
    },
    async tip(options) {
      looks += 1
      return chain.tip(options)
    },
  })
  const wallet = await openWallet(alice, counted)
  const payer = await openWallet(bob, chain)
  const { txid } = await payer.pay({ to: alice.address, amount: 5_000n })
  const waiting = wallet.waitFor(txid!, { pollMs })
  await vi.waitFor(() => expect(looks).toBeGreaterThan(5))
  node.mine()
  expect(await waiting).toMatchObject({ txid, confirmations: 1 })
  const scriptsOf = (one: Wallet) => one.addresses().flatMap(({ scripts }) => scripts)
  expect(scriptsOf(wallet).every((script) => asked.has(script))).toBe(true)
  expect(scriptsOf(payer).filter((script) => asked.has(script))).toEqual([])
  await node.close()
})
