// Spends that an old copy of a journal does not have hold a payment. A journal forgets the oldest of
// many payments with the same terms, and those hold nothing.

import { expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signTransaction,
} from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { createDevNode, type DevIdentity } from '../../../src/node/index.ts'
import {
  type ChainSource,
  devNodeChain,
  type HistoryEntry,
  type Journal,
  memoryJournal,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { lookedBack } from '../../../src/wallet/unrecorded.ts'
import { shortenByClock } from '../../support/shortened-journal.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

test('the oldest of many payments with the same terms hold no later one, nor after a compaction', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 99_000n, id: 'first' })
  node.mine()
  await wallet.resume()
  const request = { to: bob.address, amount: 70_000n, repeatMs: 0 }
  const txids: string[] = []
  for (let count = 0; count < 19; count += 1) {
    const { txid, held } = await wallet.pay(request)
    expect([count, held]).toEqual([count, undefined])
    txids.push(txid!)
    node.mine()
  }
  const oldest = txids.slice(0, 2)
  const texts = (await journal.read(0)).filter((text) => !oldest.some((it) => text.includes(it)))
  const compacted = memoryJournal()
  for (const [index, text] of texts.entries()) await compacted.append(index + 1, text)
  const later = await openWallet(alice, chain, { journal: compacted })
  expect(await later.pay({ ...request, amount: 80_000n })).toMatchObject({ status: 'accepted' })
  node.mine()
  expect(await later.pay(request)).toMatchObject({ status: 'accepted' })
  await node.close()
}, 60_000)

/** The same journal as it is now. */
async function copyOf(journal: Journal): Promise<Journal> {
  const copy = memoryJournal()
  for (const [index, text] of (await journal.read(0)).entries()) await copy.append(index + 1, text)
  return copy
}

test('an old copy of a journal holds, although no payment was asked for again', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 6 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const pay = async (by: Wallet, id: string) => {
    const sent = await by.pay({ to: bob.address, amount: 100_000n, id })
    node.mine()
    if (sent.txid !== undefined) await sent.confirmed()
    return sent
  }
  for (const id of ['a', 'b']) await pay(wallet, id)
  const copy = await copyOf(journal)
  const { txid } = await pay(wallet, 'd')
  const restored = await openWallet(alice, chain, { journal: copy })
  const held = { status: 'held', held: 'unrecorded-spends', unrecorded: [txid] }
  expect(await pay(restored, 'd')).toMatchObject(held)
  // The journal that has all of them is not held.
  expect(await pay(wallet, 'e')).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('a spend that waits for a block holds each payment of an old copy', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 6 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const request = { to: bob.address, amount: 100_000n }
  await wallet.pay({ ...request, id: 'a' })
  node.mine()
  const copy = await copyOf(journal)
  const { txid } = await wallet.pay({ ...request, id: 'b' })
  const restored = await openWallet(alice, chain, { journal: copy })
  const other = await restored.pay({ ...request, amount: 110_000n, id: 'c' })
  expect(other).toMatchObject({ held: 'unrecorded-spends', unrecorded: [txid] })
  expect(await node.request('getrawmempool')).toEqual([txid])
  await node.close()
})

/**
 * The data of a stake: 77 and a merkle root.
 *
 * @see komodo src/komodo_bitcoind.cpp, EncodeStakingOpRet
 */
const stakeData = `6a214d${'ab'.repeat(32)}`

interface Returned {
  readonly fee?: bigint
  readonly data?: string
  /** Satoshis that another script gets. */
  readonly paid?: bigint
}

/** Spends a coin back to its own script, as the staking of a daemon with the same key does. */
async function returned(
  wallet: Wallet,
  chain: ChainSource,
  { wif }: DevIdentity,
  { fee = 0n, data = stakeData, paid = 0n }: Returned,
): Promise<string> {
  const { txid, vout } = (await wallet.coins()).find(({ height }) => height > 0)!
  const [hex] = await chain.transactions([txid])
  const { value, script } = decodeTransaction(hex!).outputs[vout]!
  const unsigned = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid, vout, scriptSig: '', sequence: 0xffffffff }],
    lockTime: 0,
    outputs: [
      { value: value - fee - paid, script },
      ...(paid > 0n ? [{ value: paid, script: `76a914${'cd'.repeat(20)}88ac` }] : []),
      { value: 0n, script: data },
    ],
  })
  return signTransaction(unsigned, [wif], [{ value, script }]).hex
}

