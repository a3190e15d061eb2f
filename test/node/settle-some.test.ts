// Later calls look for payments that nobody asks for again. These tests hold which ones they look
// for, which daemon is believed, and what happens beside a call that works on one of them.

import { beforeEach, expect, test } from 'vitest'
import { decodeTransaction, transactionId } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  type DaemonClient,
  type Journal,
  listPayments,
  memoryJournal,
  payCoins,
  type SafeFlowOptions,
} from '../../src/rpc/index.ts'
import { tamperedClient } from './support/tampered-client.ts'

let node: DevNode
let journal: Journal

beforeEach(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
  for (let count = 0; count < 40; count += 1) node.fund(node.identities[0]!.address, 50_000_000n)
  node.mine(101)
  journal = memoryJournal()
  return () => node.close()
})

const client = () => tamperedClient(node, () => undefined)

/** A client of a daemon that claims each broadcast, and sends nothing. */
const keeping = () =>
  tamperedClient(node, ({ method, params }) =>
    method === 'sendrawtransaction' ? transactionId(String(params[0])) : undefined,
  )

/** A client of a daemon of another chain, which claims that its blocks have every transaction. */
const other = () =>
  tamperedClient(node, async ({ method, params }) => {
    if (method === 'getblockhash' && params[0] === 1) return 'cd'.repeat(32)
    if (method !== 'getrawtransaction' || params[1] !== 1) return undefined
    const seen = (await node.request('getrawtransaction', [params[0]!, 1])) as object
    return { ...seen, confirmations: 3, rawconfirmations: 3, height: 99 }
  })

function pay(amount: number, options: SafeFlowOptions = {}, by: DaemonClient = client()) {
  const [payer, payee] = node.identities
  const recipients = [{ address: payee!.address, amount: BigInt(amount) }]
  return payCoins(by, { recipients, from: payer!.pubkey }, { journal, ...options })
}

async function payMany(count: number, first: number, by?: DaemonClient): Promise<void> {
  for (let at = 0; at < count; at += 1) await pay(first + at, { id: `${first + at}` }, by)
}

const stateOf = async (id: string) =>
  (await listPayments(journal)).filter((it) => it.id === id).map(({ state }) => state)

/** Lets the wallet of the node spend what a transaction spends no more. */
const lock = (hex: string) =>
  node.request('lockunspent', [
    false,
    decodeTransaction(hex).inputs.map(({ txid, vout }) => ({ txid, vout })),
  ])

test('those that are never mined do not keep the others from being settled', async () => {
  for (let at = 0; at < 6; at += 1) {
    const { report } = await pay(1_000_000 + at, { id: `kept ${at}` }, keeping())
    await lock(report.hex)
  }
  await payMany(10, 2_000_000)
  node.mine(1)
  await payMany(15, 3_000_000)
  const states = (await listPayments(journal)).map(({ state }) => state)
  expect(states).toHaveLength(31)
  expect(states.filter((it) => it === 'settled').length).toBeGreaterThan(2)
})

test('a daemon of another chain is not believed that its blocks have them', async () => {
  const amounts = Array.from({ length: 16 }, (_, at) => 3_000_000 + at)
  const made: (string | undefined)[] = []
  for (const amount of amounts) made.push((await pay(amount, { repeatMs: 0 })).txid)
  await payMany(6, 1_000, other())
  for (const [at, amount] of amounts.entries()) {
    // They wait for a block, so the same request is the same payment.
    const again = await pay(amount, { repeatMs: 0 })
    expect(again).toMatchObject({ txid: made[at], repeated: true })
  }
})

test('a daemon of another chain than the named one settles none that an early version recorded', async () => {
  const store = memoryJournal()
  for (let at = 0; at < 16; at += 1) {
    await pay(3_000_000 + at, { id: `${at}`, journal: store })
  }
  for (const [at, text] of (await store.read(0)).entries()) {
    // An early version recorded no chain.
    const { chain: _, ...record } = JSON.parse(text)
    await journal.append(at + 1, JSON.stringify(record))
  }
  const firstBlock = String(await node.request('getblockhash', [1]))
  await expect(pay(1_000, { firstBlock }, other())).rejects.toThrow(/another chain than firstBlock/)
  const states = (await listPayments(journal)).map(({ state }) => state)
  expect(states.filter((it) => it === 'settled')).toEqual([])
})

test('one is settled if a block has the later one of its attempts', async () => {
  const { txid: first, report } = await pay(1_000_000, { id: 'replaced' }, keeping())
  node.mine(1)
  let isRefused = false
  const refusing = tamperedClient(node, ({ method, params }) => {
    if (method !== 'sendrawtransaction' || params[0] !== report.hex) return undefined
    isRefused = true
    params[0] = '00'
    return undefined
  })
  const { txid } = await pay(1_000_000, { id: 'replaced' }, refusing)
  expect(isRefused).toBe(true)
  expect(txid).not.toBe(first)
  node.mine(1)
  await payMany(30, 2_000_000)
  expect(await stateOf('replaced')).toEqual(['settled'])
})

test('one is left alone while its own call waits, although its id has two requests', async () => {
  await pay(1_000_000, { id: 'a' })
  // Two processes of an earlier version could record both in one store at once.
  const store = memoryJournal()
  const { txid, report } = await pay(2_000_000, { id: 'x', journal: store }, keeping())
  await lock(report.hex)
  for (const text of await store.read(0)) {
    const record = { ...JSON.parse(text), payment: 'id a', id: 'a' }
    await journal.append((await journal.read(0)).length + 1, JSON.stringify(record))
  }
  await payMany(14, 3_000_000)
  const again = await pay(2_000_000, {
    id: 'a',
    async confirm() {
      await node.request('sendrawtransaction', [report.hex])
      // A block has it while the person decides, and other calls look for it.
      node.mine(1)
      await payMany(20, 4_000_000)
      return true
    },
  })
  expect(again).toMatchObject({ txid })
  expect(again.held).toBeUndefined()
})
