// The reward that coins of KMD accrue, which a payment claims by the time of the last block.

import { expect, test } from 'vitest'

import {
  addressOf,
  addressOfScript,
  buildPayment,
  decodeTransaction,
  encodeTransaction,
  type Network,
  networks,
  publicKeyOf,
  signCase,
  transactionId,
} from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { listPayments, RpcError } from '../../../src/rpc/index.ts'
import { pubkeyHashScript, scriptHashOf } from '../../../src/script/key-script.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  memoryJournal,
  privateKeySigner,
} from '../../../src/wallet/index.ts'
import { publicBlocks } from '../../support/headers.ts'
import { recordedSource } from './recorded-source.ts'
import { fundedNode, openWallet } from './support.ts'

const key = '7'.padStart(64, '0')
const value = 10_000_000_000n
const lockTime = 1_660_000_000
const height = 3_000_000
const days = 24 * 3600
/** A block's coin of 100 KMD, before the season in which rewards became a 500th. */
const coinOf = (script: string) =>
  encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [
      { txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '03c0c62d', sequence: 0xffffffff },
    ],
    outputs: [{ value, script }],
    lockTime,
  })
const coin = coinOf(`21${publicKeyOf(key)}ac`)
const paidBy = (hex: string) =>
  decodeTransaction(hex).outputs.reduce((sum, output) => sum + output.value, 0n)
const to = addressOf(publicKeyOf('9'.padStart(64, '0')), networks.komodo)

/** @param answer - of a broadcast; it may throw */
async function opened(answer: (hex: string, sent: readonly string[]) => string) {
  const tip = { height: height + 14_400, time: lockTime + 10 * days }
  const source = recordedSource([{ hex: coin, height }], tip.height)
  const chain = {
    ...source,
    tip: async () => ({ ...tip }),
    async broadcast(hex: string) {
      await source.broadcast(hex)
      return answer(hex, source.sent)
    },
  }
  const signers = [privateKeySigner(key)]
  const journal = memoryJournal()
  const wallet = await createWallet({ network: networks.komodo, signers, chain, journal })
  return { wallet, sent: source.sent, tip }
}

test('is claimed by a payment of everything', async () => {
  const { wallet, sent } = await opened(transactionId)
  expect((await wallet.pay({ to, amount: 'max' })).status).toBe('accepted')
  expect(paidBy(sent[0]!)).toBeGreaterThan(value)
})

test('two hours later a claim is too old: another one of the same coin replaces it', async () => {
  const { wallet, sent, tip } = await opened((hex, all) => {
    if (all.length > 1) return transactionId(hex)
    throw new RpcError('transport', 'lost', { reason: 'connection_lost', uncertain: true })
  })
  const request = { to, amount: 1_000_000n, id: 'rent' }
  expect((await wallet.pay(request)).status).toBe('uncertain')
  tip.time += 2 * 3600
  const again = await wallet.pay(request)
  expect(again.status).toBe('accepted')
  const [first, replaced, ...others] = sent
  expect([first === replaced, others]).toEqual([false, []])
  const spentBy = (hex: string) => decodeTransaction(hex).inputs.map(({ txid }) => txid)
  expect(spentBy(replaced!)).toEqual(spentBy(first!))
  expect(paidBy(replaced!)).toBeGreaterThan(paidBy(first!))
})

const network = networks.komodo
const cosigner = '8'.padStart(64, '0')
const redeemScript = `52${[key, cosigner].map((it) => `21${publicKeyOf(it)}`).join('')}52ae`
const shared = scriptHashOf(redeemScript)

/** A chain that has coins, and keeps what it is sent: each transaction at the given height. */
function keepingChain(coins: readonly string[], tip: { height: number; time: number }) {
  const sent: { readonly hex: string; height: number }[] = []
  const now = () => recordedSource([...coins.map((hex) => ({ hex, height })), ...sent], tip.height)
  const chain: ChainSource = {
    name: 'recording',
    tip: async () => ({ ...tip }),
    unspent: async (scripts) => now().unspent(scripts),
    history: async (scripts) => now().history(scripts),
    transactions: async (txids) => now().transactions(txids),
    async broadcast(hex) {
      sent.push({ hex, height: 0 })
      return transactionId(hex)
    },
  }
  return { chain, sent }
}