test.each([
  ['is a stake', {}, undefined],
  ['is a stake, of which -splitperc gives a third to the miner', { fee: 1_666_667n }, undefined],
  ['is a stake, of which the miner gets all', { fee: 5_000_000n }, undefined],
  ['has other data', { fee: 10_000n, data: '6a026464' }, 'unrecorded-spends'],
  ['has longer data', { data: `6a224d${'ab'.repeat(33)}` }, 'unrecorded-spends'],
  ['also pays another', { paid: 10_000n }, 'unrecorded-spends'],
])('a spend back to its own script that %s holds: %s', async (_, form, held) => {
  const { node, alice, bob, chain } = await fundedNode({ further: 6 })
  const wallet = await openWallet(alice, chain, { journal: memoryJournal() })
  for (const id of ['a', 'b']) {
    await wallet.pay({ to: bob.address, amount: 100_000n, id })
    node.mine()
  }
  const hex = await returned(wallet, chain, alice, form)
  await node.request('sendrawtransaction', [hex, true])
  const staked = async () => ((await node.request('getrawmempool')) as string[]).length
  expect(await staked()).toBe(1)
  for (const id of ['c', 'd']) {
    const sent = await wallet.pay({ to: bob.address, amount: 90_000n, id })
    expect([id, sent.held]).toEqual([id, held])
    node.mine()
  }
  await node.close()
})

test('a false low height holds for as long as the source says so', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 6 })
  const before = await openWallet(alice, chain, { journal: memoryJournal() })
  await before.pay({ to: bob.address, amount: 90_000n, id: 'before' })
  node.mine()
  const journal = memoryJournal()
  let isFalse = true
  const history: typeof chain.history = async (scripts, options) => {
    const entries = await chain.history(scripts, options)
    const known = (await journal.read(0)).join()
    const height = (it: HistoryEntry) => (isFalse && known.includes(it.txid) ? 1 : it.height)
    return entries.map((it) => ({ ...it, height: height(it) }))
  }
  const wallet = await openWallet(alice, tampered(chain, { history }), { journal })
  await wallet.pay({ to: bob.address, amount: 100_000n, id: 'a' })
  node.mine()
  await wallet.resume()
  const next = { to: bob.address, amount: 110_000n, id: 'b' }
  expect(await wallet.pay(next)).toMatchObject({ held: 'unrecorded-spends' })
  isFalse = false
  expect(await wallet.pay(next)).toMatchObject({ status: 'accepted' })
  await node.close()
})

test.each([
  [
    'a height that no block has yet, in a shortened journal, lets no payment pass',
    { above: 2_000_000_000, result: { held: 'unrecorded-spends' } },
  ],
  [
    'the last payment of the history, if a shortened journal has forgotten it, holds no other one',
    { above: 0, result: { status: 'accepted' } },
  ],
])('%s', async (_, { above, result }) => {
  const { node, alice, bob, chain } = await fundedNode({ further: 4 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 90_000n, id: 'first' })
  node.mine()
  const second = await openWallet(alice, chain, { journal: memoryJournal() })
  await second.pay({ to: bob.address, amount: 95_000n, id: 'of another journal' })
  node.mine()
  const height = (await chain.tip()).height + above
  const book = bookOf(journal)
  const about = { payment: '', at: new Date().toISOString(), chain: (await chain.chain!())! }
  await book.append({ kind: 'forgotten', ...about, height }, book.next)
  const next = { to: bob.address, amount: 80_000n, id: 'next' }
  expect(await wallet.pay(next)).toMatchObject(result)
  await node.close()
})

