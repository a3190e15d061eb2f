// The same payment under another name: by another command, or with an id the second time.

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { createDevNode, type DevNode } from '../../../src/node/index.ts'
import {
  createDaemonClient,
  createToken,
  type DaemonClient,
  payCoins,
  RpcError,
  resumePayments,
  tradeToken,
  transferToken,
} from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  devNodeChain,
  memoryJournal,
  type Sent,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { openWallet } from './support.ts'

let node: DevNode
let daemon: DaemonClient
let wallet: Wallet
let journal = memoryJournal()
let tokenid = ''
let names = 0
/** A new journal holds a payment that equals one of the journal before, so each has other amounts. */
let round = 0n

const people = () => {
  const [alice, bob] = node.identities
  return { alice: alice!, bob: bob! }
}
/** Another journal, with another id for each payment of the preparation. */
async function begin() {
  round += 1n
  journal = memoryJournal()
  wallet = await openWallet(people().alice, devNodeChain(node), { journal })
}

beforeAll(async () => {
  node = await createDevNode({ identities: 2, mine: 'manual' })
  const { alice } = people()
  for (let coin = 0; coin < 30; coin += 1) node.fund(alice.address, 5_000_000n)
  node.mine(101)
  daemon = createDaemonClient(alice)
  await begin()
  for (let coin = 0; coin < 6; coin += 1) {
    const made = await wallet.createToken({ name: 'Gold', supply: 1000n, id: `gold ${names++}` })
    tokenid = made.tokenid!
    node.mine()
  }
}, 60_000)
afterAll(() => node.close())

describe('a payment without an id, repeated by another command after a block', () => {
  type Outcome = Pick<Sent, 'txid' | 'held' | 'unsettled'>
  const made: Readonly<Record<string, readonly [() => Promise<Outcome>, () => Promise<Outcome>]>> =
    {
      'a transfer of tokens': [
        () =>
          transferToken(
            daemon,
            {
              tokenid,
              from: people().alice.pubkey,
              destination: people().bob.pubkey,
              amount: 3n + round,
            },
            { journal },
          ),
        () => wallet.transfer({ tokenid, to: people().bob.pubkey, amount: 3n + round }),
      ],
      'a creation': [
        () =>
          createToken(
            daemon,
            { owner: people().alice.pubkey, name: 'Silver', supply: 10n + round, description: '' },
            { journal },
          ),
        () => wallet.createToken({ name: 'Silver', supply: 10n + round }),
      ],
      'an offer': [
        () =>
          tradeToken(
            daemon,
            { kind: 'ask', tokenid, from: people().alice.pubkey, units: 2n, price: 20_000n },
            { journal },
          ),
        () => wallet.ask({ tokenid, amount: 2n, price: 10_000n }),
      ],
      'a payment in coins': [
        () =>
          payCoins(
            daemon,
            {
              from: people().alice.pubkey,
              recipients: [{ address: people().bob.address, amount: 77_000n + round }],
            },
            { journal },
          ),
        () => wallet.pay({ to: people().bob.address, amount: 77_000n + round }),
      ],
    }
  const rows = Object.entries(made).flatMap(([name, [flow, own]]) => [
    [name, 'the wallet', flow, own] as const,
    [name, 'the daemon', own, flow] as const,
  ])

  test.each(rows)('is not paid twice: %s, by %s the second time', async (_, _by, first, second) => {
    // A new journal would find the payment of the row before.
    const before = node.snapshot()
    onTestFinished(() => node.revert(before))
    await begin()
    const { txid } = await first()
    expect(txid).toBeDefined()
    node.mine()
    const again = await second()
    if (again.held === undefined) {
      // It spends a coin of the first one, or is the same transaction: both cannot be mined.
      expect(again.txid).toBe(txid)
    } else {
      expect(again).toMatchObject({ held: 'different-inputs', unsettled: [{ txid }] })
    }
  })
})

