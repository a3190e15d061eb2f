// Servers that claim to have a payment which they kept to themselves: it has to be sent all the same.

import { describe, expect, test, vi } from 'vitest'

import {
  addressOf,
  buildPayment,
  type Case,
  networks,
  publicKeyOf,
  signCase,
} from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { createDevNode, type DevNode } from '../../../src/node/index.ts'
import { memoryJournal, RpcError } from '../../../src/rpc/index.ts'
import { decodeTransaction } from '../../../src/transaction/decode.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  privateKeySigner,
  quorum,
  type Sent,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { believedPlace } from '../../../src/wallet/places.ts'

const amount = 1_000_000n

async function world() {
  const node = await createDevNode({ listen: false, mine: 'manual' })
  const [alice, bob] = node.identities
  for (let count = 0; count < 3; count += 1) node.fund(bob.address, 50_000_000n)
  node.mine(110)
  return { node, alice, bob, real: devNodeChain(node) }
}

/** A source that takes a payment, sends it to nobody, and shows it. */
function keeping(real: ChainSource, claim: { height?: number } = {}): ChainSource {
  let kept: string | undefined
  const keptTxid = () => (kept === undefined ? undefined : decodeTransaction(kept).txid)
  return {
    ...real,
    name: 'keeping',
    async broadcast(hex) {
      kept = hex
      return keptTxid()!
    },
    async transactions(txids) {
      const others = await real.transactions(txids)
      return txids.map((txid, at) => (txid === keptTxid() ? kept : others[at]))
    },
    async history(scripts) {
      const listed = await real.history(scripts)
      const { height } = claim
      return kept === undefined || height === undefined
        ? listed
        : [...listed, { txid: keptTxid()!, height }]
    },
  }
}

/** Payments to alice that the chain has. */
async function minedPayments(node: DevNode, publicKey: string): Promise<number> {
  const watching = await createWallet({ publicKeys: [publicKey], chain: devNodeChain(node) })
  const entries = await watching.history({ limit: 1000 })
  return entries.filter(({ coins, height }) => coins <= -amount && height !== undefined).length
}

