// Payments of a daemon's wallet must be made once, whatever others do: the daemon, another program
// with the same wallet, a process that dies, and a disk that is full.

import { beforeEach, describe, expect, test } from 'vitest'
import { AntaraError } from '../../src/errors/antara-error.ts'
import { transactionId } from '../../src/index.ts'
import { bookOf } from '../../src/journal/book.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  type Journal,
  listPayments,
  memoryJournal,
  payCoins,
  resumePayments,
} from '../../src/rpc/index.ts'
import { receivedBy, tamperedClient } from './support/tampered-client.ts'

const amount = 50_000_000n
let node: DevNode
let to: string
let from: string
let methods: string[]
/** Returns an answer in the node's place, or `undefined`; throws to break the connection. */
let answerOf: (method: string) => unknown

const client = () =>
  tamperedClient(node, ({ method }) => {
    methods.push(method)
    return answerOf(method)
  })

const received = () => receivedBy(node, to)
const intent = (sats = amount) => ({ recipients: [{ address: to, amount: sats }], from })

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  from = node.identities[0]!.pubkey
  to = node.identities[1]!.address
  methods = []
  answerOf = () => undefined
  return () => node.close()
})

describe('a daemon that signs the transaction of an earlier payment again', () => {
  async function paidBefore(journal: Journal) {
    const { report, txid } = await payCoins(client(), intent(), { journal, id: 'first' })
    const signed = { hex: report.verified?.hex, complete: true }
    return { txid, signed }
  }

  test('pays nothing, because its coins are spent', async () => {
    const journal = memoryJournal()
    const { signed } = await paidBefore(journal)
    answerOf = (method) => (method === 'signrawtransaction' ? signed : undefined)
    const { held, txid } = await payCoins(client(), intent(), { journal, id: 'second' })
    expect({ held, txid }).toEqual({ held: 'rejected', txid: undefined })
  })

  test('may call its coins unspent: the second payment does not count as made', async () => {
    const journal = memoryJournal()
    const { txid, signed } = await paidBefore(journal)
    const unspent = (await node.request('gettxout', [txid, 0])) as object
    answerOf = (method) =>
      method === 'signrawtransaction' ? signed : method === 'gettxout' ? unspent : undefined
    const result = await payCoins(client(), intent(), { journal, id: 'second' })
    expect({ held: result.held, txid: result.txid }).toEqual({
      held: 'reserved-inputs',
      txid: undefined,
    })
  })
})

describe('a daemon that signs the transaction of a payment that was made, and calls its coins unspent', () => {
  test.each([
    ['without ids', true, {}],
    ['with an id for the second', true, { id: 'second' }],
    ['without a journal', false, {}],
  ])('does not make the second payment count as made: %s', async (_, isDurable, second) => {
    const options = isDurable ? { journal: memoryJournal(), repeatMs: 0 } : {}
    const [daemon, before] = [client(), await received()]
    const { report, txid } = await payCoins(daemon, intent(), options)
    // A look at the chain settles the first payment.
    if (options.journal !== undefined) await resumePayments(daemon, { journal: options.journal })
    const signed = { hex: report.verified?.hex, complete: true }
    const unspent = (await node.request('gettxout', [txid, 0])) as object
    answerOf = (method) =>
      method === 'signrawtransaction' ? signed : method === 'gettxout' ? unspent : undefined
    const result = await payCoins(daemon, intent(), { ...options, ...second })
    expect({ held: result.held, txid: result.txid }).toEqual({ held: 'reserved-inputs' })
    expect(await received()).toBe(before + amount)
  })
})

describe('a daemon that keeps a payment to itself, and claims that a block has it', () => {
  test.each([
    ['a recent one', 2],
    ['one that no reorganization would remove', 150],
  ])('%s: an honest daemon gets the bytes', async (_, depth) => {
    const journal = memoryJournal()
    const before = await received()
    node.mine(200)
    let claimed: object | undefined
    let [txid, kept] = ['', '']
    const keeping = tamperedClient(node, ({ method, params: [hex, verbose] }) => {
      if (method === 'sendrawtransaction') return transactionId(String(hex))
      if (method === 'getrawtransaction' && hex === txid) return verbose === 1 ? claimed : kept
      return undefined
    })
    const { report } = await payCoins(keeping, intent(), { journal, id: 'first' })
    ;({ txid = '', hex: kept } = report.verified!)
    const decoded = (await node.request('decoderawtransaction', [kept])) as object
    const place = { confirmations: depth, rawconfirmations: depth, height: node.height - depth + 1 }
    claimed = { ...decoded, ...place, hex: kept }
    await payCoins(keeping, intent(), { journal, id: 'first' })
    expect(await listPayments(journal)).toMatchObject([{ state: 'settled' }])
    expect(await payCoins(client(), intent(), { journal, id: 'first' })).toMatchObject({ txid })
    expect((await received()) - before).toBe(amount)
  })
})

