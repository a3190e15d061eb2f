// Thousands of coins: payments that need too many inputs, and the merges after which they fit.

import { expect, test } from 'vitest'

import { addressOf, decodeTransaction, networks, publicKeyOf } from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { type ChainSource, memoryJournal, type Sent } from '../../../src/wallet/index.ts'
import { mergeAll } from '../../../src/wallet/merge-all.ts'
import { isQuick } from '../../support/share.ts'
import { inQuickRun, testUnless } from '../../support/skip.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const wif = '6'.padStart(64, '0')
const pubkey = publicKeyOf(wif)
const own = addressOf(pubkey, networks.assetChain)
const coin = 20_000n

/** Nodes whose chain has so many coins: the chain can be restored in less time than it takes to make. */
const filled = new Map<number, Awaited<ReturnType<typeof filledNode>>>()

async function filledNode(count: number) {
  const { node, alice, bob, chain } = await fundedNode()
  const rich = await openWallet(alice, chain)
  for (let left = count; left > 0; left -= 500) {
    const recipients = Array.from({ length: Math.min(left, 500) }, () => ({
      to: own,
      amount: coin,
    }))
    expect(await rich.pay({ recipients, id: `${left}` })).toMatchObject({ status: 'accepted' })
    node.mine()
  }
  return { node, alice, bob, chain, full: node.snapshot() }
}

/** A wallet with so many coins of one size, and the bytes that it sends. */
async function manyCoins(count: number) {
  const made = filled.get(count) ?? (await filledNode(count))
  filled.set(count, made)
  const { node, alice, bob, chain, full } = made
  node.revert(full)
  const sent: string[] = []
  const source = tampered(chain, {
    broadcast(hex, options) {
      sent.push(hex)
      return chain.broadcast(hex, options)
    },
  })
  return { node, alice, bob, source, sent, wallet: await openWallet({ wif }, source) }
}

/** A wallet with so many coins of one unit of a token, and some plain coins. */
async function manyUnits(count: number, plain: number) {
  const { node, alice, bob, chain } = await fundedNode()
  const rich = await openWallet(alice, chain)
  const { txid: tokenid = '' } = await rich.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  for (let made = 0; made < count; made += 1) {
    await node.request('tokentransfer', [tokenid, pubkey, '1']).then(async (built) => {
      await node.request('sendrawtransaction', [(built as { hex: string }).hex])
    })
    node.mine()
  }
  const recipients = Array.from({ length: plain }, () => ({ to: own, amount: 1_000_000n }))
  await rich.pay({ recipients })
  node.mine()
  return { node, bob, tokenid, wallet: await openWallet({ wif }, chain) }
}