/** A chain that has a coin and perhaps others, and a wallet that spends it under an id. */
function chainOf(hex: string, time: number, blocks = 14_400, others: readonly string[] = []) {
  const tip = { height: height + blocks, time }
  const { chain, sent } = keepingChain([hex, ...others], tip)
  const journal = memoryJournal()
  const open = () => createWallet({ network, signers: [privateKeySigner(key)], chain, journal })
  const id = 'rent'

  /** Submits a payment that another machine built. */
  async function submit({ expiryHeight, ...terms }: Terms = {}) {
    const made = buildPayment({
      recipients: [{ address: to, amount: 1_000_000n }],
      own: [publicKeyOf(key), publicKeyOf(cosigner)],
      redeemScripts: [redeemScript],
      coins: [{ txid: transactionId(hex), vout: 0 }],
      previousTransactions: [hex],
      ...{ network, tipHeight: tip.height, tipTime: tip.time, ...terms },
      heights: { [transactionId(hex)]: height },
    })
    const built = expiryHeight === undefined ? made : withExpiry(made, expiryHeight)
    const signed = { ...built, hex: signCase(built, [key, cosigner]).hex }
    const own = [addressOfScript(shared, network)!]
    return (await open()).submit(signed, { id, own, allow: ['no_expiry'] })
  }

  /** Mines the payment, and settles it in a later process. */
  async function settled(later = 300) {
    sent[0]!.height = tip.height + 1
    tip.height += later
    tip.time += later * 60
    const [resumed] = await (await open()).resume()
    const { report } = resumed!.result!
    expect(resumed?.result).toMatchObject({ status: 'accepted', repeated: true })
    expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    const [payment] = bookOf(journal).payments()
    expect(payment?.attempts).toMatchObject([{ fate: 'settled' }])
    expect(sent).toHaveLength(1)
    const claimed = report.findings.find(({ code }) => code === 'reward_claimed')
    return { sent: sent[0]!.hex, claimed: claimed?.actual }
  }
  const pay = async (amount: bigint | 'max' = 1_000_000n) => (await open()).pay({ to, amount, id })
  return { pay, submit, settled }
}

interface Terms {
  readonly lockTime?: number
  readonly expiryHeight?: number
}

/** The builder's own expiry height is near. */
function withExpiry(built: ReturnType<typeof buildPayment>, expiryHeight: number) {
  const hex = encodeTransaction({ ...decodeTransaction(built.hex), expiryHeight })
  return { ...built, hex, intent: { ...built.intent, expiryHeight } }
}

type World = ReturnType<typeof chainOf>

test.each<[string, string, (world: World) => Promise<unknown>]>([
  ['payment', coin, ({ pay }) => pay()],
  ['submitted payment of shared coins', coinOf(shared), ({ submit }) => submit()],
])('a mined %s that claims one is settled, with the reward of its time', async (_, hex, make) => {
  const world = chainOf(hex, lockTime + 10 * days)
  await make(world)
  const { sent, claimed } = await world.settled()
  expect(paidBy(sent)).toBeGreaterThan(value)
  expect(claimed).toBe(paidBy(sent) + 10_000n - value)
})

test('a mined payment whose lock time precedes that of its coin is settled', async () => {
  const world = chainOf(coinOf(shared), lockTime + 1800, 150)
  expect(await world.submit({ lockTime: lockTime - 60 })).toMatchObject({ status: 'accepted' })
  const { sent, claimed } = await world.settled()
  expect(paidBy(sent)).toBe(value - 10_000n)
  expect(claimed).toBeUndefined()
})

async function onChain() {
  const tip = { height: height + 14_400, time: lockTime + 10 * days }
  const { chain, sent } = keepingChain([coin], tip)
  const journal = memoryJournal()
  const signers = [privateKeySigner(key)]
  const wallet = await createWallet({ network: networks.komodo, signers, chain, journal })
  return { wallet, journal, sent, tip }
}

test.each([
  ['waits for a block', 0],
  ['is in a block', 1],
  ['is deep in the chain, and would be too old to send', 500],
])('a repeated call finds a payment that claims a reward and %s', async (_, blocks) => {
  const { wallet, journal, sent, tip } = await onChain()
  const request = { to, amount: 1_000_000n, id: 'rent' }
  const first = await wallet.pay(request)
  expect(first.report.findings).toContainEqual(expect.objectContaining({ code: 'reward_claimed' }))
  if (blocks > 0) sent[0]!.height = tip.height + 1
  tip.height += blocks
  tip.time += blocks * 60
  const again = await wallet.pay(request)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: first.txid })
  expect(again.report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  expect(sent).toHaveLength(blocks === 0 ? 2 : 1)
  if (blocks === 0) return
  expect((await again.confirmed()).confirmations).toBe(blocks)
  expect(await listPayments(journal)).toMatchObject([{ name: 'id rent', state: 'settled' }])
  // The inputs bring less than the outputs take, and the bytes do not show how much is a fee.
  const [entry] = await wallet.history()
  expect(entry?.operation).toBe('payment')
  expect(entry).not.toHaveProperty('fee')
})