describe('a block that one server invents', () => {
  test.each([
    ['a block older than its coins', 0, 1, 1],
    ['the last block from before the payment', 111, 0, 50],
    ['the last block from before the payment, later deep', 111, 0, 120],
    ['a possible block, later deep', 112, 1, 120],
    ['a possible block, after the payment expired', 112, 1, 300],
  ])('does not end a payment: %s', async (_, claimed, after, later) => {
    const { node, alice, bob, real } = await world()
    await using _node = node
    const journal = memoryJournal()
    const signers = [privateKeySigner(bob.wif)]
    const request = { to: alice.address, amount, id: 'rent' }
    const start = node.height
    const height = claimed === 0 ? 1 : start + claimed - 111
    const false_ = await createWallet({ signers, chain: keeping(real, { height }), journal })
    await false_.pay(request)
    node.mine(after)
    await false_.pay(request)
    node.mine(later)
    const honest = await createWallet({ signers, chain: real, journal })
    expect(await honest.pay(request)).toMatchObject({ status: 'accepted' })
    node.mine()
    expect(await honest.pay(request)).toMatchObject({ status: 'accepted', repeated: true })
    expect(await minedPayments(node, bob.pubkey)).toBe(1)
  })

  test.each([
    ['a block older than its coins, as deep as requested', 1, 100, { id: 'rent' }],
    ['the last block from before the payment', 216, 1, { id: 'rent' }],
    ['that block, if the payment has no id', 216, 1, {}],
  ])('confirms no payment of this wallet: %s', async (_, height, confirmations, name) => {
    const { node, alice, real } = await world()
    await using _node = node
    const key = '7'.padStart(64, '0')
    node.fund(addressOf(publicKeyOf(key), networks.assetChain), 50_000_000n)
    node.mine(101)
    expect(node.height).toBe(216)
    const signers = [privateKeySigner(key)]
    const wallet = await createWallet({ signers, chain: keeping(real, { height }) })
    const sent = await wallet.pay({ to: alice.address, amount, ...name })
    const wait = { confirmations, pollMs: 1, signal: AbortSignal.timeout(200) }
    const waits = [sent.confirmed(wait), wallet.waitFor(sent.txid!, wait)]
    for (const wait of waits) await expect(wait).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('confirms no payment whose bytes the server keeps to itself', async () => {
    const { node, alice, bob, real } = await world()
    await using _node = node
    const payer = await createWallet({ signers: [privateKeySigner(bob.wif)], chain: real })
    const { txid = '' } = await payer.pay({ to: alice.address, amount })
    node.mine()
    let isHidden = true
    const chain: ChainSource = {
      ...real,
      transactions: async (txids) =>
        (await real.transactions(txids)).map((hex, at) =>
          isHidden && txids[at] === txid ? undefined : hex,
        ),
    }
    const payee = await createWallet({ signers: [privateKeySigner(alice.wif)], chain })
    const wait = () => payee.waitFor(txid, { pollMs: 1, signal: AbortSignal.timeout(200) })
    await expect(wait()).rejects.toMatchObject({ name: 'TimeoutError' })
    isHidden = false
    expect(await wait()).toMatchObject({ txid, confirmations: 1 })
  })

  test('a payment that is mined, and that the server hides once it is deep, is made once', async () => {
    const { node, alice, bob, real } = await world()
    await using _node = node
    const journal = memoryJournal()
    const signers = [privateKeySigner(bob.wif)]
    const request = { to: alice.address, amount, id: 'rent' }
    const honest = await createWallet({ signers, chain: real, journal })
    const { txid } = await honest.pay(request)
    node.mine()
    await honest.pay(request)
    node.mine(300)
    const refusal = new RpcError('daemon', 'refused', { code: -26 })
    for (const broadcast of [real.broadcast, async () => Promise.reject(refusal)]) {
      const hiding: ChainSource = {
        ...real,
        broadcast,
        history: async (scripts) =>
          (await real.history(scripts)).filter((entry) => entry.txid !== txid),
        transactions: async (txids) =>
          (await real.transactions(txids)).map((hex, at) => (txids[at] === txid ? undefined : hex)),
      }
      const wallet = await createWallet({ signers, chain: hiding, journal })
      await wallet.pay(request).catch((error) => error)
      node.mine()
    }
    expect(await honest.pay(request)).toMatchObject({ status: 'accepted', txid })
    node.mine()
    expect(await minedPayments(node, bob.pubkey)).toBe(1)
  })

  test.each([
    ['above the last block', 151, 150, {}, undefined],
    ['above its coins and the block at which it was made', 101, 150, {}, 101],
    ['at the block at which it was made', 100, 150, {}, undefined],
    ['at that block, and deep, as after a reorganization', 100, 200, {}, 100],
    ['at that block, while the source is behind it', 99, 99, {}, 99],
    ['below its coin', 101, 150, { coin: 102 }, undefined],
    ['in the block of its coin', 101, 150, { coin: 101 }, 101],
    ['above a coin that is in no block', 101, 150, { coin: 0 }, undefined],
  ])('counts a height as a block only if it is possible: %s', (_, height, tip, coins, expected) => {
    const inputs = ['coin', 'foreign'].map((txid) => ({ txid, vout: 0 }))
    const transaction = { txid: 'own', inputs, expiryHeight: 301 } as never
    const heights = new Map(Object.entries({ own: height, ...coins }))
    expect(believedPlace(transaction, heights, tip).height).toBe(expected)
  })
})

describe('a payment that others built, which expires after 282 blocks', () => {
  const key = '7'.padStart(64, '0')
  const own = publicKeyOf(key)

  async function built({ isLocked = false } = {}) {
    const { node, alice, real } = await world()
    const address = addressOf(own, networks.assetChain)
    const txid = node.fund(address, 50_000_000n)
    node.mine(101)
    const [hex] = await real.transactions([txid])
    const vout = decodeTransaction(hex!).outputs.findIndex(({ value }) => value === 50_000_000n)
    const made = buildPayment({
      recipients: [{ address: alice.address, amount }],
      own: [own],
      coins: [{ txid, vout }],
      previousTransactions: [hex!],
      tipHeight: node.height,
      expiryHeight: node.height + 282,
      ...(isLocked && { lockTime: node.height }),
    })
    return { node, alice, real, signed: { ...made, hex: signCase(made, [key]).hex } }
  }

  // 86 blocks on, the chain is above the last block at which the wallet itself would have made it.
  test.each([
    ['of its own', []],
    ['in which another program recorded it', [{ operation: 'payment' }]],
  ])('is confirmed at any depth to a payee with a journal %s', async (_, requests) => {
    const { node, alice, real, signed } = await built()
    await using _node = node
    const txid = await real.broadcast(signed.hex)
    const journal = memoryJournal()
    for (const request of requests) {
      const about = { kind: 'attempt', payment: 'terms x', terms: 'x', txid, hex: signed.hex }
      const at = new Date().toISOString()
      await journal.append(1, JSON.stringify({ ...about, request: JSON.stringify(request), at }))
    }
    const signers = [privateKeySigner(alice.wif)]
    const payee = await createWallet({ signers, chain: real, journal })
    for (const [more, confirmations] of [
      [1, 1],
      [85, 86],
      [15, 101],
    ] as const) {
      node.mine(more)
      const signal = AbortSignal.timeout(2000)
      expect(await payee.waitFor(txid, { signal })).toMatchObject({ txid, confirmations })
    }
  })

  test.each<[string, (wallet: Wallet, signed: Case) => Promise<Pick<Sent, 'txid'> | undefined>]>([
    ['submitted again', (wallet, signed) => wallet.submit(signed, { id: 'rent' })],
    ['resumed', async (wallet) => (await wallet.resume())[0]?.result],
  ])('is settled when a block has it and it is %s', async (_, again) => {
    const { node, real, signed } = await built()
    await using _node = node
    const journal = memoryJournal()
    const open = () => createWallet({ publicKeys: [own], chain: real, journal })
    const first = await (await open()).submit(signed, { id: 'rent' })
    const { txid } = first
    node.mine(86)
    expect(await again(await open(), signed)).toMatchObject({ repeated: true, txid })
    const { attempts = [] } = bookOf(journal).payment('id rent') ?? {}
    expect(attempts).toMatchObject([{ txid, fate: 'settled', height: node.height - 85 }])
    const confirmed = await first.confirmed({ signal: AbortSignal.timeout(2000) })
    expect(confirmed).toMatchObject({ txid, confirmations: 86 })
  })

  test('is settled if other software gave it the last block as its lock time', async () => {
    const { node, real, signed } = await built({ isLocked: true })
    await using _node = node
    expect(decodeTransaction(signed.hex).lockTime).toBe(node.height)
    const journal = memoryJournal()
    const wallet = await createWallet({ publicKeys: [own], chain: real, journal })
    const { lockTime: _, ...intent } = signed.intent
    const { status, txid } = await wallet.submit({ ...signed, intent }, { id: 'rent' })
    expect(status).toBe('accepted')
    node.mine()
    const [resumed] = await wallet.resume()
    expect(resumed?.result).toMatchObject({ status: 'accepted', repeated: true, txid })
    expect(bookOf(journal).payment('id rent')?.attempts).toMatchObject([{ fate: 'settled' }])
  })

  test('is settled by an equal payment that this wallet builds later', async () => {
    const { node, alice, real, signed } = await built()
    await using _node = node
    const journal = memoryJournal()
    const signers = [privateKeySigner(key)]
    const wallet = await createWallet({ signers, chain: real, journal })
    const { txid } = await wallet.submit(signed, { id: 'rent' })
    node.mine(86)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const next = await wallet.pay({ to: alice.address, amount })
    clock.mockRestore()
    expect(next.status).toBe('accepted')
    const { attempts = [] } = bookOf(journal).payment('id rent') ?? {}
    expect(attempts).toMatchObject([{ txid, fate: 'settled', height: node.height - 85 }])
  })
})

describe('a payment that one of three sources keeps to itself', () => {
  test.each([
    ['with a journal', true],
    ['in memory', false],
  ])('is sent again when the others take it: %s', async (_, hasJournal) => {
    const { node, alice, bob, real } = await world()
    await using _node = node
    let isFull = true
    const honest = ['a', 'b'].map(
      (name): ChainSource => ({
        ...real,
        name,
        async broadcast(hex) {
          if (isFull) throw new RpcError('daemon', 'mempool full', { code: -26 })
          return real.broadcast(hex)
        },
      }),
    )
    const chain = quorum([keeping(real), ...honest], 2)
    const signers = [privateKeySigner(bob.wif)]
    const journal = hasJournal ? { journal: memoryJournal() } : {}
    const wallet = await createWallet({ signers, chain, ...journal })
    const request = { to: alice.address, amount, id: 'rent' }
    for (let count = 0; count < 2; count += 1) {
      expect(await wallet.pay(request)).toMatchObject({ status: 'uncertain' })
    }
    isFull = false
    const sent = await wallet.pay(request)
    expect(sent).toMatchObject({ status: 'accepted', repeated: true })
    expect(await real.transactions([sent.txid!])).toEqual([expect.any(String)])
    node.mine()
    expect(await minedPayments(node, bob.pubkey)).toBe(1)
  })
})

test.each([
  ['says that it has it already', 'Transaction already in mempool', 'accepted'],
  ['refuses it', 'bad-txns', 'uncertain'],
])('a repeated payment has the right status if its only server %s', async (_, message, status) => {
  const { node, alice, bob, real } = await world()
  await using _node = node
  let isRefusing = false
  const chain = keeping(real)
  const { broadcast } = chain
  const refusing: ChainSource = {
    ...chain,
    async broadcast(hex) {
      if (isRefusing) throw new RpcError('daemon', message, { code: -26 })
      return broadcast(hex)
    },
  }
  const signers = [privateKeySigner(bob.wif)]
  const wallet = await createWallet({ signers, chain: refusing, journal: memoryJournal() })
  const request = { to: alice.address, amount, id: 'rent' }
  await wallet.pay(request)
  isRefusing = true
  expect(await wallet.pay(request)).toMatchObject({ status })
})