const outpointsOf = (hexes: readonly string[]) =>
  hexes.flatMap((hex) => decodeTransaction(hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`))
const hexOf = ({ report }: Sent) => report.hex

test('a payment that needs too many inputs is held with the merges that it needs', async () => {
  const { node, bob, wallet, sent } = await manyCoins(1200)
  const request = { to: bob.address, amount: 1000n * coin, id: 'rent' }
  const held = await wallet.pay(request)
  expect(held).toMatchObject({ status: 'held', held: 'needs-merge' })
  // Four hundred and ninety-nine coins of 20,000 and one merged coin of 500 less the fee pay less.
  expect(held.merge).toEqual({
    steps: [
      { coins: 500, amount: 500n * coin - 10_000n, fee: 10_000n },
      { coins: 500, amount: 500n * coin - 10_000n, fee: 10_000n },
    ],
    fee: 20_000n,
    sendable: 500n * coin,
  })
  expect(sent).toEqual([])
  const merged = await wallet.mergeAll({ amount: request.amount })
  expect(merged).toMatchObject({ status: 'merged', coins: 202 })
  expect(merged.sent.map(({ report }) => report.fee)).toEqual([10_000n, 10_000n])
  const spent = outpointsOf(sent)
  expect(new Set(spent).size).toBe(spent.length)
  expect(await wallet.pay(request)).toMatchObject({ status: 'accepted' })
  node.mine()
  const { total } = await wallet.balance()
  expect(total).toBe(1200n * coin - request.amount - 30_000n)
  await node.close()
}, 120_000)

test('a payment of everything leaves no coin behind, and large steps merge all coins', async () => {
  const { node, bob, source, sent } = await manyCoins(1200)
  const wallet = await openWallet({ wif }, source, { journal: memoryJournal() })
  // This fee would relay the 1024 inputs that one transaction may have.
  const request = { to: bob.address, amount: 'max' as const, fee: 16_000n }
  expect(await wallet.pay(request)).toMatchObject({ status: 'held', held: 'needs-merge' })
  expect(sent).toEqual([])
  const merged = await wallet.mergeAll({ maxInputs: 600, signal: AbortSignal.timeout(60_000) })
  expect(merged).toMatchObject({ status: 'merged', coins: 1 })
  expect(sent.map((hex) => decodeTransaction(hex).inputs.length)).toEqual([600, 600, 2])
  expect(await wallet.pay(request)).toMatchObject({ status: 'accepted' })
  node.mine()
  expect((await wallet.balance()).total).toBe(0n)
  await node.close()
}, 120_000)

test('a merge of fewer than two coins is refused, because it would only cost a fee', async () => {
  const { node, wallet, sent } = await manyCoins(12)
  const one = { maxInputs: 1, maxFee: 10_000n }
  await expect(wallet.merge(one)).rejects.toThrow('maxInputs: expected at least 2')
  expect(await wallet.merge()).toMatchObject({ status: 'accepted' })
  node.mine()
  const context = { path: 'coins', expected: 'at least 2 coins to merge', actual: 1 }
  await expect(wallet.merge()).rejects.toMatchObject({ code: 'insufficient_coins', context })
  await expect(wallet.prepare.merge()).rejects.toMatchObject({ code: 'insufficient_coins' })
  expect(sent).toHaveLength(1)
  await node.close()
})

test('merging stops where a step turns out to have been made before', async () => {
  const txid = 'ab'.repeat(32)
  const [publicKey, script] = [pubkey, '']
  const coins = [0, 1, 2].map((vout) => {
    const key = `${txid}:${vout}`
    return [key, { txid, vout, value: coin, height: 1, publicKey, script, isCoinbase: false }]
  })
  const view = { coins: new Map(coins as never), tip: { height: 10, time: 0 } }
  const sync = async () => view
  const network = networks.assetChain
  const plans = { publicKeys: [pubkey], coinbaseMaturity: 100, network, sync } as never
  const answer = { status: 'accepted', txid: 'cd'.repeat(32) } as Sent
  const merged = await mergeAll(
    {
      plans,
      signal: undefined,
      taken: async () => ({ reserved: new Map(), shared: new Set() }),
      send: async () => answer,
    },
    {},
  )
  expect(merged).toEqual({ status: 'stopped', sent: [answer], coins: 3 })
})

testUnless(inQuickRun)(
  'everything is merged first, where there are more coins than a transaction takes',
  async () => {
    const { node, bob, wallet } = await manyCoins(1100)
    const request = { to: bob.address, amount: 'max' as const, id: 'all' }
    expect(await wallet.pay(request)).toMatchObject({ held: 'needs-merge' })
    await expect(wallet.prepare.pay({ to: bob.address, amount: 'max' })).rejects.toMatchObject({
      name: 'NeedsMerge',
      plan: { sendable: 500n * coin },
    })
    expect(await wallet.mergeAll()).toMatchObject({ status: 'merged', coins: 1 })
    expect(await wallet.pay(request)).toMatchObject({ status: 'accepted' })
    node.mine()
    expect((await wallet.balance()).total).toBe(0n)
    await node.close()
  },
  120_000,
)

testUnless(inQuickRun)(
  'many coins of one unit are held with what can be sent, and merged in steps',
  async () => {
    const { node, bob, tokenid, wallet } = await manyUnits(130, 20)
    const request = { tokenid, to: bob.pubkey, amount: 100n, id: 'gold' }
    const held = await wallet.transfer(request)
    expect(held).toMatchObject({
      held: 'needs-merge',
      merge: { tokenid, sendable: 60n, fee: 10_000n, steps: [{ coins: 60, amount: 60n }] },
    })
    const merged = await wallet.mergeAll({ tokenid, amount: 100n })
    expect(merged).toMatchObject({ status: 'merged', coins: 71 })
    expect(merged.sent).toHaveLength(1)
    expect(await wallet.transfer(request)).toMatchObject({ status: 'accepted' })
    node.mine()
    expect(await wallet.mergeAll({ tokenid })).toMatchObject({ status: 'merged', coins: 1 })
    node.mine()
    const { balance } = (await node.request('tokenbalance', [tokenid, pubkey])) as {
      balance: number
    }
    expect(balance).toBe(30)
    expect(await wallet.tokens()).toMatchObject([{ balance: 30n, pending: 0n, proof: 'proven' }])
    await node.close()
  },
  120_000,
)

test('a step without an answer stops the merge; nothing builds on it, and no coin is merged twice', async () => {
  const [count, step] = isQuick ? [48, { maxInputs: 12 }] : [160, { maxInputs: 40 }]
  const { node, source, sent } = await manyCoins(count)
  let broadcasts = 0
  const losing: ChainSource = tampered(source, {
    async broadcast(hex, options) {
      broadcasts += 1
      if (broadcasts === 3) {
        sent.push(hex)
        const reason = 'connection_lost'
        throw new RpcError('transport', 'connection lost', { reason, uncertain: true })
      }
      return source.broadcast(hex, options)
    },
  })
  const journal = memoryJournal()
  const first = await openWallet({ wif }, losing, { journal })
  const stopped = await first.mergeAll(step)
  expect(stopped.status).toBe('stopped')
  expect(stopped.sent.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'uncertain'])
  const lost = sent[2]!

  // Another process goes on: it spends neither the coins of the lost step, nor what it would make.
  const second = await openWallet({ wif }, losing, { journal })
  const going = await second.mergeAll(step)
  expect(going.status).toBe('merged')
  const touched = outpointsOf(going.sent.map(hexOf))
  const { txid } = decodeTransaction(lost)
  expect(touched.filter((it) => it.startsWith(txid) || outpointsOf([lost]).includes(it))).toEqual(
    [],
  )

  const resumed = await second.resume()
  expect(resumed.map(({ result }) => result?.txid)).toContain(txid)
  expect(sent.filter((hex) => hex === lost)).toHaveLength(2)
  node.mine()
  expect(await second.mergeAll(step)).toMatchObject({ status: 'merged', coins: 1 })
  node.mine()
  const spent = outpointsOf([...new Set(sent)])
  expect(new Set(spent).size).toBe(spent.length)
  const { total } = await second.balance()
  expect(total).toBe(BigInt(count) * coin - 10_000n * BigInt(new Set(sent).size))
  await node.close()
}, 120_000)

test('a merge that runs out of coins for the fee keeps what it did', async () => {
  const [count, maxInputs] = isQuick ? [14, 8] : [70, 40]
  const { node, tokenid, wallet } = await manyUnits(count, 1)
  const fee = 600_000n
  const merged = await wallet.mergeAll({ tokenid, maxInputs, fee, maxFee: fee })
  expect(merged.status).toBe('stopped')
  expect(merged.sent).toMatchObject([{ status: 'accepted' }])
  expect(merged.error).toMatchObject({ code: 'insufficient_coins' })
  await node.close()
}, 120_000)

test('a source that stops answering between two merges hides no merge, and can be left', async () => {
  const { node, source: chain } = await manyCoins(12)
  let isSilent = false
  const stop = new AbortController()
  const silent = tampered(chain, {
    async unspent(scripts, options) {
      if (!isSilent) return chain.unspent(scripts, options)
      stop.abort(new Error('enough'))
      return new Promise<never>(() => undefined)
    },
    async broadcast(hex, options) {
      isSilent = true
      return chain.broadcast(hex, options)
    },
  })
  const wallet = await openWallet({ wif }, silent)
  const merged = await wallet.mergeAll({ maxInputs: 6, signal: stop.signal })
  expect(merged.status).toBe('stopped')
  expect(merged.sent).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }])
  expect(String(merged.error)).toContain('enough')
  await node.close()
})

test('merges of many coins read the coins once for many steps, and the history once a block', async () => {
  const { node, source: chain } = await manyCoins(60)
  const calls = { unspent: 0, history: 0 }
  const counted = tampered(chain, {
    unspent(scripts, options) {
      calls.unspent += 1
      return chain.unspent(scripts, options)
    },
    history(scripts, options) {
      calls.history += 1
      return chain.history(scripts, options)
    },
  })
  const wallet = await openWallet({ wif }, counted, { journal: memoryJournal() })
  const merged = await wallet.mergeAll({ maxInputs: 3, maxFee: 10_000n })
  expect(merged).toMatchObject({ status: 'merged', coins: 1 })
  const steps = merged.sent.length
  expect(steps).toBeGreaterThan(25)
  expect(calls.unspent).toBeLessThanOrEqual(6)
  expect(calls.history - steps).toBeLessThanOrEqual(6)
  await node.close()
}, 60_000)

test('refuses merges of one coin, or of more units than a transaction should spend', async () => {
  const { node, wallet } = await manyCoins(3)
  const tokenid = 'ab'.repeat(32)
  await expect(wallet.mergeAll({ maxInputs: 1 })).rejects.toThrow(/maxInputs.*at least 2/)
  await expect(wallet.mergeAll({ tokenid, maxInputs: 61 })).rejects.toThrow(/maxInputs.*2 to 60/)
  expect(await wallet.mergeAll({ tokenid })).toEqual({ status: 'merged', sent: [], coins: 0 })
  await node.close()
})
