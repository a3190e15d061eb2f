// Payments on a journal, against a node that validates: balances are read from its chain.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { frame, header, readFile } from '../../src/journal/file-format.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createToken,
  forgetPayment,
  listPayments,
  payCoins,
  resumePayments,
  tradeToken,
  transferToken,
} from '../../src/rpc/index.ts'
import { fileJournal, memoryJournal } from '../../src/wallet/index.ts'
import { recordPaymentAt } from '../support/shortened-journal.ts'
import { paymentsIn } from './support/journaled.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const supply = 1000n
const day = 24 * 3_600_000
let node: DevNode
let tokenid: string
let path: string
let files = 0

const { newClient, transfer, inProcess, paid } = paymentsIn(() => ({ node, tokenid, path }))

const pay = (amount: bigint, options: object = {}) =>
  inProcess((journal) => transferToken(newClient(), transfer(amount), { journal, ...options }))

function lastTransactions(): Promise<string[]> {
  return node
    .request('getblock', [String(node.height)])
    .then((block) => (block as { tx: string[] }).tx.slice(1))
}

/** Returns the transactions of the last blocks, without those of miners. */
async function paymentsInBlocks(count: number): Promise<string[]> {
  const txids: string[] = []
  for (let height = node.height; height > node.height - count; height -= 1) {
    const block = await node.request('getblock', [String(height)])
    txids.push(...(block as { tx: string[] }).tx.slice(1))
  }
  return txids
}

beforeEach(async () => {
  path = join(folder, `${++files}`, 'journal')
  node = await createDevNode({ listen: false, time: 1_800_000_000 })
  const creation = { name: 'GOLD', supply, description: '', owner: node.identities[0]!.pubkey }
  ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
  return () => node.close()
})

describe('a reply to a broadcast that is lost', () => {
  beforeEach(async () => {
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    await expect(pay(70n)).rejects.toMatchObject({ kind: 'transport', uncertain: true })
    expect(await paid()).toBe(70n)
  })

  test('is settled by the next process, which pays nothing', async () => {
    const { txid, repeated } = await pay(70n)
    expect(repeated).toBe(true)
    expect(await lastTransactions()).toContain(txid)
    expect(await paid()).toBe(70n)
  })

  test('is settled by resume', async () => {
    const [resumed] = await inProcess((journal) => resumePayments(newClient(), { journal }))
    expect(resumed).toMatchObject({ payment: { state: 'settled' }, result: { repeated: true } })
    expect(await paid()).toBe(70n)
  })

  test('stays one payment if the payment is named with an id now', async () => {
    const { held } = await pay(70n, { id: 'invoice-17' })
    expect(held).toBe('different-inputs')
    expect(await paid()).toBe(70n)
  })

  test('is sent again as it was if a reorganization takes it back', async () => {
    const before = await lastTransactions()
    node.reorg(1, { drop: before })
    expect(await paid()).toBe(0n)
    const { txid } = await pay(70n)
    expect([txid]).toEqual(before)
    expect(await paid()).toBe(70n)
  })
})

