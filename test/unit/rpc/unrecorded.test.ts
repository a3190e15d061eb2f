// The comparison of a new payment with what the chain has and the journal has not. A daemon may
// list anything as a spend, so its lists alone hold nothing.

import { expect, test } from 'vitest'
import { transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { encodeRecord } from '../../../src/journal/records.ts'
import type { Checked } from '../../../src/rpc/safe-flow/check.ts'
import type { Flow } from '../../../src/rpc/safe-flow/flow.ts'
import type { RecordedHeights } from '../../../src/rpc/safe-flow/look-back.ts'
import { unrecordedPayment } from '../../../src/rpc/safe-flow/unrecorded.ts'
import { malleated } from '../../support/malleated.ts'
import { createHex, transfer, transferHex } from '../../support/resigned.ts'

const { txid, outputs } = transfer
const report = (severity?: 'reject' | 'warning', code = 'recipient_script') =>
  ({
    report: { findings: severity === undefined ? [] : [{ code, severity }] },
  }) as unknown as Checked

interface World {
  readonly listed?: readonly string[]
  readonly given?: string | { readonly reason: 'unknown' }
  readonly checked?: Checked
  readonly amounts?: readonly bigint[]
  readonly acknowledged?: readonly string[]
  readonly recorded?: string
  readonly isDurable?: boolean
  /** A member that the payment lacks. */
  readonly without?: 'spends' | 'mayBe'
}

const paying =
  (amounts: readonly bigint[]): Flow['payment']['mayBe'] =>
  (tx) =>
    amounts.every((amount) => tx.outputs.some(({ value }) => value === amount))

/** Returns the transactions that hold a payment, for what a daemon lists and gives. */
async function holding(world: World = {}): Promise<readonly string[] | undefined> {
  const { listed = [txid], given = transferHex, checked = report(), recorded } = world
  const { amounts = [outputs[0]!.value], acknowledged = [], isDurable = true, without } = world
  const journal = memoryJournal()
  if (recorded !== undefined) {
    const about = {
      payment: 'id a',
      id: 'a',
      terms: '',
      request: '{}',
      at: '2026-11-01T00:00:00.000Z',
    }
    const attempt = { kind: 'attempt', ...about, txid: recorded, hex: '' } as const
    await journal.append(1, encodeRecord(attempt))
  }
  const book = bookOf(journal)
  await book.catchUp()
  const payment = {
    ...{ client: {}, options: { acknowledged }, request: () => '{}' },
    mayBe: paying(amounts),
    spends: async () => listed,
    readSpend: async () => given,
    check: async () => checked,
  }
  if (without !== undefined) Reflect.deleteProperty(payment, without)
  const flow = { payment, book, named: {}, isDurable } as unknown as Flow
  const paid = await unrecordedPayment(flow)
  if (typeof paid !== 'object') return undefined
  expect(paid.held).toBe('unrecorded-spends')
  return paid.unrecorded
}

test('a payment is held for one that pays the same, whatever its fee and its warnings', async () => {
  expect(await holding()).toEqual([txid])
  expect(await holding({ checked: report('reject', 'fee_above_max') })).toEqual([txid])
  expect(await holding({ checked: report('warning') })).toEqual([txid])
})

test.each<[string, World]>([
  ['is listed under another txid', { given: createHex }],
  ['the daemon does not give', { given: { reason: 'unknown' } }],
  ['is not a transaction', { given: 'ff' }],
  ['pays another amount', { amounts: [1n] }],
  ['pays one of two amounts', { amounts: [outputs[0]!.value, 1n] }],
  ['pays another', { checked: report('reject') }],
  ['the operator acknowledged', { acknowledged: [txid.toUpperCase()] }],
  ['the journal has', { recorded: txid }],
])('no payment is held for a transaction that %s', async (_, world) => {
  expect(await holding(world)).toBeUndefined()
})

test.each<[string, World]>([
  ['a journal in memory', { isDurable: false }],
  ['a server that lists no spends', { without: 'spends' }],
  ['a payment without amounts of its own', { without: 'mayBe' }],
])('no payment is held with %s', async (_, world) => {
  expect(await holding(world)).toBeUndefined()
})

test('a payment is held although the daemon lists a false transaction first', async () => {
  const listed = ['ab'.repeat(32), txid]
  expect(await holding({ listed })).toEqual([txid])
})

/** A journal with records of one payment, and a flow beside it. */
async function beside(records: readonly object[], world: object = {}) {
  const journal = memoryJournal()
  const append = async (record: object) => {
    const at = '2026-11-01T00:00:00.000Z'
    const next = (await journal.read(0)).length + 1
    await journal.append(next, encodeRecord({ terms: '', request: '{}', at, ...record } as never))
  }
  for (const record of records) await append(record)
  const book = bookOf(journal)
  await book.catchUp()
  const asked: RecordedHeights[] = []
  const payment = {
    ...{ client: {}, options: {}, request: () => '{}' },
    mayBe: paying([outputs[0]!.value]),
    async spends(recorded: RecordedHeights) {
      asked.push(recorded)
      return [txid]
    },
    lookUp: async () => transferHex,
    check: async () => report(),
    ...world,
  }
  const named = { name: 'id a', terms: 'x' }
  const flow = { payment, book, named, isDurable: true } as unknown as Flow
  return { flow, append, asked }
}

test('a transaction that pays another is verified once for each request', async () => {
  let checks = 0
  let refused: Checked['refused'] = [{ txid, reason: 'unknown' }]
  const check = async () => {
    checks += 1
    return { ...report('reject'), ...(refused && { refused }) }
  }
  const { flow } = await beside([], { check })
  const checksOf = async (request: string) => {
    const before = checks
    await unrecordedPayment({ ...flow, payment: { ...flow.payment, request: () => request } })
    return checks - before
  }
  // Evidence that the daemon lacks may come later.
  expect([await checksOf('a'), await checksOf('a')]).toEqual([1, 1])
  refused = undefined
  expect([await checksOf('a'), await checksOf('a')]).toEqual([1, 0])
  expect([await checksOf('b'), await checksOf('b')]).toEqual([1, 0])
})

test.each([
  ['under another name', 'id b', undefined],
  ['for this payment, so that the flow begins again', 'id a', 'changed'],
])('no payment is held for what another process recorded meanwhile, %s', async (_, name, end) => {
  const record = { kind: 'attempt', payment: name, id: name.slice(3), txid, hex: transferHex }
  const { flow, append } = await beside([])
  Object.assign(flow.payment, {
    async spends() {
      await append(record)
      return [txid]
    },
  })
  expect(await unrecordedPayment(flow)).toBe(end)
})

test.each([
  ['of a transaction of another payment holds nothing', 'b', [], undefined],
  ['of a dead transaction of another payment holds', 'b', [{ kind: 'dead' }], [txid]],
  // A daemon without an index of spenders shows the payment in no other way.
  ['of an attempt at this payment holds', 'a', [], [txid]],
])('a copy %s', async (_, id, fates, unrecorded) => {
  const hex = malleated(transferHex)
  const about = { payment: `id ${id}`, txid: transactionId(hex) }
  const { flow } = await beside([
    { kind: 'attempt', id, hex, ...about },
    ...fates.map((fate) => ({ ...about, ...fate })),
  ])
  const paid = await unrecordedPayment(flow)
  expect(typeof paid === 'object' ? paid.unrecorded : undefined).toEqual(unrecorded)
})

test.each([
  [15, 0],
  [16, 0],
  [17, 101],
  [20, 104],
])(
  'of %i equal payments without an id, those up to height %i may be dropped',
  async (count, dropped) => {
    const payments = Array.from({ length: count }, (_, at) => {
      const about = { payment: 'terms x', terms: 'x', txid: `${at}`.padStart(64, '0') }
      const settled = { kind: 'settled', ...about, height: 101 + at }
      return [{ kind: 'attempt', hex: '', ...about }, settled]
    })
    const { flow, asked } = await beside(payments.flat())
    await unrecordedPayment(flow)
    expect(asked).toEqual([{ first: 101, dropped }])
  },
)

test.each([
  ['of another chain', 'cd'.repeat(32), 1000],
  ['without heights', undefined, undefined],
])('a full list of equal payments %s is no reason to overlook one', async (_, chain, height) => {
  const payments = Array.from({ length: 18 }, (__, at) => {
    const about = { payment: 'terms x', terms: 'x', txid: `${at}`.padStart(64, '0') }
    const settled = { kind: 'settled', ...about, ...(height !== undefined && { height }) }
    return [{ kind: 'attempt', hex: '', ...about, ...(chain !== undefined && { chain }) }, settled]
  })
  const { flow, asked } = await beside(payments.flat())
  await unrecordedPayment(flow)
  expect(asked).toEqual([{ first: undefined, dropped: 0 }])
})

test('the transaction that is about to be recorded is no reason to hold its payment', async () => {
  const { flow } = await beside([])
  expect(await unrecordedPayment(flow)).toMatchObject({ unrecorded: [txid] })
  expect(await unrecordedPayment(flow, txid)).toBeUndefined()
})

test('the height to which compaction dropped payments is that of the same chain', async () => {
  const forgotten = (height: number, chain?: string) => ({
    ...{ kind: 'forgotten', payment: '', height },
    ...(chain && { chain }),
  })
  const { flow, asked } = await beside([forgotten(40), forgotten(70, 'ab'.repeat(32))])
  await unrecordedPayment(flow)
  expect(asked).toEqual([{ first: undefined, dropped: 40 }])
})