// A trusted daemon may follow a branch of more than 100 blocks that is not the chain.
test.each([
  ['in a block by its call', 'first'],
  ['in a block by its call', undefined],
  ['while it waits for one by its call', 'first'],
  ['in a block by resume', 'first'],
  ['in a block by resume', undefined],
  ['while it waits for one by resume', 'first'],
])('an attempt that a trusted daemon called dead is found %s (%s)', async (at, id) => {
  const journal = memoryJournal()
  const before = await received()
  const keeping = tamperedClient(node, ({ method, params: [hex] }) =>
    method === 'sendrawtransaction' ? transactionId(String(hex)) : undefined,
  )
  const options = { journal, ...(id !== undefined && { id }) }
  const { report, txid = '' } = await payCoins(keeping, intent(), options)
  const { name: payment } = (await listPayments(journal))[0]!
  await bookOf(journal).note({ kind: 'dead', payment, txid, at: new Date().toISOString() })
  await node.request('sendrawtransaction', [report.hex])
  // The wallet has other coins by now.
  node.fund(node.identities[0]!.address, 100_000_000n)
  const isMined = at.startsWith('in a block')
  const honest = tamperedClient(node, ({ method, params: [, verbose] }) =>
    method === 'getrawtransaction' && verbose === 1 && !isMined ? { txid } : undefined,
  )
  if (at.endsWith('resume')) {
    expect(await resumePayments(honest, { journal })).toMatchObject([{ result: { txid } }])
  }
  for (const _ of ['found', 'repeated']) {
    expect(await payCoins(honest, intent(), options)).toMatchObject({ txid, repeated: true })
  }
  const state = isMined ? 'settled' : 'unsettled'
  expect(await listPayments(journal)).toMatchObject([{ state }])
  expect(await received()).toBe(before + amount)
})

test('a payment that no server has stays dead after resume, which makes nothing', async () => {
  const journal = memoryJournal()
  const keeping = tamperedClient(node, ({ method, params: [hex] }) =>
    method === 'sendrawtransaction' ? transactionId(String(hex)) : undefined,
  )
  const { txid = '' } = await payCoins(keeping, intent(), { journal, id: 'first' })
  const at = new Date().toISOString()
  await bookOf(journal).note({ kind: 'dead', payment: 'id first', txid, at })
  const before = await received()
  for (const trustServer of [false, true]) {
    const resumed = await resumePayments(client(), { journal, trustServer })
    expect(resumed).toMatchObject([{ payment: { state: 'dead' }, result: { held: 'unsettled' } }])
  }
  expect(await received()).toBe(before)
})

test('an equal payment that was refused and sent on is named before another id is confirmed', async () => {
  const journal = memoryJournal()
  node.fund(node.identities[0]!.address, 100_000_000n)
  node.mine()
  node.faults.add({
    ...{ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'no', times: 1 },
  })
  let hex = ''
  const confirm = (report: { readonly hex: string }) => {
    hex = report.hex
    return true
  }
  const refused = payCoins(client(), intent(), { journal, id: 'rent', confirm })
  await expect(refused).rejects.toMatchObject({ kind: 'daemon' })
  const txid = await node.request('sendrawtransaction', [hex])
  const named: unknown[] = []
  const declined = await payCoins(client(), intent(), {
    ...{ journal, id: 'rent again' },
    confirm(_, equal) {
      named.push(...equal)
      return false
    },
  })
  expect(declined.held).toBe('declined')
  expect(named).toEqual([{ id: 'rent', txid }])
  // Another amount, and the same id, name nothing.
  for (const [amount, id] of [[7_000n, 'other'] as const]) {
    await payCoins(client(), intent(amount), {
      ...{ journal, id },
      confirm(_, equal) {
        named.push(...equal)
        return false
      },
    })
  }
  expect(named).toHaveLength(1)
})

test('another program spends the same coins before the broadcast: one payment, and no second', async () => {
  const journal = memoryJournal()
  const other = client()
  const before = await received()
  const paid = payCoins(client(), intent(), {
    journal,
    id: 'first',
    async confirm() {
      await payCoins(other, intent(7_000n))
      return true
    },
  })
  await expect(paid).rejects.toMatchObject({ kind: 'daemon', code: -26 })
  expect((await received()) - before).toBe(7_000n)
  // Only the daemon reported the refusal, so another transaction must share an input with the first.
  const again = await payCoins(client(), intent(), { journal, id: 'first' })
  expect(again.held).toBe('different-inputs')
  expect((await received()) - before).toBe(7_000n)
})

test('a process that dies before the broadcast: the recorded bytes are sent, and no others', async () => {
  const journal = memoryJournal()
  const before = await received()
  answerOf = (method) => {
    if (method === 'sendrawtransaction') throw new TypeError('fetch failed')
    return undefined
  }
  const error = await payCoins(client(), intent(), { journal, id: 'first' }).catch((it) => it)
  expect(error).toMatchObject({ uncertain: true, txid: expect.any(String) })
  expect(await received()).toBe(before)
  answerOf = () => undefined
  methods = []
  const [resumed] = await resumePayments(client(), { journal })
  expect(resumed?.result).toHaveProperty('txid', error.txid)
  expect(methods).not.toContain('createrawtransaction')
  expect((await received()) - before).toBe(amount)
})

test('the key in capitals is the same key, also after a restart', async () => {
  const journal = memoryJournal()
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
  const capitals = { ...intent(), from: from.toUpperCase() }
  await expect(payCoins(client(), capitals, { journal, id: 'first' })).rejects.toMatchObject({
    uncertain: true,
  })
  const [resumed] = await resumePayments(client(), { journal })
  expect(resumed?.payment.state).toBe('settled')
})

test('a journal that cannot be written: nothing is sent', async () => {
  const journal: Journal = {
    ...memoryJournal(),
    append: () => Promise.reject(new AntaraError('journal_failed', {})),
  }
  await expect(payCoins(client(), intent(), { journal, id: 'first' })).rejects.toThrow()
  expect(methods).toContain('signrawtransaction')
  expect(methods).not.toContain('sendrawtransaction')
})