test('payments that a shortened journal has forgotten hold no later one', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 10 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 90_000n, id: 'first' })
  node.mine()
  const settled: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const { txid } = await wallet.pay({ to: bob.address, amount: 70_000n, repeatMs: 0 })
    settled.push(txid!)
    node.mine()
  }
  const { height } = await chain.tip()
  // The third payment is just below the blocks whose payments keep their records.
  await shortenByClock(journal, (await chain.chain!())!, height - 2 + lookedBack.blocks)
  const texts = (await journal.read(0)).join()
  expect(settled.map((txid) => texts.includes(txid))).toEqual([false, false, false, true, true])
  const next = { to: bob.address, amount: 80_000n, id: 'next' }
  expect(await wallet.pay(next)).toMatchObject({ status: 'accepted' })
  const equal = { to: bob.address, amount: 70_000n, repeatMs: 0 }
  expect(await wallet.pay(equal)).toMatchObject({ status: 'accepted', txid: expect.any(String) })
  await node.close()
})

test('a payment of another machine holds an equal one after a clock was ahead', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 4 })
  const equal = { to: bob.address, amount: 70_000n }
  const other = await openWallet(alice, chain, { journal: memoryJournal() })
  const { txid } = await other.pay(equal)
  node.mine()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 90_000n })
  node.mine()
  await wallet.resume()
  const { height } = await chain.tip()
  await shortenByClock(journal, (await chain.chain!())!, height + lookedBack.blocks - 1)
  expect(await wallet.pay(equal)).toMatchObject({ held: 'unrecorded-spends', unrecorded: [txid] })
  await node.close()
})

test('a payment that an earlier version has dropped from its journal holds no other one', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 4 })
  const before = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal: before })
  const { txid } = await wallet.pay({ to: bob.address, amount: 90_000n, id: 'first' })
  node.mine()
  await wallet.pay({ to: bob.address, amount: 70_000n })
  node.mine()
  const { payment, terms, id, at } = JSON.parse((await before.read(0))[0]!)
  // Until 2026-11-27, compaction wrote no height up to which it dropped payments without an id.
  const journal = memoryJournal()
  await journal.append(1, JSON.stringify({ kind: 'tombstone', payment, terms, id, txid, at }))
  const upgraded = await openWallet(alice, chain, { journal })
  const next = { to: bob.address, amount: 80_000n, id: 'next' }
  expect(await upgraded.pay(next)).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('the journal begins at a payment of a block, although the history lacks it', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 4 })
  const second = await openWallet(alice, chain, { journal: memoryJournal() })
  const { txid } = await second.pay({ to: bob.address, amount: 95_000n })
  node.mine()
  const journal = memoryJournal()
  const book = bookOf(journal)
  const about = { payment: 'id first', txid: 'ab'.repeat(32), at: new Date().toISOString() }
  const record = { ...about, id: 'first', terms: 'first', request: '{}', hex: '00' }
  await book.append({ kind: 'attempt', ...record }, book.next)
  await book.note({ kind: 'settled', ...about, height: 1 })
  const wallet = await openWallet(alice, chain, { journal })
  const next = { to: bob.address, amount: 80_000n, id: 'next' }
  expect(await wallet.pay(next)).toMatchObject({ held: 'unrecorded-spends', unrecorded: [txid] })
  await node.close()
})

const another = publicKeyOf('7'.padStart(64, '0'))

