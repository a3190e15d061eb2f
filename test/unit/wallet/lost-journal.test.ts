// Two devices with the same key, each with a journal of its own: a lost journal is the same to the
// wallet as that of another device.

import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { decodeTransaction, type Outpoint, transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import type { DevIdentity } from '../../../src/node/index.ts'
import { listPayments, RpcError } from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  createWallet,
  memoryJournal,
  privateKeySigner,
  quorum,
  type SendOptions,
  type Sent,
  type Wallet,
  type WalletSigner,
} from '../../../src/wallet/index.ts'
import { malleated } from '../../support/malleated.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const lost = new RpcError('transport', 'lost', { reason: 'connection_lost', uncertain: true })

/** A node, and wallets with the same key on it. */
async function devices() {
  const { node, alice, bob, chain } = await fundedNode({ further: 6 })
  const open = (journal = memoryJournal(), source: ChainSource = chain) =>
    openWallet(alice, source, { journal })
  const request = { to: bob.address, amount: 100_000n, id: 'invoice-17' }
  /** A page that is closed while it sends: nobody gets the transaction. */
  const closed = tampered(chain, { broadcast: () => Promise.reject(lost) })
  return { node, alice, bob, chain, closed, open, request }
}

/** A source without the coins that a transaction spends, so that another payment takes other coins. */
function withoutInputsOf(chain: ChainSource, hex: string): ChainSource {
  const { inputs } = decodeTransaction(hex)
  const isReserved = (it: Outpoint) =>
    inputs.some((input) => input.txid === it.txid && input.vout === it.vout)
  return tampered(chain, {
    unspent: async (...asked) => (await chain.unspent(...asked)).filter((it) => !isReserved(it)),
  })
}