const hour = 3_600_000
async function later<T>(work: () => Promise<T>, ms = hour): Promise<T> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ms)
  try {
    return await work()
  } finally {
    clock.mockRestore()
  }
}

test('a payment that was mined long ago holds no equal one with an id', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 55_000n }
  const { txid } = await wallet.pay(request)
  node.mine()
  // Within ten minutes, the id may have been added to a repeated call.
  expect(await wallet.pay({ ...request, id: 'soon' })).toMatchObject({
    held: 'different-inputs',
    unsettled: [{ txid }],
  })
  expect(await later(() => wallet.pay({ ...request, id: 'later' }))).toMatchObject({
    status: 'accepted',
  })
})

test('a mined payment by a clock that was a year ahead holds no equal one', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 53_000n }
  const { txid } = await later(() => wallet.pay(request), 365 * 24 * hour)
  expect(await wallet.pay({ ...request, id: 'soon' })).toMatchObject({
    held: 'different-inputs',
    unsettled: [{ txid }],
  })
  node.mine()
  expect(await wallet.pay({ ...request, id: 'soon' })).toMatchObject({ status: 'accepted' })
  node.mine()
})

test('a payment that only the memory of a client has holds no equal one, once it is made', async () => {
  const recipients = [{ address: people().bob.address, amount: 52_000n }]
  const request = { from: people().alice.pubkey, recipients }
  const client = createDaemonClient(people().alice)
  const named = await payCoins(client, request, { id: 'named' })
  node.mine()
  const other = await payCoins(client, request)
  expect(other.held).toBeUndefined()
  expect(new Set([named.txid, other.txid, undefined]).size).toBe(3)
  node.mine()
})

test('a payment that was resumed holds an equal one with an id for ten minutes', async () => {
  await begin()
  const recipients = [{ address: people().bob.address, amount: 54_000n }]
  const request = { from: people().alice.pubkey, recipients }
  const { txid } = await payCoins(daemon, request, { journal })
  node.mine()
  await resumePayments(daemon, { journal })
  expect(bookOf(journal).unsettled()).toEqual([])
  const soon = await payCoins(daemon, request, { journal, id: 'soon' })
  expect(soon).toMatchObject({ held: 'different-inputs', unsettled: [{ txid }] })
  // An equal one without an id follows the first, which is one of its past attempts then.
  const other = await later(() => payCoins(daemon, request, { journal }))
  expect(other.held).toBeUndefined()
  node.mine()
  await later(() => resumePayments(daemon, { journal }))
  const two = await payCoins(daemon, request, { journal, id: 'soon' })
  expect(two).toMatchObject({
    held: 'different-inputs',
    unsettled: [{ txid }, { txid: other.txid }],
  })
})

test('an older payment that no block has still holds an equal one', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 56_000n }
  const { txid } = await wallet.pay(request)
  const held = await later(() => wallet.pay({ ...request, id: 'later' }))
  expect(held).toMatchObject({ held: 'different-inputs', unsettled: [{ txid }] })
  await expect(held.confirmed()).rejects.toThrow(`different-inputs; sent before: ${txid}`)
  node.mine()
})

test('a server that refuses an older payment again leaves the new one unpaid and certain', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 59_000n }
  const { txid } = await wallet.pay(request)
  const stubborn = await openWallet(
    people().alice,
    {
      ...devNodeChain(node),
      async broadcast() {
        throw new RpcError('daemon', 'min relay fee not met', { code: -26 })
      },
    },
    { journal },
  )
  const held = await later(() => stubborn.pay({ ...request, id: 'later' }))
  expect(held).toMatchObject({
    status: 'held',
    held: 'different-inputs',
    unsettled: [{ txid }],
  })
  expect(held.txid).toBeUndefined()
  expect(bookOf(journal).payment('id later')).toBeUndefined()
  node.mine()
})

