// The message about a payment whose coins are reserved. It tells nobody what another user pays.

import { expect, test } from 'vitest'
import { openText, refusedText, reservingText } from '../../../src/guard/reserving.ts'
import { encodeTransaction, transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { encodeRecord, type JournalRecord } from '../../../src/journal/records.ts'
import { transfer } from '../../support/resigned.ts'

const spending = (...vouts: number[]): string =>
  encodeTransaction({
    ...transfer,
    inputs: vouts.map((vout) => ({
      txid: 'ab'.repeat(32),
      vout,
      scriptSig: '',
      sequence: 0,
    })),
  })

const [first, second] = [spending(1), spending(1, 2)]
const txid = transactionId(first)
const at = '2026-11-27T00:00:00.000Z'
const ofThisGuard = ' --journal FILE, with the journal of this guard'

interface Recorded {
  readonly kind?: 'attempt' | 'handed-over'
  readonly id?: string
  readonly terms?: string
  readonly request?: string
  readonly more?: readonly JournalRecord[]
}

async function journalWith({
  kind = 'handed-over',
  id,
  terms = '["withdraw","KMD","76","1"]',
  request = '{"to":"R1"}',
  more = [],
}: Recorded) {
  const journal = memoryJournal()
  const about = { payment: 'terms first', terms, request, ...(id !== undefined && { id }) }
  const records = [{ kind, ...about, txid, hex: first, at } as const, ...more]
  for (const [index, record] of records.entries()) {
    await journal.append(index + 1, encodeRecord(record))
  }
  await bookOf(journal).catchUp()
  return journal
}

async function textFor(recorded: Recorded, { hex = second, name = 'terms other', user = '' } = {}) {
  return reservingText(await journalWith(recorded), { hex, name, user })
}

const fate = (kind: 'accepted' | 'settled' | 'dead' | 'refused' | 'sending'): JournalRecord => ({
  ...{ kind, payment: 'terms first', txid, at },
})

/** Another attempt at the same payment. */
const other = { hex: spending(1, 3), txid: transactionId(spending(1, 3)) }
const about = { payment: 'terms first', at }
const terms = '["withdraw","KMD","76","1"]'
const another: JournalRecord = { kind: 'attempt', ...about, ...other, terms, request: '{}' }

test('a transaction that was not sent is named with its request, and with the command', async () => {
  const text = await textFor({})
  expect(text).toContain(
    `it spends a coin of ${txid}, made for {"to":"R1"}. That one is recorded as handed over`,
  )
  expect(text).toContain(`antara-tx attempts forget ${txid}${ofThisGuard}`)
})

test.each<[string, readonly JournalRecord[], string]>([
  ['an accepted transaction', [fate('accepted')], '.'],
  ['a lost one, and to repeat its call', [], '. To send it, repeat the call that made it.'],
])('advises to wait for the block of %s', async (_, more, words) => {
  const text = await textFor({ kind: 'attempt', more })
  expect(text).toContain(
    `made for {"to":"R1"}${words} If that is another payment, repeat this call when a block has it. If it can never be mined, stop the guard and run antara-tx attempts forget ${txid}${ofThisGuard}`,
  )
})

test('one that the server refused is called refused or not sent', async () => {
  const text = await textFor({ more: [fate('sending'), fate('refused')] })
  expect(text).toContain(
    `. That one was handed over. The server refused it, or it was not sent. Send it. If it can never be mined, stop the guard and run antara-tx attempts forget ${txid}`,
  )
})

test.each<[string, Recorded, string]>([
  ['alone and not known to be sent', {}, 'If no program has sent it or will, stop'],
  [
    'beside another that may be mined',
    { more: [another] },
    'If neither it nor another attempt at its payment can be mined any more, stop',
  ],
  [
    'beside a dead one',
    { more: [another, { kind: 'dead', ...about, txid: other.txid }] },
    'If no program has sent it or will, stop',
  ],
])(
  'names the condition under which a transaction may be forgotten: %s',
  async (_, recorded, words) => {
    expect(await textFor(recorded)).toContain(
      `${words} the guard and run antara-tx attempts forget`,
    )
  },
)

test('the transaction of another payment is named as such', async () => {
  expect(await textFor({}, { hex: first })).toMatch(`it is ${txid}, made for`)
})

test('a long request is cut, so that no long hex is in it', async () => {
  const text = await textFor({ request: 'ab'.repeat(500) })
  expect(text).toContain(`${'ab'.repeat(80)}….`)
})

test.each<[string, Recorded, string, boolean]>([
  ['of the same user', { terms: '["alice","key"]' }, 'alice', true],
  ['of another user', { terms: '["alice","key"]' }, 'bob', false],
  ['of a guard without users', {}, 'withdraw', false],
  ['of a guard without users, in other words', { terms: 'pay' }, 'bob', false],
])('shows a request only to its own user: %s', async (_, recorded, user, isShown) => {
  const text = await textFor(recorded, { user })
  expect(text).toContain(txid)
  expect(text!.includes('R1')).toBe(isShown)
  expect(text!.includes('made for another user')).toBe(!isShown)
})

test.each<[string, Recorded, object]>([
  ['has other coins', {}, { hex: spending(2) }],
  ['is the payment itself', {}, { name: 'terms first' }],
  ['is malformed', {}, { hex: '00' }],
  ['meets one that is settled', { more: [fate('settled')] }, {}],
  ['meets one that is dead', { more: [fate('dead')] }, {}],
  ['meets one that was refused', { more: [fate('refused')] }, {}],
])('no reservation is named for a transaction that %s', async (_, recorded, asked) => {
  expect(await textFor(recorded, asked)).toBeUndefined()
})

test.each<[string, readonly JournalRecord[], boolean]>([
  ['was refused', [fate('refused')], true],
  ['may have been sent', [], false],
  ['is settled', [fate('settled')], false],
  ['is dead', [fate('dead')], false],
])(
  'names an earlier transaction of the payment only if it was refused: %s',
  async (_, more, isNamed) => {
    const text = refusedText(await journalWith({ kind: 'attempt', more }), 'terms first')
    const words = `${txid} is an earlier transaction of this payment, which was refused`
    expect(text?.startsWith(words) === true).toBe(isNamed)
    expect(text?.endsWith(`antara-tx attempts forget ${txid}${ofThisGuard}`) === true).toBe(isNamed)
  },
)

test.each<[string, Recorded, string, string | undefined]>([
  [
    'may have been sent, with a name',
    { kind: 'attempt', id: 'first' },
    spending(2),
    '. Repeat this call when a block has that one. If it can never be mined, stop',
  ],
  [
    'may have been sent, without a name',
    { kind: 'attempt' },
    spending(2),
    '. Do not repeat this call: once a block has that one and --repeat is over, it may pay again. If it can never be mined, stop',
  ],
  ['was handed over', {}, spending(2), 'That one is recorded as handed over'],
  ['shares an input', { kind: 'attempt' }, second, undefined],
  ['was refused', { kind: 'attempt', more: [fate('refused')] }, spending(2), undefined],
  ['is settled', { kind: 'attempt', more: [fate('settled')] }, spending(2), undefined],
  ['is dead', { kind: 'attempt', more: [fate('dead')] }, spending(2), undefined],
])(
  'an open transaction is named as what holds its own payment: %s',
  async (_, recorded, hex, way) => {
    const text = await openText(await journalWith(recorded), { hex, name: 'terms first' })
    if (way === undefined) return expect(text).toBeUndefined()
    expect(text).toContain(
      `${txid} is an earlier transaction of this payment, which may be mined too`,
    )
    expect(text).toContain(way)
  },
)