describe('a journal that was lost', () => {
  test.each([
    ['waits for a block', 0],
    ['is in a block', 1],
    ['is in a block of another day', 1000],
  ])(
    'holds a payment that %s',
    async (_, mined) => {
      const { node, open, request } = await devices()
      const before = await open()
      const { txid } = await before.pay(request)
      node.mine(mined)
      const after = await open()
      const held = { status: 'held', held: 'unrecorded-spends', unrecorded: [txid] }
      expect(await after.pay(request)).toMatchObject(held)
      // A first payment of the new journal is no reason to forget it.
      expect(await after.pay({ ...request, amount: 90_000n, id: 'other' })).toMatchObject({
        status: 'accepted',
      })
      node.mine()
      expect(await after.pay(request)).toMatchObject(held)
      const acknowledged = [txid!]
      expect(await after.pay({ ...request, acknowledged })).toMatchObject(held)
      await node.close()
    },
    60_000,
  )

  test('holds a transfer and a payment of everything', async () => {
    const { node, bob, open } = await devices()
    const before = await open()
    const { tokenid = '' } = await before.createToken({ name: 'GOLD', supply: 1000n })
    node.mine()
    const transfer = { tokenid, to: bob.pubkey, amount: 300n, id: 'gold' }
    const { txid } = await before.transfer(transfer)
    node.mine()
    const held = { held: 'unrecorded-spends', unrecorded: [txid] }
    expect(await (await open()).transfer(transfer)).toMatchObject(held)
    const another = { ...transfer, amount: 200n }
    expect(await (await open()).transfer(another)).toMatchObject({ status: 'accepted' })
    node.mine()
    const all = { to: bob.address, amount: 'max', id: 'all' } as const
    const emptied = await before.pay({ ...all, acknowledged: await txidsOf(before) })
    expect(emptied.status).toBe('accepted')
    expect(await (await open()).pay(all)).toMatchObject({ unrecorded: [emptied.txid] })
    await node.close()
  })

  test('holds each step of an order, and names the transaction that made it', async () => {
    const { node, bob, chain, open } = await devices()
    const before = await open()
    const { tokenid = '' } = await before.createToken({ name: 'GOLD', supply: 1000n })
    node.mine()
    await before.transfer({ tokenid, to: bob.pubkey, amount: 300n })
    node.mine()
    const seller = await openWallet(bob, chain)
    const { txid: offered = '' } = await seller.ask({ tokenid, amount: 50n, price: 1000n })
    node.mine()
    const steps: Readonly<
      Record<string, (wallet: Wallet, options?: SendOptions) => Promise<Sent>>
    > = {
      ask: (wallet, more) => wallet.ask({ tokenid, amount: 100n, price: 500n, id: 'ask', ...more }),
      bid: (wallet, more) => wallet.bid({ tokenid, amount: 1n, price: 700n, id: 'bid', ...more }),
      fill: (wallet, more) => wallet.fill({ order: offered, amount: 9n, price: 1000n, ...more }),
      cancel: (wallet, more) => wallet.cancel({ order: made.get('ask')!, id: 'cancel', ...more }),
    }
    const made = new Map<string, string>()
    for (const [name, step] of Object.entries(steps)) {
      const { status, txid = '' } = await step(before)
      expect(status, name).toBe('accepted')
      made.set(name, txid)
      node.mine()
    }
    for (const [name, step] of Object.entries(steps)) {
      const after = await open()
      const unrecorded = [made.get(name)]
      const held = { held: 'unrecorded-spends', unrecorded, paidBy: unrecorded }
      expect(await step(after), name).toMatchObject(held)
      const [paidBy = ''] = unrecorded
      expect(await step(after, { paidBy }), name).toMatchObject({ txid: paidBy, repeated: true })
    }
    const another = { tokenid, amount: 100n, price: 501n, id: 'another' }
    expect(await (await open()).ask(another)).toMatchObject({ status: 'accepted' })
    await node.close()
  })

  test('holds no payment like one of an older week', async () => {
    const { node, chain, open, request } = await devices()
    const before = await open()
    await before.pay(request)
    node.mine(2)
    const after = await open()
    expect(await after.pay(request)).toMatchObject({ held: 'unrecorded-spends' })
    const inAWeek = await open(memoryJournal(), laterBy(chain, 10_080, 60))
    expect(await inAWeek.pay({ ...request, dryRun: true })).toMatchObject({ held: 'dry-run' })
    await node.close()
  })

  test.each([
    [20_000, 5, 'unrecorded-spends'],
    [120_000, 5, 'unrecorded-spends'],
    [11_000, 54, 'unrecorded-spends'],
    [300_000, 5, 'dry-run'],
    [11_000, 60, 'dry-run'],
    [9_000, 600, 'unrecorded-spends'],
  ])(
    'holds an equal payment of the last week: %i blocks of %i seconds later it is %s',
    async (blocks, seconds, held) => {
      const { node, chain, open, request } = await devices()
      const { txid } = await (await open()).pay(request)
      node.mine(2)
      const later = await open(memoryJournal(), laterBy(chain, blocks, seconds))
      const result = await later.pay({ ...request, dryRun: true })
      expect(result).toMatchObject({ held })
      if (held === 'unrecorded-spends') expect(result.unrecorded).toEqual([txid])
      await node.close()
    },
  )

  test('looks back by blocks alone if its source has no times of blocks', async () => {
    const { node, chain, open, request } = await devices()
    await (await open()).pay(request)
    node.mine(2)
    const later = laterBy(chain, 11_000, 5)
    const { headers: _, ...without } = later
    const otherForm = async () => ({ headers: ['00'.repeat(80)], sources: [] })
    for (const source of [without, quorum([without], 1), { ...later, headers: otherForm }]) {
      const wallet = await open(memoryJournal(), source)
      expect(await wallet.pay({ ...request, dryRun: true })).toMatchObject({ held: 'dry-run' })
    }
    await node.close()
  })

  test.each(['transport', 'timeout', 'daemon', 'shape'] as const)(
    'makes no payment if its source fails to give a time: %s',
    async (kind) => {
      const { node, chain, open, request } = await devices()
      const { txid } = await (await open()).pay(request)
      node.mine(2)
      const later = laterBy(chain, 20_000, 5)
      let isFailing = true
      const source = tampered(later, {
        headers: (...given) =>
          isFailing ? Promise.reject(new RpcError(kind, 'busy')) : later.headers!(...given),
      })
      const wallet = await open(memoryJournal(), source)
      await expect(wallet.pay(request)).rejects.toMatchObject({ kind })
      expect(await node.request('getrawmempool')).toEqual([])
      isFailing = false
      expect(await wallet.pay(request)).toMatchObject({ unrecorded: [txid] })
      await node.close()
    },
  )

  test('asks for the times of blocks once', async () => {
    const { node, chain, open, request } = await devices()
    node.mine(2)
    let asked = 0
    const later = laterBy(chain, 130_000, 5)
    const counted = tampered(later, {
      headers: (...given) => {
        asked += 1
        return later.headers!(...given)
      },
    })
    const wallet = await open(memoryJournal(), counted)
    await wallet.pay({ ...request, dryRun: true })
    const once = asked
    expect(once).toBeLessThan(8)
    await wallet.pay({ ...request, dryRun: true })
    expect(asked).toBe(once)
    await node.close()
  })
})