test('a handed-over transaction that its program sent holds an equal payment until it is old', async () => {
  await begin()
  const [from, destination] = [people().alice.pubkey, people().bob.pubkey]
  const request = { tokenid, from, destination, amount: 4n }
  const { txid } = await transferToken(daemon, request, { journal })
  const { kind, ...record } = JSON.parse((await journal.read(0))[0]!)
  expect(kind).toBe('attempt')
  // A guard that the program did not send it through knows no more than this.
  journal = memoryJournal()
  await journal.append(1, JSON.stringify({ kind: 'handed-over', ...record }))
  node.mine()
  expect(await transferToken(daemon, request, { journal, id: 'soon' })).toMatchObject({
    held: 'different-inputs',
    unsettled: [{ txid }],
  })
  const paid = await later(() => transferToken(daemon, request, { journal, id: 'later' }))
  expect(paid.held).toBeUndefined()
  expect(paid.txid).not.toBe(txid)
  expect(bookOf(journal).payment(record.payment)!.attempts).toMatchObject([
    { txid, fate: 'settled' },
  ])
  node.mine()
})

test('an older payment whose outcome nobody knows holds an equal one, mined or not', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 57_000n }
  const chain = devNodeChain(node)
  const lost = await openWallet(
    people().alice,
    {
      ...chain,
      async broadcast(hex) {
        await chain.broadcast(hex)
        throw new Error('lost')
      },
    },
    { journal },
  )
  const { status, txid } = await lost.pay(request)
  expect(status).toBe('uncertain')
  node.mine()
  expect(await later(() => wallet.pay({ ...request, id: 'later' }))).toMatchObject({
    held: 'different-inputs',
    unsettled: [{ txid }],
  })
})

test('an equal payment on another chain holds nothing', async () => {
  await begin()
  const request = { to: people().bob.address, amount: 58_000n }
  const elsewhere: ChainSource = {
    ...devNodeChain(node),
    chain: async () => 'ab'.repeat(32),
    broadcast: async (hex) => transactionId(hex),
  }
  const other = await openWallet(people().alice, elsewhere, { journal })
  await other.pay(request)
  expect(await wallet.pay({ ...request, id: 'here' })).toMatchObject({ status: 'accepted' })
  node.mine()
})

test('a clock without a time is a typed error, and nothing is recorded or sent', async () => {
  await begin()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Number.NaN)
  const paid = wallet.pay({ to: people().bob.address, amount: 60_000n })
  await expect(paid).rejects.toMatchObject({ code: 'journal_failed', context: { path: 'clock' } })
  clock.mockRestore()
  expect(await journal.read(0)).toEqual([])
})

test('a refused payment whose coin is spent otherwise is named where it holds the next attempt', async () => {
  await using node = await createDevNode({ mine: 'manual', listen: false })
  const [alice, bob] = node.identities
  for (let coin = 0; coin < 3; coin += 1) node.fund(alice.address, 5_000_000n)
  node.mine(101)
  const chain = devNodeChain(node)
  const other = await openWallet(alice, chain, { journal: memoryJournal() })
  // The server of this device does not show yet what the other device has sent.
  const scripts = other.addresses().flatMap((it) => it.scripts)
  const before = { unspent: await chain.unspent(scripts), history: await chain.history(scripts) }
  let isBehind = true
  const lagging = {
    ...chain,
    unspent: async () => (isBehind ? before.unspent : await chain.unspent(scripts)),
    history: async () => (isBehind ? before.history : await chain.history(scripts)),
  }
  const wallet = await openWallet(alice, lagging, { journal: memoryJournal() })
  await other.pay({ to: bob.address, amount: 100_000n, id: 'of the other device' })
  const request = { to: bob.address, amount: 200_000n, id: 'of this device' }
  await expect(wallet.pay(request)).rejects.toMatchObject({ kind: 'daemon' })
  isBehind = false
  node.mine()
  const held = await wallet.pay(request)
  expect(held).toMatchObject({ held: 'different-inputs', unsettled: [{}] })
  const [{ lost, name } = {}] = await wallet.resume()
  expect([name, lost?.reason, lost?.txid]).toEqual([
    'id of this device',
    'conflicted',
    held.unsettled?.[0]?.txid,
  ])
})