describe('an id', () => {
  test('is one payment for ever', async () => {
    const first = await pay(70n, { id: 'invoice-17' })
    const again = await pay(70n, { id: 'invoice-17', repeatMs: 0 })
    expect(again).toMatchObject({ txid: first.txid, repeated: true })
    expect(first.repeated).toBeUndefined()
    expect(await paid()).toBe(70n)
    await pay(70n, { id: 'invoice-18' })
    expect(await paid()).toBe(140n)
  })

  test('an id with another request is an error that shows both', async () => {
    await pay(70n, { id: 'invoice-17' })
    const error = await pay(71n, { id: 'invoice-17' }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'id_conflict', context: { path: 'id invoice-17' } })
    expect(JSON.parse(error.context.expected).intent.amount).toBe('70')
    expect(JSON.parse(error.context.actual).intent.amount).toBe('71')
    expect(await paid()).toBe(70n)
  })

  test('stays two payments if a journal has it for two requests, and none is made again', async () => {
    // Two processes of an earlier version could record both in one store at once.
    const journal = memoryJournal()
    const call = (amount: bigint) =>
      transferToken(newClient(), transfer(amount), { journal, id: 'invoice-17' })
    const first = await call(70n)
    const store = memoryJournal()
    const second = await transferToken(newClient(), transfer(71n), { journal: store, id: 'x' })
    for (const text of await store.read(0)) {
      const record = { ...JSON.parse(text), payment: 'id invoice-17', id: 'invoice-17' }
      await journal.append((await journal.read(0)).length + 1, JSON.stringify(record))
    }
    expect(await paid()).toBe(141n)
    expect(await call(70n)).toMatchObject({ txid: first.txid, repeated: true })
    expect(await call(71n)).toMatchObject({ txid: second.txid, repeated: true })
    await expect(call(72n)).rejects.toMatchObject({ code: 'id_conflict' })
    const resumed = await resumePayments(newClient(), { journal })
    expect(resumed.map(({ payment: { name, state } }) => [name, state])).toEqual([
      ['id invoice-17', 'settled'],
      ['request 2 of id invoice-17', 'settled'],
    ])
    expect(await paid()).toBe(141n)
  })

  test('is under way for its other request too, while a person decides', async () => {
    const journal = memoryJournal()
    const call = (amount: bigint, options: object = {}) =>
      transferToken(newClient(), transfer(amount), { journal, id: 'invoice-17', ...options })
    for (const amount of [70n, 71n]) {
      const store = memoryJournal()
      node.faults.add({
        kind: 'error',
        method: 'sendrawtransaction',
        code: -26,
        message: '',
        times: 1,
      })
      await expect(call(amount, { journal: store })).rejects.toMatchObject({ kind: 'daemon' })
      for (const text of await store.read(0)) {
        await journal.append((await journal.read(0)).length + 1, text)
      }
    }
    let held: string | undefined
    const confirm = async () => {
      ;({ held } = await call(71n))
      return true
    }
    expect((await call(70n, { confirm })).txid).toMatch(/^[0-9a-f]{64}$/)
    expect(held).toBe('under-way')
  })

  test('is one payment however the request is spelled', async () => {
    const first = await pay(70n, { id: 'invoice-17' })
    const spelled = {
      ...transfer(70n),
      tokenid: tokenid.toUpperCase(),
      fee: 20_000n,
      maxFee: 20_000n,
    }
    const again = await inProcess((journal) =>
      transferToken(newClient(), spelled, { journal, id: 'invoice-17' }),
    )
    expect(again.txid).toBe(first.txid)
    expect(await paid()).toBe(70n)
  })

  test('works in the memory of a client, without a journal', async () => {
    const client = newClient()
    const first = await transferToken(client, transfer(70n), { id: 'a' })
    const again = await transferToken(client, transfer(70n), { id: 'a' })
    expect(again.txid).toBe(first.txid)
    expect(await paid()).toBe(70n)
  })

  test.each(['', 'a\nb', 'x'.repeat(201), 17, null])('is refused if it is %j', async (id) => {
    await expect(pay(70n, { id })).rejects.toThrow(TypeError)
    expect(await paid()).toBe(0n)
  })

  test('an id of a creation and of an order is one transaction', async () => {
    const { pubkey: owner } = node.identities[0]!
    const creation = { name: 'TIN', supply: 5n, description: '', owner }
    const journal = memoryJournal()
    const [first, again] = [
      await createToken(newClient(), creation, { journal, id: 'tin' }),
      await createToken(newClient(), creation, { journal, id: 'tin' }),
    ]
    expect(again).toMatchObject({ txid: first.txid, repeated: true })
    const ask = { kind: 'ask', tokenid, units: 10n, price: 1000n, from: owner } as const
    const [offer, same] = [
      await tradeToken(newClient(), ask, { journal, id: 'ask' }),
      await tradeToken(newClient(), ask, { journal, id: 'ask' }),
    ]
    expect(offer.txid).toMatch(/^[0-9a-f]{64}$/)
    expect(same).toMatchObject({ txid: offer.txid, repeated: true })
    const resumed = await resumePayments(newClient(), { journal })
    expect(resumed.map(({ result }) => result?.txid)).toEqual([first.txid, offer.txid])
  })
})

test.each(['', 'no JSON', 'null', '"text"', '{}', '{"operation":"withdraw","intent":7}'])(
  'a payment whose recorded request is %j does not keep resume from the others',
  async (request) => {
    const journal = memoryJournal()
    const about = { txid: '11'.repeat(32), at: '2026-11-01T00:00:00.000Z' }
    const odd = { kind: 'attempt', payment: 'id odd', id: 'odd', terms: '', hex: '00', request }
    await journal.append(1, JSON.stringify({ ...odd, ...about }))
    const sent = await transferToken(newClient(), transfer(70n), { journal, id: 'invoice-17' })
    const [first, second] = await resumePayments(newClient(), { journal })
    expect(first?.payment).toMatchObject({ id: 'odd', state: 'unsettled' })
    expect(first?.result).toBeUndefined()
    expect(second).toMatchObject({ payment: { state: 'settled' }, result: { txid: sent.txid } })
  },
)