/** A journal of one payment, and two more that it lacks because it is an old copy. */
async function restoredCopy() {
  const { node, alice, bob, chain } = await fundedNode({ further: 8 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const pay = async (by: Wallet, id: string, options: object = {}) => {
    const sent = await by.pay({ to: bob.address, amount: 100_000n, id, ...options })
    node.mine()
    if (sent.status === 'accepted') await sent.confirmed()
    return sent
  }
  await pay(wallet, 'a')
  const copy = await copyOf(journal)
  const made = [
    (await pay(wallet, 'b')).txid!,
    (await pay(wallet, 'c', { amount: 7n ** 6n })).txid!,
  ]
  const restored = await openWallet(alice, chain, { journal: copy })
  const payments = async () => {
    const entries = await restored.history({ limit: 1000 })
    return entries.filter(({ operation }) => operation === 'payment').length
  }
  return { node, alice, bob, chain, copy, restored, pay, made: made as [string, string], payments }
}

test('a list of acknowledged spends lets no payment pass that one of them made', async () => {
  const { node, restored, pay, made, payments } = await restoredCopy()
  const before = await payments()
  const held = { status: 'held', held: 'unrecorded-spends', paidBy: [made[0]] }
  expect(await pay(restored, 'b')).toMatchObject({ ...held, unrecorded: made })
  // The same list serves the payments of a program that the journal does not have either.
  const acknowledged = made
  expect(await pay(restored, 'b', { acknowledged })).toMatchObject({
    ...held,
    unrecorded: [made[0]],
  })
  expect(await payments()).toBe(before)
  const other = await pay(restored, 'd', { amount: 200_000n, acknowledged })
  expect(other).toMatchObject({ status: 'accepted' })
  expect(other.paidBy).toBeUndefined()
  await node.close()
})

test('a payment that another machine made is recorded, once, and holds nothing then', async () => {
  const { node, restored, copy, pay, made, payments } = await restoredCopy()
  const before = await payments()
  const texts = async () => (await copy.read(0)).length
  const records = await texts()
  const [paidBy, of] = made
  // The journal gets no record of a transaction of another amount, or of a dry run.
  expect(await pay(restored, 'b', { paidBy: of })).toMatchObject({ status: 'rejected' })
  expect(await pay(restored, 'b', { paidBy, dryRun: true })).toMatchObject({ held: 'dry-run' })
  const unknown = pay(restored, 'b', { paidBy: 'ab'.repeat(32) })
  await expect(unknown).rejects.toThrow(/^paidBy: the server does not have abab/)
  expect(await texts()).toBe(records)

  const recorded = { status: 'accepted', txid: paidBy, repeated: true }
  expect(await pay(restored, 'b', { paidBy: paidBy.toUpperCase() })).toMatchObject(recorded)
  expect(await pay(restored, 'b')).toMatchObject(recorded)
  // One transaction is one payment.
  const second = await pay(restored, 'equal', { paidBy })
  expect(second).toMatchObject({ status: 'held', held: 'reserved-inputs' })
  const settled = await pay(restored, 'c', { amount: 7n ** 6n, paidBy: of })
  expect(settled).toMatchObject({ status: 'accepted', txid: of })
  expect(await payments()).toBe(before)
  // The journal has all of them again, so a payment that is equal is made once more.
  expect(await pay(restored, 'equal')).toMatchObject({ status: 'accepted' })
  expect(await payments()).toBe(before + 1)
  await node.close()
})

test.each([
  ['a key', networks.assetChain, ({ pubkey }: DevIdentity) => pubkey],
  ['a key of tokens v2', networks.tokel, ({ pubkey }: DevIdentity) => pubkey.toUpperCase()],
  ['an address', networks.tokel, ({ address }: DevIdentity) => address],
  [
    'two keys together',
    networks.tokel,
    ({ pubkey }: DevIdentity) => ({ required: 1, pubkeys: [pubkey, another] }),
  ],
])('finds an unrecorded transfer to %s', async (_, network, payee) => {
  await using node = await createDevNode({ listen: false, network, mine: 'manual' })
  const [alice, bob] = node.identities
  for (let coin = 0; coin < 8; coin += 1) node.fund(alice!.address, 5_000_000n)
  node.mine(101)
  const journal = memoryJournal()
  const chain = devNodeChain(node)
  const wallet = await openWallet(alice!, chain, { journal, network })
  const { tokenid = '' } = await wallet.createToken({ name: 'DROP', supply: 100n, id: 'create' })
  node.mine()
  const copy = await copyOf(journal)
  const drop = (id: string, amount = 5n) => ({ tokenid, to: payee(bob!), amount, id })
  const [one, other] = [await wallet.transfer(drop('1')), await wallet.transfer(drop('2', 6n))]
  node.mine()
  const restored = await openWallet(alice!, chain, { journal: copy, network })
  const acknowledged = [one.txid!, other.txid!]
  const held = await restored.transfer({ ...drop('1'), acknowledged })
  expect(held).toMatchObject({ held: 'unrecorded-spends', paidBy: [one.txid] })
  const [paidBy = ''] = held.paidBy!
  const made = { status: 'accepted', txid: one.txid, repeated: true }
  expect(await restored.transfer({ ...drop('1'), paidBy })).toMatchObject(made)
})