/** A coin of a stranger's. Its lock time locks nothing, because every input is final. */
function foreignCoinOf(amount: bigint) {
  const [input] = decodeTransaction(coin).inputs
  return encodeTransaction({
    ...{ version: 1, overwintered: false, lockTime: 0xffffffff },
    inputs: [{ ...input!, txid: 'aa'.repeat(32), vout: 0 }],
    outputs: [{ value: amount, script: pubkeyHashScript(publicKeyOf(key)) }],
  })
}

test('a mined payment is settled although a coin of it has a lock time in the future', async () => {
  const world = chainOf(coin, lockTime + 10 * days, 14_400, [foreignCoinOf(100_000n)])
  expect(await world.pay('max')).toMatchObject({ status: 'accepted' })
  const { sent } = await world.settled()
  expect(decodeTransaction(sent).inputs).toHaveLength(2)
})

test('a large coin with a lock time in the future keeps no payment back', async () => {
  const world = chainOf(coin, lockTime + 10 * days, 14_400, [foreignCoinOf(1_000_000_000n)])
  expect(await world.pay('max')).toMatchObject({ status: 'accepted' })
  const { sent } = await world.settled()
  expect(decodeTransaction(sent).inputs).toMatchObject([{ txid: transactionId(coin) }])
})

test('a mined payment that never expires is settled weeks later', async () => {
  const world = chainOf(coinOf(shared), lockTime + days / 2, 720)
  expect(await world.submit({ expiryHeight: 0 })).toMatchObject({ status: 'accepted' })
  const { sent, claimed } = await world.settled(14 * 1440)
  expect(claimed).toBe(paidBy(sent) + 10_000n - value)
})

const komodoBlock = publicBlocks.find(({ chain }) => chain === 'komodo_mainnet')!
const otherBlock = publicBlocks.find(({ chain }) => chain !== 'komodo_mainnet')!

/** @param headers - the answer to the request for the block of KMD */
async function openedWithout(headers: () => Promise<readonly string[]>) {
  const source = recordedSource([{ hex: coin, height }], height + 14_400)
  const chain = { ...source, headers: async () => ({ headers: await headers(), sources: [] }) }
  const wallet = await createWallet({ signers: [privateKeySigner(key)], chain })
  return { wallet, sent: source.sent }
}

test('is not lost because the wallet has another network: it refuses to pay', async () => {
  const { wallet, sent } = await openedWithout(async () => [komodoBlock.header])
  const words = /^network: expected networks\.komodo, .* got assetChain$/
  await expect(wallet.pay({ to, amount: 1_000_000n })).rejects.toThrow(words)
  await expect(wallet.prepare.pay({ to, amount: 1_000_000n })).rejects.toThrow(words)
  await expect(wallet.merge()).rejects.toThrow(TypeError)
  expect((await wallet.balance()).total).toBe(value)
  expect(sent).toEqual([])
})

test.each([
  ['has another block there', async () => [otherBlock.header]],
  ['has no such block', async () => []],
  ['has headers of another form', async () => ['04']],
  [
    'refuses the question, or cannot be reached',
    async () => {
      throw new RpcError('transport', 'headers: 0 of 2 sources answered')
    },
  ],
])('a source that %s is paid through', async (_, headers) => {
  const { wallet, sent } = await openedWithout(headers)
  expect((await wallet.pay({ to, amount: 1_000_000n })).status).toBe('accepted')
  expect(sent).toHaveLength(1)
})

test('on a chain without rewards, nodes refuse a claimed reward, and the right network pays', async () => {
  const { node, alice, bob } = await fundedNode()
  node.fund(alice.address, 10_000_000_000n)
  node.mine(2)
  const journal = memoryJournal()
  const payBy = async (network: Network, id: string) => {
    const wallet = await openWallet(alice, devNodeChain(node, { network }), { network, journal })
    return wallet.pay({ to: bob.address, amount: 2_000_000_000n, id })
  }
  expect(await payBy(networks.komodo, 'first')).toMatchObject({ status: 'accepted' })
  // The change is a coin with a time, so by the rules of KMD it has a reward after an hour.
  for (let hours = 0; hours < 2; hours += 1) {
    node.advance(3600)
    node.mine(30)
  }
  await expect(payBy(networks.komodo, 'second')).rejects.toThrow('bad-txns-in-belowout')
  expect(await payBy(networks.assetChain, 'second')).toMatchObject({ status: 'accepted' })
  await node.close()
})