test('a recorded transfer that no daemon builds in one call does not stop resume from settling others', async () => {
  const journal = memoryJournal()
  const sent = await transferToken(newClient(), transfer(70n), { journal, id: 'invoice-17' })
  const [text = ''] = await journal.read(0)
  const { request, ...recorded } = JSON.parse(text)
  const { intent, ...asked } = JSON.parse(request)
  const { destination: pubkey, amount, from } = intent
  const recipients = [pubkey, from].map((it) => ({ pubkey: it, amount }))
  const several = JSON.stringify({ ...asked, intent: { ...intent, recipients } })
  const mixed = memoryJournal()
  const about = { payment: 'id several', id: 'several', request: several }
  await mixed.append(1, JSON.stringify({ ...recorded, ...about, txid: '11'.repeat(32), hex: '00' }))
  for (const [at, it] of (await journal.read(0)).entries()) await mixed.append(at + 2, it)
  const [first, second] = await resumePayments(newClient(), { journal: mixed })
  expect(first?.error).toMatchObject({ code: 'id_conflict' })
  expect(second).toMatchObject({ payment: { state: 'settled' }, result: { txid: sent.txid } })
})

describe('the same request without an id', () => {
  test('is a repetition for ten minutes, and a payment of its own later', async () => {
    const first = await pay(70n)
    expect(await pay(70n)).toMatchObject({ txid: first.txid, repeated: true })
    expect(await paid()).toBe(70n)
    const later = await pay(70n, { repeatMs: 0 })
    expect(later.txid).not.toBe(first.txid)
    expect(await paid()).toBe(140n)
  })

  test('is a repetition while no block has it, however late', async () => {
    node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
    const creation = { name: 'GOLD', supply, description: '', owner: node.identities[0]!.pubkey }
    ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
    node.mine(1)
    const first = await pay(70n)
    expect(await pay(70n, { repeatMs: 0 })).toMatchObject({ txid: first.txid, repeated: true })
    node.mine(1)
    expect(await paid()).toBe(70n)
    expect((await pay(70n, { repeatMs: 0 })).txid).not.toBe(first.txid)
  })

  test('is a payment of its own at once where the caller gives no journal', async () => {
    const client = newClient()
    await transferToken(client, transfer(70n))
    await transferToken(client, transfer(70n))
    expect(await paid()).toBe(140n)
  })
})

describe('a settled payment', () => {
  test('a settled payment that leaves the chain is unsettled again, and sent as it was', async () => {
    const { txid } = await pay(70n, { id: 'invoice-17' })
    await pay(70n, { id: 'invoice-17' })
    node.reorg(1, { drop: [txid!] })
    expect(await paid()).toBe(0n)
    const again = await pay(70n, { id: 'invoice-17' })
    expect(again.txid).toBe(txid)
    expect(await paid()).toBe(70n)
  })

  test('a settled payment that leaves the chain is found by resume', async () => {
    const { txid } = await pay(70n)
    await pay(70n)
    node.reorg(1, { drop: [txid!] })
    const [resumed] = await inProcess((journal) => resumePayments(newClient(), { journal }))
    expect(resumed).toMatchObject({ result: { txid } })
    expect(await paid()).toBe(70n)
  })
})