/** Puts blocks onto a chain, each some seconds after the one before. */
function laterBy(chain: ChainSource, blocks: number, seconds: number): ChainSource {
  const tip: ChainSource['tip'] = async (options) => {
    const { height, time } = await chain.tip(options)
    return { height: height + blocks, time: time + blocks * seconds }
  }
  return tampered(chain, {
    tip,
    async headers(start, count, options) {
      const { height, time } = await chain.tip(options)
      if (start <= height) return chain.headers!(start, count, options)
      const { headers, sources } = await chain.headers!(height, 1, options)
      const bytes = Buffer.from(headers[0]!, 'hex')
      bytes.writeUInt32LE(time + (start - height) * seconds, 100)
      return { headers: [bytes.toString('hex')], sources }
    },
  })
}

test('an empty journal holds what another one paid, until the journal has it', async () => {
  const { node, open, request } = await devices()
  const { txid } = await (await open()).pay(request)
  const held = { held: 'unrecorded-spends', unrecorded: [txid], paidBy: [txid] }
  // It waits for its block.
  expect(await (await open()).pay(request)).toMatchObject(held)
  node.mine()
  const journal = memoryJournal()
  const other = { ...request, amount: 110_000n, id: 'other' }
  expect(await (await open(journal)).pay(other)).toMatchObject({ status: 'accepted' })
  node.mine()
  // The journal has its own payment in a block, which is above that of the other one.
  const again = { ...request, id: 'rent again' }
  expect(await (await open(journal)).pay(again)).toMatchObject(held)
  const recorded = await (await open(journal)).pay({ ...request, paidBy: txid! })
  expect(recorded).toMatchObject({ status: 'accepted', txid, repeated: true })
  expect(await (await open(journal)).pay(again)).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('a payment that another device makes while this one builds is not made by both', async () => {
  const { node, chain, open, request } = await devices()
  const phone = await open()
  let txid: string | undefined
  const racing = tampered(chain, {
    broadcast: () => Promise.reject(lost),
    async history(...asked) {
      const listed = await chain.history(...asked)
      // The block comes after this look, and before the wallet reads its coins.
      if (txid === undefined) {
        txid = (await phone.pay(request)).txid
        node.mine()
      }
      return listed
    },
  })
  const journal = memoryJournal()
  expect((await (await open(journal, racing)).pay(request)).status).toBe('uncertain')
  const held = { status: 'uncertain', held: 'unrecorded-spends', paidBy: [txid] }
  const office = await open(journal)
  expect(await office.pay(request)).toMatchObject(held)
  expect(await office.resume()).toMatchObject([{ result: held }])
  await node.close()
})

test('many equal payments in a new journal are no reason to forget what the lost one paid', async () => {
  const { node, open, request } = await devices()
  const { txid } = await (await open()).pay(request)
  node.mine()
  const office = await open()
  for (let count = 0; count < 18; count += 1) {
    const sent = await office.pay({ to: request.to, amount: 70_000n, repeatMs: 0 })
    expect([count, sent.status]).toEqual([count, 'accepted'])
    node.mine()
  }
  const held = { held: 'unrecorded-spends', unrecorded: [txid], paidBy: [txid] }
  expect(await office.pay(request)).toMatchObject(held)
  await node.close()
}, 60_000)

test.each([
  ['that was asked for again', true],
  ['that nobody asked for again', false],
])('an id %s takes no payment of another id by a wrong paidBy', async (_, isAskedAgain) => {
  const { node, open, request } = await devices()
  const [phone, office] = [await open(), await open()]
  const one = { ...request, id: 'one' }
  const { txid: made } = await office.pay(one)
  node.mine()
  if (isAskedAgain) await office.resume()
  await phone.pay({ ...one, paidBy: made! })
  const { txid: paidBy = '' } = await phone.pay({ ...request, id: 'two' })
  node.mine()
  const repeated = { status: 'accepted', repeated: true }
  expect(await office.pay({ ...one, paidBy })).toMatchObject({ ...repeated, txid: made })
  const two = { ...request, id: 'two' }
  expect(await office.pay(two)).toMatchObject({ held: 'unrecorded-spends', paidBy: [paidBy] })
  expect(await office.pay({ ...two, paidBy })).toMatchObject({ ...repeated, txid: paidBy })
  await node.close()
})

test('the record of a paidBy names its chain, and one of another chain gets none', async () => {
  const { node, alice, chain, open, request } = await devices()
  const { txid: paidBy = '' } = await (await open()).pay(request)
  node.mine()
  const journal = memoryJournal()
  await (await open(journal)).pay({ ...request, paidBy })
  const { chain: recorded } = bookOf(journal).payment('id invoice-17')!
  expect(recorded).toBe(await chain.chain!())
  const records = (await journal.read(0)).length
  // Another chain does not have the transaction of this one.
  const { txid: there = '' } = await (await openWallet(alice, chain)).pay(request)
  const elsewhere = tampered(chain, {
    chain: async () => 'ab'.repeat(32),
    transactions: async (txids) =>
      (await chain.transactions(txids)).map((hex, at) => (txids[at] === paidBy ? undefined : hex)),
  })
  const other = (await open(journal, elsewhere)).pay({ ...request, paidBy: there })
  await expect(other).rejects.toMatchObject({ code: 'journal_chain' })
  expect((await journal.read(0)).length).toBe(records)
  await node.close()
})

/** A journal whose payment lost its answer, and an equal payment of other coins by another device. */
async function madeMeanwhile() {
  const { node, chain, closed, open, request } = await devices()
  const journal = memoryJournal()
  const uncertain = await (await open(journal, closed)).pay(request)
  expect(uncertain.status).toBe('uncertain')
  const { inputs } = decodeTransaction(uncertain.unsettled![0]!.hex)
  const isReserved = ({ txid, vout }: Outpoint) =>
    inputs.some((input) => input.txid === txid && input.vout === vout)
  const others = tampered(chain, {
    unspent: async (...asked) => (await chain.unspent(...asked)).filter((it) => !isReserved(it)),
  })
  const { status, txid: paidBy = '' } = await (await open(memoryJournal(), others)).pay(request)
  expect(status).toBe('accepted')
  return { node, chain, open, request, journal, inputs, isReserved, paidBy, ours: uncertain.txid! }
}

test('a payment that another device has made meanwhile is not sent again from the journal', async () => {
  const { node, open, request, journal, paidBy: txid, ours } = await madeMeanwhile()
  const wallet = await open(journal)
  const held = {
    ...{ status: 'uncertain', txid: ours, unsettled: [{ txid: ours }] },
    ...{ held: 'unrecorded-spends', unrecorded: [txid], paidBy: [txid] },
  }
  expect(await wallet.resume()).toMatchObject([{ result: held }])
  node.mine()
  expect(await wallet.resume()).toMatchObject([{ result: held }])
  expect(await wallet.pay(request)).toMatchObject(held)
  expect(await wallet.history({ limit: 1 })).toMatchObject([{ txid }])
  // Both are due, so the person records the other one, and has this one sent.
  const phones = { ...request, id: 'by phone', paidBy: txid }
  expect(await wallet.pay(phones)).toMatchObject({ status: 'accepted', repeated: true, txid })
  const both = await wallet.pay(request)
  expect(both).toMatchObject({ status: 'accepted', txid: ours })
  await node.close()
})

test.each(['a person decides', 'a device signs', 'a person decides about recorded bytes'])(
  'a payment that another device makes from other coins while %s is held',
  async (moment) => {
    const { node, alice, chain, closed, open, request } = await devices()
    let txid: string | undefined
    async function payElsewhere(hex: string): Promise<void> {
      txid = (await (await open(memoryJournal(), withoutInputsOf(chain, hex))).pay(request)).txid
      node.mine()
      await setTimeout(1100)
    }
    const quick = privateKeySigner(alice.wif)
    const slow: WalletSigner = {
      publicKey: quick.publicKey,
      async sign(hash, context) {
        await payElsewhere(context.case.hex)
        return quick.sign(hash, context)
      },
    }
    const journal = memoryJournal()
    if (moment.endsWith('bytes')) await (await open(journal, closed)).pay(request)
    const isSlow = moment === 'a device signs'
    const wallet = await createWallet({ signers: [isSlow ? slow : quick], chain, journal })
    const confirm = async ({ hex }: { readonly hex: string }) => {
      await payElsewhere(hex)
      return true
    }
    const held = await wallet.pay({ ...request, ...(!isSlow && { confirm }) })
    expect(txid).toBeDefined()
    expect(held).toMatchObject({ held: 'unrecorded-spends', unrecorded: [txid], paidBy: [txid] })
    await node.close()
  },
)

test('a payment that another device makes while the computer sleeps is held', async () => {
  const { node, chain, open, request } = await devices()
  const wallet = await open()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let txid: string | undefined
  async function confirm({ hex }: { readonly hex: string }): Promise<boolean> {
    txid = (await (await open(memoryJournal(), withoutInputsOf(chain, hex))).pay(request)).txid
    // A process measures no time while its computer sleeps, and the date goes on.
    vi.setSystemTime(Date.now() + 3_600_000)
    return true
  }
  const held = await wallet.pay({ ...request, confirm })
  expect(txid).toBeDefined()
  expect(held).toMatchObject({ held: 'unrecorded-spends', paidBy: [txid] })
  await node.close()
})

test('a payment that the device sends, and a person decides later, is recorded as made', async () => {
  const { node, open, request } = await devices()
  const journal = memoryJournal()
  const wallet = await open(journal)
  async function confirm({ hex }: { readonly hex: string }): Promise<boolean> {
    await node.request('sendrawtransaction', [hex])
    await setTimeout(1100)
    return true
  }
  const { status, txid } = await wallet.pay({ ...request, confirm })
  expect(status).toBe('accepted')
  expect(await listPayments(journal)).toMatchObject([{ attempts: [{ txid, state: 'accepted' }] }])
  expect(await node.request('getrawmempool', [])).toEqual([txid])
  await node.close()
})

test('recorded bytes that a person confirms late are sent beside a spend that was acknowledged', async () => {
  const { node, closed, open, request } = await devices()
  const journal = memoryJournal()
  await (await open(journal)).pay({ ...request, id: 'first', amount: 90_000n })
  node.mine()
  const other = await (await open()).pay({ ...request, id: 'other', amount: 80_000n })
  node.mine()
  const acknowledged = [other.txid!]
  const uncertain = await (await open(journal, closed)).pay({ ...request, acknowledged })
  expect(uncertain.status).toBe('uncertain')
  const confirm = async () => {
    await setTimeout(1100)
    return true
  }
  const sent = await (await open(journal)).pay({ ...request, confirm })
  expect(sent).toMatchObject({ status: 'accepted', txid: uncertain.txid })
  await node.close()
})

test('a payment that was made although an equal one was known is sent again from the journal', async () => {
  const { node, closed, open, request } = await devices()
  const { txid } = await (await open()).pay({ ...request, id: 'first' })
  node.mine()
  const journal = memoryJournal()
  const opened = await open(journal, closed)
  expect(await opened.pay({ ...request, id: 'first', paidBy: txid! })).toMatchObject({ txid })
  const uncertain = await opened.pay({ ...request, id: 'second' })
  expect(uncertain.status).toBe('uncertain')
  expect(await (await open(journal)).resume()).toMatchObject([
    { result: { status: 'accepted', repeated: true, txid } },
    { result: { status: 'accepted', txid: uncertain.txid } },
  ])
  await node.close()
})

test.each([
  ['waited for a block', 0],
  ['was in a block', 1],
])('a source that loses a recorded paidBy which %s gets no second payment', async (_, mined) => {
  const { node, chain, open, request, journal, paidBy, ours } = await madeMeanwhile()
  node.mine(mined)
  expect(await (await open(journal)).pay({ ...request, paidBy })).toMatchObject({ txid: paidBy })
  const losing = tampered(chain, {
    history: async (...asked) => (await chain.history(...asked)).filter((it) => it.txid !== paidBy),
    transactions: (txids, ...asked) =>
      chain.transactions(
        txids.map((it) => (it === paidBy ? '00'.repeat(32) : it)),
        ...asked,
      ),
  })
  const office = await open(journal, losing)
  const held = { held: 'different-inputs', unsettled: [{ txid: paidBy }, { txid: ours }] }
  expect(await office.pay(request)).toMatchObject(held)
  expect(await office.resume()).toMatchObject([{ result: held }])
  expect(await chain.transactions([ours])).toEqual([undefined])
  expect(await (await open(journal)).pay(request)).toMatchObject({ txid: paidBy, repeated: true })
  await node.close()
})

test.each([
  ['as it is after a reorganization', (hex: string) => hex],
  ['as a copy with other scriptSigs', malleated],
])('a recorded paidBy that is mined %s is one payment', async (_, minedAs) => {
  const { node, open, request } = await devices()
  const { txid: paidBy = '', report } = await (await open()).pay(request)
  node.mine()
  const journal = memoryJournal()
  await (await open(journal)).pay({ ...request, paidBy })
  node.reorg(1, { drop: [paidBy] })
  const sent = { status: 'accepted', txid: paidBy }
  expect(await (await open(journal)).resume()).toMatchObject([{ result: sent }])
  expect(await node.request('getrawmempool')).toEqual([paidBy])
  const hex = minedAs(report.hex)
  node.importTransactions([hex])
  node.mine()
  const made = { status: 'accepted', repeated: true, txid: transactionId(hex) }
  expect(await (await open(journal)).pay(request)).toMatchObject(made)
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

test('a payment that another program made at a higher fee is recorded as it is', async () => {
  const { node, open, request } = await devices()
  const dear = { ...request, fee: 60_000n, maxFee: 100_000n }
  const { txid: paidBy = '' } = await (await open()).pay(dear)
  node.mine()
  const office = await open()
  expect(await office.pay(request)).toMatchObject({ held: 'unrecorded-spends', paidBy: [paidBy] })
  const made = { status: 'accepted', txid: paidBy, repeated: true }
  expect(await office.pay({ ...request, paidBy })).toMatchObject(made)
  expect(await office.pay(request)).toMatchObject(made)
  await node.close()
})

test.each([
  ['at once', 1, 0],
  ['after it waited long for a block', 0, 1],
])('a paidBy without an id pays nothing, however late it is repeated: %s', async (_, one, two) => {
  const { node, open, request } = await devices()
  const unnamed = { to: request.to, amount: request.amount }
  const { txid: paidBy = '' } = await (await open()).pay(request)
  node.mine(one)
  const office = await open()
  const made = { status: 'accepted', txid: paidBy, repeated: true }
  expect(await office.pay({ ...unnamed, paidBy })).toMatchObject(made)
  node.mine(two)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
  try {
    for (let call = 0; call < 2; call += 1) {
      expect(await office.pay({ ...unnamed, paidBy })).toMatchObject(made)
    }
  } finally {
    vi.useRealTimers()
  }
  await node.close()
})

test('coins of an attempt beside the recorded payment are free once it has expired', async () => {
  const { node, open, request, journal, inputs, isReserved, paidBy } = await madeMeanwhile()
  node.mine()
  const office = await open(journal)
  expect(await office.pay({ ...request, paidBy })).toMatchObject({ status: 'accepted' })
  const spends = async () => {
    const all = { to: request.to, amount: 'max', id: 'all', dryRun: true } as const
    const { case: built } = await office.pay(all)
    return decodeTransaction(built!.hex).inputs.filter(isReserved).length
  }
  expect(await spends()).toBe(0)
  node.mine(202)
  // A reorganization of up to 100 blocks can still let a block have it.
  expect(await spends()).toBe(0)
  node.mine(100)
  expect(await spends()).toBe(inputs.length)
  await node.close()
}, 60_000)

test.each([
  ['one key', ({ wif }: DevIdentity) => ({ signers: [privateKeySigner(wif)] })],
  [
    'a keychain',
    ({ wif }: DevIdentity) => ({
      keychain: {
        async *keys() {
          yield privateKeySigner(wif)
        },
      },
    }),
  ],
])('asks for as much beside many equal payments as beside few, with %s', async (_, keysOf) => {
  const { node, alice, chain, open, request } = await devices()
  const before = await open()
  const requests = async () => {
    let asked = 0
    const counting =
      <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
      (...given: Given): Answer => {
        asked += 1
        return call(...given)
      }
    const counted: Partial<ChainSource> = {
      tip: counting(chain.tip),
      history: counting(chain.history),
      transactions: counting(chain.transactions),
    }
    const source = tampered(chain, counted)
    const after = await createWallet({ ...keysOf(alice), chain: source, journal: memoryJournal() })
    const { paidBy = [] } = await after.pay(request)
    return { paidBy, asked }
  }
  const made: string[] = []
  const pay = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      made.push((await before.pay({ ...request, id: `${made.length}` })).txid!)
      node.mine()
    }
  }
  await pay(2)
  const few = await requests()
  expect(few.paidBy).toEqual(made)
  await pay(18)
  const many = await requests()
  expect(many.paidBy).toEqual(made.slice(0, 16))
  expect(many.asked).toBe(few.asked)
  await node.close()
})

const txidsOf = async (wallet: Wallet) => (await wallet.history()).map(({ txid }) => txid)