describe('a journal', () => {
  test('a journal of another chain holds the payment', async () => {
    await pay(70n, { id: 'invoice-17' })
    const other = await createDevNode({ listen: false, time: 1_700_000_000 })
    const error = inProcess((journal) =>
      transferToken(newClient(other), transfer(70n), { journal, id: 'invoice-17' }),
    )
    await expect(error).rejects.toMatchObject({ code: 'journal_chain' })
    await other.close()
  })

  test('a journal that another process has keeps everything from being sent', async () => {
    const other = fileJournal(path)
    await other.read(0)
    await expect(pay(70n)).rejects.toMatchObject({ code: 'journal_locked' })
    await other.close()
    expect(await paid()).toBe(0n)
  })

  test('an attempt whose record has other bytes than were sent is not obeyed', async () => {
    node.faults.add({
      kind: 'error',
      method: 'sendrawtransaction',
      code: -26,
      message: 'busy',
      times: 1,
    })
    await expect(pay(70n)).rejects.toMatchObject({ code: -26 })
    const { hex } = (await node.request('tokentransfer', [
      tokenid,
      node.identities[0]!.pubkey,
      '5',
    ])) as { hex: string }
    const contents = readFile(readFileSync(path))
    if (!('texts' in contents)) throw new Error('damaged')
    const texts = contents.texts.map((text) => {
      const record = JSON.parse(text)
      return record.kind === 'attempt' ? JSON.stringify({ ...record, hex }) : text
    })
    const frames = texts.map((text, index) => frame(index + 1, text))
    writeFileSync(path, Buffer.concat([header, ...frames]))
    const result = await pay(70n)
    expect(result.report.hex).not.toBe(hex)
    expect(await paid()).toBe(result.held === undefined ? 70n : 0n)
  })

  test('a journal with a record of a newer kind is not written, and nothing is sent', async () => {
    await pay(70n)
    const before = readFileSync(path)
    const contents = readFile(before)
    if (!('texts' in contents)) throw new Error('damaged')
    const next = contents.texts.length + 1
    writeFileSync(path, Buffer.concat([before, frame(next, '{"kind":"split"}')]))
    await expect(pay(50n)).rejects.toMatchObject({ code: 'journal_version' })
    expect(await paid()).toBe(70n)
  })

  test('lists its payments, and forgets one on request', async () => {
    node.faults.add({
      kind: 'error',
      method: 'sendrawtransaction',
      code: -26,
      message: 'no',
      times: 1,
    })
    await expect(pay(70n, { id: 'a' })).rejects.toMatchObject({ kind: 'daemon' })
    await pay(50n, { id: 'b' })
    const listed = await inProcess(listPayments)
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'unsettled'],
      ['b', 'unsettled'],
    ])
    expect(listed.map(({ attempts }) => attempts[0]?.state)).toEqual(['refused', 'accepted'])
    await inProcess((journal) => resumePayments(newClient(), { journal }))
    expect(await inProcess((journal) => forgetPayment(journal, 'id b'))).toBe(false)
    expect(await inProcess((journal) => forgetPayment(journal, 'id unknown'))).toBe(false)
    expect((await inProcess(listPayments)).map(({ state }) => state)).toContain('settled')
  })

  test('payments that nobody asks for again are settled by later ones, in other processes too', async () => {
    const to = node.identities[1]!.address
    const from = node.identities[0]!.pubkey
    const payTo = (count: number) => {
      const intent = { recipients: [{ address: to, amount: 10_000n + BigInt(count) }], from }
      return inProcess((journal) =>
        payCoins(newClient(), intent, { journal, id: `coins ${count}` }),
      )
    }
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    await expect(pay(70n, { id: 'lost' })).rejects.toMatchObject({ uncertain: true })
    for (let count = 0; count < 20; count += 1) {
      await (count % 2 === 0 ? pay(1n, { id: `tokens ${count}` }) : payTo(count))
    }
    const payments = await inProcess(listPayments)
    const unsettled = payments.filter(({ state }) => state === 'unsettled')
    expect(payments).toHaveLength(21)
    expect(unsettled.length).toBeLessThanOrEqual(17)
    expect(unsettled[0]).toMatchObject({ id: 'lost' })
    const isSettled = (kind: string) =>
      payments.some(({ id = '', state }) => id.startsWith(kind) && state === 'settled')
    expect(['tokens', 'coins'].map(isSettled)).toEqual([true, true])
    // A settled payment stays one for its id, and the lost answer is found by its own call.
    expect(await pay(1n, { id: 'tokens 0' })).toMatchObject({ repeated: true })
    expect(await pay(70n, { id: 'lost' })).toMatchObject({ repeated: true })
    expect(await paid()).toBe(80n)
  })

  test('a journal of many payments stays short', async () => {
    const journal = memoryJournal()
    const client = newClient()
    await recordPaymentAt(journal, await client.call('getblockhash', [1]), 20_000)
    const now = Date.now
    try {
      for (let at = 0; at < 40; at += 1) {
        Date.now = () => now() + at * 4 * day
        await transferToken(client, transfer(1n), { journal, id: `${at}` })
        await transferToken(client, transfer(1n), { journal, id: `${at}` })
      }
      expect(await paid()).toBe(40n)
      const texts = await journal.read(0)
      expect(texts.length).toBeLessThan(100)
      const digits = texts.reduce((sum, text) => sum + (JSON.parse(text).hex ?? '').length, 0)
      expect(digits).toBeLessThan(40 * 1400)
      // A compacted attempt still counts as paid.
      const again = await transferToken(client, transfer(1n), { journal, id: '0' })
      expect(again.repeated).toBe(true)
      await expect(transferToken(client, transfer(2n), { journal, id: '0' })).rejects.toMatchObject(
        {
          code: 'id_conflict',
        },
      )
      expect(await paid()).toBe(40n)
    } finally {
      Date.now = now
    }
  })
})

test('a resume goes on while another process forgets payments', async () => {
  const store = memoryJournal()
  const journal = { ...store }
  const amounts = [70n, 71n, 72n]
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'refused' })
  for (const amount of amounts) {
    await expect(transferToken(newClient(), transfer(amount), { journal })).rejects.toThrow(
      'refused',
    )
  }
  node.faults.clear()
  const other = { ...store }
  const names = (await listPayments(other)).map(({ name }) => name)
  expect(names).toHaveLength(3)
  let forgotten: Promise<boolean> | undefined
  const onProgress = () => {
    forgotten ??= forgetPayment(other, names[2]!)
    return forgotten
  }
  const resumed = await resumePayments(newClient(), { journal, onProgress })
  expect(await forgotten).toBe(true)
  expect(resumed.map(({ payment }) => payment.name)).toEqual(names.slice(0, 2))
})

test('a payment by a clock that was a year ahead answers the same request for 100 blocks', async () => {
  const { now } = Date
  try {
    Date.now = () => now() + 365 * day
    await pay(70n)
    await inProcess((journal) => resumePayments(newClient(), { journal }))
  } finally {
    Date.now = now
  }
  // The clock may have been set right since the first call, so the second may repeat it.
  expect(await pay(70n)).toMatchObject({ repeated: true })
  node.mine(100)
  expect((await pay(70n)).repeated).toBeUndefined()
  expect(await paid()).toBe(140n)
})

test('a payment by a clock that was a year ahead answers for as many blocks as repeatMs has minutes', async () => {
  const { now } = Date
  const repeatMs = 200 * 60_000
  try {
    Date.now = () => now() + 365 * day
    await pay(70n, { repeatMs })
    await inProcess((journal) => resumePayments(newClient(), { journal }))
  } finally {
    Date.now = now
  }
  node.mine(100)
  expect(await pay(70n, { repeatMs })).toMatchObject({ repeated: true })
  node.mine(100)
  expect((await pay(70n, { repeatMs })).repeated).toBeUndefined()
  expect(await paid()).toBe(140n)
})

describe('a call while the clock is forty days ahead', () => {
  /** Makes a payment that compacts the journal, because most of its records are old. */
  async function payAhead() {
    const now = Date.now
    try {
      for (let count = 0; count < 40; count += 1) {
        Date.now = () => now() - 10 * day
        await pay(1n, { id: `old ${count}` })
        await pay(1n, { id: `old ${count}` })
      }
      Date.now = now
      await pay(70n)
      await inProcess((journal) => resumePayments(newClient(), { journal }))
      await pay(80n, { id: 'rent' })
      await pay(80n, { id: 'rent' })
      Date.now = () => now() + 40 * day
      await pay(5n, { id: 'ahead' })
    } finally {
      Date.now = now
    }
  }

  test('does not make a payment without an id again', async () => {
    await payAhead()
    const before = await paid()
    expect(await pay(70n)).toMatchObject({ repeated: true })
    expect(await paid()).toBe(before)
  })

  test('leaves a payment the bytes that a reorganization needs', async () => {
    await payAhead()
    const before = await paid()
    node.reorg(2, { drop: await paymentsInBlocks(2) })
    expect(await paid()).toBeLessThan(before - 79n)
    await pay(80n, { id: 'rent' })
    await pay(5n, { id: 'ahead' })
    expect(await paid()).toBe(before)
  })
})

describe('a journal that lacks a payment, because it is an old copy or the journal of another machine,', () => {
  const copy = () => `${path}.copy`
  const payWithCopy = (amount: bigint, options: object = {}) => {
    path = copy()
    return pay(amount, options)
  }
  beforeEach(async () => {
    await pay(10n, { id: 'monday' })
    await pay(10n, { id: 'monday' })
    copyFileSync(path, copy())
  })

  test('holds the same payment, and shows it', async () => {
    const { txid } = await pay(70n, { id: 'tuesday' })
    const again = await payWithCopy(70n, { id: 'tuesday' })
    expect(again).toMatchObject({ held: 'unrecorded-spends', unrecorded: [txid] })
    expect(again.txid).toBeUndefined()
    expect(await paid()).toBe(80n)
  })

  test('holds it while it waits for a block', async () => {
    node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
    const creation = { name: 'GOLD', supply, description: '', owner: node.identities[0]!.pubkey }
    ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
    node.mine(1)
    path = join(folder, `${++files}`, 'journal')
    await pay(10n)
    node.mine(1)
    await pay(10n)
    copyFileSync(path, copy())
    const { txid } = await pay(70n)
    expect(await payWithCopy(70n)).toMatchObject({ unrecorded: [txid] })
  })

  test('makes it once more if its user acknowledges the transactions', async () => {
    const { txid } = await pay(70n, { id: 'tuesday' })
    const acknowledged = [txid!.toUpperCase()]
    expect((await payWithCopy(70n, { id: 'wednesday', acknowledged })).txid).toBeDefined()
    expect(await paid()).toBe(150n)
  })

  test('makes other payments, although other programs spend the same tokens', async () => {
    await transferToken(newClient(), transfer(70n))
    const other = { ...transfer(60n), destination: node.identities[0]!.pubkey }
    await transferToken(newClient(), other)
    expect((await payWithCopy(60n)).txid).toBeDefined()
    expect(await paid()).toBe(140n)
  })

  test('holds a creation and an offer', async () => {
    const from = node.identities[0]!.pubkey
    const creation = { name: 'TIN', supply: 5n, description: '', owner: from }
    const ask = { kind: 'ask', tokenid, units: 10n, price: 1000n, from } as const
    const made = await createToken(newClient(), creation)
    const offered = await tradeToken(newClient(), ask)
    const [again, offer] = await inProcess(async (journal) => [
      await createToken(newClient(), creation, { journal }),
      await tradeToken(newClient(), ask, { journal }),
    ])
    expect(again).toMatchObject({ held: 'unrecorded-spends', unrecorded: [made.txid] })
    expect(offer).toMatchObject({ held: 'unrecorded-spends', unrecorded: [offered.txid] })
  })

  test('is not noticed by a daemon without an address index', async () => {
    await pay(70n, { id: 'tuesday' })
    const faults = ['getaddressdeltas', 'getaddressmempool'] as const
    for (const method of faults) {
      node.faults.add({ kind: 'error', method, code: -1, message: 'no index', times: 9 })
    }
    expect((await payWithCopy(70n, { id: 'tuesday' })).held).toBeUndefined()
  })
})

describe('an attempt that can never be mined', () => {
  const refuse = () =>
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })

  test('is replaced by one that shares an input, without trust', async () => {
    refuse()
    await expect(pay(70n)).rejects.toMatchObject({ uncertain: true })
    node.reorg(1, { drop: await lastTransactions() })
    node.mine(300)
    const { txid, held } = await pay(70n)
    expect({ held, isPaid: txid !== undefined }).toEqual({ held: undefined, isPaid: true })
    expect(await paid()).toBe(70n)
  })

  test('an attempt whose inputs are spent deep in the chain is replaced if the server is trusted', async () => {
    refuse()
    await expect(pay(70n)).rejects.toMatchObject({ uncertain: true })
    node.reorg(1, { drop: await lastTransactions() })
    // Other payments of the same wallet take all of its coins.
    const coins = (await node.request('listunspent', [])) as { amount: number }[]
    expect(coins.length).toBeGreaterThan(0)
    await transferToken(newClient(), transfer(500n))
    await transferToken(newClient(), transfer(100n))
    node.mine(101)
    const resumed = await pay(70n, { resumeOnly: true })
    expect(resumed.held).toBe('unsettled')
    const held = await pay(70n)
    const trusted = await pay(70n, { trustServer: true })
    expect([held.held, trusted.held]).toEqual([
      held.txid === undefined ? 'different-inputs' : undefined,
      undefined,
    ])
    expect(await paid()).toBe(670n)
  })
})
