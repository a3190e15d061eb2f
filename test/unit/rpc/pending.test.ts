// These tests hold what a flow does about the recorded attempts at a payment before it makes a new
// one. A wrong decision pays twice, or counts a payment as made that was not.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { encodeTransaction, transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { RpcError } from '../../../src/rpc/errors.ts'
import { attemptsMax, attemptsOf } from '../../../src/rpc/safe-flow/attempts.ts'
import type { Flow, Payment } from '../../../src/rpc/safe-flow/flow.ts'
import type { SafeFlowOptions } from '../../../src/rpc/safe-flow/options.ts'
import { paysOther } from '../../../src/rpc/safe-flow/pays-other.ts'
import { confirmSettled, recordEarlier, settlePending } from '../../../src/rpc/safe-flow/pending.ts'
import { loadAttemptReader } from '../../../src/rpc/safe-flow/transaction.ts'
import { seal } from '../../../src/verification/sealed.ts'
import { transfer } from '../../support/resigned.ts'

type Checked = Parameters<typeof paysOther>[0]

/** Returns a transaction that spends numbered outputs of the same transaction. */
function spending(vouts: readonly number[], scriptSig = '', parent = 'ab'.repeat(32)): string {
  return encodeTransaction({
    ...transfer,
    inputs: vouts.map((vout) => ({ txid: parent, vout, scriptSig, sequence: 0 })),
  })
}

const idOf = transactionId
const first = spending([1])
const second = spending([1, 2])
/** The first one as a third party may change it: its scriptSig is another. */
const copy = spending([1], '51')
const unknown = { reason: 'unknown' } as const
const minute = 60_000
const depth = 100

interface World {
  readonly id?: string
  readonly isDurable?: boolean
  readonly options?: SafeFlowOptions
  /** The transactions that the server has, by txid. */
  readonly has?: { readonly [txid: string]: string }
  /** Which transaction spends an output. */
  readonly spentBy?: { readonly [outpoint: string]: string }
  readonly tip?: number
  readonly place?: { readonly height?: number }
  /** The findings of a verifier. */
  readonly findings?: readonly { readonly code: string; readonly severity: string }[]
  /** Hex that a verifier seals, if that is not the hex that it was given. */
  readonly seals?: string
  readonly answer?: (txid: string) => Promise<void>
  readonly isDead?: boolean
  /** Servers of the framework do not show the tip, nor what spends an output. */
  readonly saysLittle?: boolean
}

/** A flow of one payment with a journal of its own, and what it asked for. */
async function flowOf(world: World = {}) {
  const { id, isDurable = true, findings = [] } = world
  const journal = memoryJournal()
  const book = bookOf(journal)
  const named = {
    name: id === undefined ? 'terms same' : `id ${id}`,
    terms: 'same',
    request: '{}',
    ...(id !== undefined && { id }),
  }
  const attempts = attemptsOf(book, named, await loadAttemptReader())
  const asked: string[] = []
  const steps: object[] = []
  const view: Partial<Payment> = {
    tip: async () => world.tip,
    spender: async (outpoint) => {
      asked.push(`spender of ${outpoint}`)
      return world.spentBy?.[outpoint]
    },
    isDead: async () => world.isDead === true,
  }
  const payment = {
    options: { onProgress: (step: object) => steps.push(step), ...world.options },
    refusal: 'daemon',
    place: async (txid: string) => {
      asked.push(`place ${txid}`)
      return world.place ?? { height: 7 }
    },
    lookUp: async (txid: string) => {
      asked.push(`look up ${txid}`)
      return world.has?.[txid] ?? unknown
    },
    check: async (hex: string, state?: string) => {
      asked.push(`check ${state ?? 'new'}`)
      const sealed = world.seals ?? hex
      const ok = findings.length === 0
      const verified = ok ? seal(sealed, idOf(sealed)) : undefined
      return { report: { ok, findings, hex, verified } }
    },
    send: async ({ txid }: { txid: string }) => {
      asked.push(`send ${txid}`)
      await world.answer?.(txid)
    },
    ...(world.saysLittle !== true && view),
  }
  const flow = { payment, attempts, journal, book, named, isDurable } as unknown as Flow
  const read = await loadAttemptReader()
  return {
    flow,
    attempts,
    asked,
    steps,
    journal,
    remember: (hex: string, isNamed = false) =>
      attempts.remember(read(hex)!, { differentInputs: true, isNamed }),
    kinds: async () => (await journal.read(0)).map((text) => JSON.parse(text).kind),
    lastRecord: async () => JSON.parse((await journal.read(0)).at(-1)!),
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-02T03:04:05Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('attempts that the caller names', () => {
  test.each([
    ['one', first, 1],
    ['several', [first, second], 2],
  ])('are recorded as named by the caller: %s', async (_, earlier, count) => {
    const { flow, attempts } = await flowOf({ options: { earlier } })
    expect(await recordEarlier(flow)).toBeUndefined()
    expect(attempts.unsettled().map(({ isNamed }) => isNamed)).toEqual(Array(count).fill(true))
    expect(attempts.unsettled().at(-1)).toMatchObject({ txid: idOf(first), hex: first })
  })

  test('change nothing if there are none', async () => {
    const { flow, kinds } = await flowOf()
    expect(await recordEarlier(flow)).toBeUndefined()
    expect(await kinds()).toEqual([])
  })

  test('stop the flow if one cannot be read, with the report about it', async () => {
    const { flow, kinds } = await flowOf({ options: { earlier: ['00', first] } })
    Object.assign(flow.payment, { check: async (hex: string) => ({ report: { hex } }) })
    expect(await recordEarlier(flow)).toEqual({ report: { hex: '00' }, held: 'rejected' })
    expect(await kinds()).toEqual([])
  })

  test('are passed over where the payment is settled by just that one', async () => {
    const { flow, attempts, remember, kinds } = await flowOf({
      options: { earlier: [first, second] },
    })
    await remember(first)
    await attempts.note('settled', idOf(first))
    expect(await recordEarlier(flow)).toBeUndefined()
    expect(await kinds()).toEqual(['attempt', 'settled', 'attempt'])
  })

  test('stop the flow if there are more than are kept, and the report is of the first of these', async () => {
    const many = Array.from({ length: attemptsMax + 1 }, (_, at) => spending([at]))
    const { flow, kinds } = await flowOf({ options: { earlier: many } })
    const outcome = await recordEarlier(flow)
    expect(outcome).toMatchObject({ report: { hex: many.at(-1) }, held: 'too-many-attempts' })
    expect(await kinds()).toHaveLength(attemptsMax)
  })

  test('make the flow begin again if another process recorded something', async () => {
    const { flow } = await flowOf({ options: { earlier: first } })
    Object.assign(flow.attempts, { remember: async () => 'changed' })
    expect(await recordEarlier(flow)).toBe('changed')
  })
})

describe('a settled payment', () => {
  /** Settles a payment by the first transaction, and asks for it again after a while. */
  async function askedAgain(world: World, record: object = {}, laterMs = minute) {
    const made = await flowOf(world)
    await made.remember(first)
    await made.attempts.note('settled', idOf(first), record)
    vi.setSystemTime(Date.now() + laterMs)
    return { ...made, outcome: await confirmSettled(made.flow) }
  }
  const inChain = { [idOf(first)]: first.toUpperCase() }
  const repeated = { txid: idOf(first), repeated: true }

  test('is none where nothing is settled', async () => {
    const { flow, remember, asked } = await flowOf()
    await remember(first)
    expect(await confirmSettled(flow)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('is the result of the same request, verified as a transaction of the chain', async () => {
    const { outcome, asked, steps, kinds } = await askedAgain({ has: inChain })
    expect(outcome).toMatchObject({ ...repeated, report: { ok: true, hex: first } })
    expect(asked).toEqual([`look up ${idOf(first)}`, 'check on-chain'])
    expect(steps).toEqual([{ step: 'looking-up-earlier', txid: idOf(first) }])
    expect(await kinds()).toEqual(['attempt', 'settled'])
  })

  test.each([
    ['with an id, always', { id: 'rent' }, 1000 * minute, true],
    ['with an id in a journal in memory', { id: 'rent', isDurable: false }, 1000 * minute, true],
    ['without an id, within ten minutes', {}, 10 * minute - 1, true],
    ['without an id, after ten minutes', {}, 10 * minute, false],
    ['without an id, if the clock went back', {}, -minute, true],
    ['without an id, within the time of the call', { options: { repeatMs: 5 } }, 4, true],
    ['without an id, after the time of the call', { options: { repeatMs: 5 } }, 5, false],
    ['without an id, where no time is given', { options: { repeatMs: 0 } }, 0, false],
    ['without an id, in a journal in memory', { isDurable: false }, 0, false],
  ])('answers a request %s: %o after %d ms is %s', async (_, world, laterMs, isRepetition) => {
    const { outcome } = await askedAgain({ has: inChain, ...world }, {}, laterMs)
    if (isRepetition) expect(outcome).toMatchObject(repeated)
    else expect(outcome).toBeUndefined()
  })

  test.each([
    ['at no known height', {}, 1000, true],
    ['under a tip that is unknown', { height: 5 }, undefined, true],
    ['99 blocks under the tip', { height: 5 }, 5 + depth - 1, true],
    ['100 blocks under the tip, where no chain changes', { height: 5 }, 5 + depth, false],
  ])('is paid again if the server has it no longer, %s', async (_, record, tip, isAgain) => {
    const { outcome, attempts, kinds } = await askedAgain(tip === undefined ? {} : { tip }, record)
    if (!isAgain) return expect(outcome).toMatchObject(repeated)
    expect(outcome).toBeUndefined()
    expect((await kinds()).at(-1)).toBe('reopened')
    return expect(attempts.unsettled().map(({ txid }) => txid)).toEqual([idOf(first)])
  })

  test('is paid again if a server that does not show the tip has it no longer', async () => {
    const { outcome, kinds } = await askedAgain({ saysLittle: true }, { height: 5 })
    expect(outcome).toBeUndefined()
    expect((await kinds()).at(-1)).toBe('reopened')
  })

  test('is paid again if the server has another transaction under its txid', async () => {
    const { outcome, kinds } = await askedAgain({ has: { [idOf(first)]: copy } })
    expect(outcome).toBeUndefined()
    expect((await kinds()).at(-1)).toBe('reopened')
  })

  test('is looked up as the copy that was mined, and returned under the txid of that', async () => {
    const world = { has: { [idOf(copy)]: copy } }
    const { outcome, asked } = await askedAgain(world, { minedAs: idOf(copy) })
    expect(outcome).toMatchObject({ txid: idOf(copy), repeated: true, report: { hex: first } })
    expect(asked[0]).toBe(`look up ${idOf(copy)}`)
  })

  test.each([
    ['is another transaction', spending([2], '51')],
    ['has another txid', spending([1], '52')],
    ['is malformed', '00'],
  ])('is paid again if what the server has for its copy %s', async (_, found) => {
    const world = { has: { [idOf(copy)]: found } }
    const { outcome, lastRecord } = await askedAgain(world, { minedAs: idOf(copy) })
    expect(outcome).toBeUndefined()
    expect(await lastRecord()).toMatchObject({ kind: 'reopened', txid: idOf(first) })
  })

  test('is paid again if its bytes were changed in the journal, whatever copy the server has', async () => {
    const { flow, remember, kinds } = await flowOf({ has: { [idOf(copy)]: copy } })
    await remember(first)
    const at = new Date(Date.now()).toISOString()
    const settled = () => ({ txid: idOf(first), hex: '00', at, minedAs: idOf(copy) })
    Object.assign(flow.attempts, { settled })
    expect(await confirmSettled(flow)).toBeUndefined()
    expect((await kinds()).at(-1)).toBe('reopened')
  })

  test('is not looked up after compaction, which drops its bytes, and has an empty report', async () => {
    const { flow, asked } = await flowOf({ id: 'rent' })
    const at = new Date(Date.now()).toISOString()
    const settled = () => ({ txid: idOf(first), hex: '', at })
    Object.assign(flow.attempts, { settled })
    const empty = { findings: [], hex: '', effects: [] }
    const report = { ok: true, broadcast: 'no', unverified: true, ...empty }
    expect(await confirmSettled(flow)).toEqual({ ...repeated, report })
    expect(asked).toEqual([])
  })
})

describe('an attempt that the server has', () => {
  const inChain = { [idOf(first)]: first.toUpperCase() }
  const other = [{ code: 'output_unexplained', severity: 'reject' }]
  const dearer = [{ code: 'fee_exceeded', severity: 'reject' }]
  const warned = [{ code: 'output_unexplained', severity: 'warn' }]

  /** Settles what was attempted by the first transaction. */
  async function settled(world: World, { isNamed = false, isAccepted = false, laterMs = 0 } = {}) {
    const made = await flowOf(world)
    await made.remember(first, isNamed)
    if (isAccepted) await made.attempts.note('accepted', idOf(first))
    vi.setSystemTime(Date.now() + laterMs)
    const outcome = await settlePending(made.flow)
    return { ...made, outcome }
  }

  test('is the result, and recorded as settled with its height', async () => {
    const { outcome, asked, steps, lastRecord } = await settled({ has: inChain })
    expect(outcome).toMatchObject({ txid: idOf(first), repeated: true, report: { hex: first } })
    expect(outcome).not.toHaveProperty('held')
    expect(asked).toEqual([`look up ${idOf(first)}`, 'check on-chain', `place ${idOf(first)}`])
    expect(steps).toEqual([{ step: 'looking-up-earlier', txid: idOf(first) }])
    const record = await lastRecord()
    expect(record).toMatchObject({ kind: 'settled', txid: idOf(first), height: 7 })
    expect(record).not.toHaveProperty('minedAs')
  })

  test('is the result and not yet settled while it waits for a block', async () => {
    const { outcome, kinds } = await settled({ has: inChain, place: {} })
    expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
    expect(await kinds()).toEqual(['attempt'])
  })

  test('is settled by a server that does not show the tip only with the height of its block', async () => {
    const world = { has: inChain, saysLittle: true }
    const { outcome, lastRecord } = await settled(world)
    expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
    expect(await lastRecord()).toMatchObject({ kind: 'settled', height: 7 })
    const waiting = await settled({ ...world, place: {} })
    expect(waiting.outcome).toMatchObject({ txid: idOf(first), repeated: true })
    expect(await waiting.kinds()).toEqual(['attempt'])
  })

  test('is the result of a dry run, which records nothing', async () => {
    const { outcome, kinds } = await settled({ has: inChain, options: { dryRun: true } })
    expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
    expect(await kinds()).toEqual(['attempt'])
  })

  test('is settled in memory without a look at blocks, and forgotten unless it has an id', async () => {
    const nameless = await settled({ has: inChain, isDurable: false })
    expect(nameless.outcome).toMatchObject({ txid: idOf(first), repeated: true })
    expect(nameless.asked).not.toContain(`place ${idOf(first)}`)
    expect(nameless.attempts.settled()).toBeUndefined()
    const named = await settled({ has: inChain, isDurable: false, id: 'rent' })
    expect(named.attempts.settled()).toMatchObject({ txid: idOf(first) })
    expect(await named.kinds()).toEqual(['attempt', 'settled'])
    const durable = await settled({ has: inChain })
    expect(durable.attempts.settled()).toMatchObject({ txid: idOf(first) })
  })

  test.each([
    ['after ten minutes', {}, 10 * minute, false],
    ['within ten minutes', {}, 10 * minute - 1, true],
    ['with an id', { id: 'rent' }, 10 * minute, true],
    ['in a journal in memory', { isDurable: false }, 10 * minute, true],
  ])(
    'answers the request that repeats it once it was accepted, %s',
    async (_, world, laterMs, isIt) => {
      const { outcome } = await settled({ has: inChain, ...world }, { isAccepted: true, laterMs })
      if (isIt) expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
      else expect(outcome).toBeUndefined()
    },
  )

  test('answers a request for ever if the server never said that it took it', async () => {
    const { outcome } = await settled({ has: inChain }, { laterMs: 1000 * minute })
    expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
  })

  test.each([
    ['is another payment later if it was only handed over', [], 'accepted', false],
    ['is repeated later if a broadcast of it was refused', ['sending', 'refused'], 'sending', true],
  ] as const)('%s', async (_, kinds, kind, isRepeated) => {
    const made = await flowOf({ has: inChain })
    await made.attempts.remember((await loadAttemptReader())(first)!, { isHandOver: true })
    for (const one of kinds) await made.attempts.note(one, idOf(first))
    vi.setSystemTime(Date.now() + 1000 * minute)
    const outcome = await settlePending(made.flow)
    if (isRepeated) expect(outcome).toMatchObject({ txid: idOf(first), repeated: true })
    else expect(outcome).toBeUndefined()
    expect(await made.kinds()).toEqual(['handed-over', ...kinds, kind, 'settled'])
  })

  test.each([
    ['pays something else', other, false, true, true],
    ['costs another fee', dearer, false, true, false],
    ['has a warning', warned, false, true, false],
    ['was named by the caller and costs another fee', dearer, true, true, false],
    ['pays something else, in memory', other, false, false, false],
    ['was named by the caller and pays something else, in memory', other, true, false, true],
  ])('is held if it %s', async (_, findings, isNamed, isDurable, isHeld) => {
    const { outcome, kinds } = await settled({ has: inChain, findings, isDurable }, { isNamed })
    if (!isHeld) return expect(outcome).not.toHaveProperty('held')
    expect(outcome).toMatchObject({ held: 'rejected', report: { findings } })
    return expect(await kinds()).toEqual(['attempt'])
  })

  test('is the result before another one that is held', async () => {
    const { flow, remember } = await flowOf({
      has: { [idOf(first)]: first, [idOf(second)]: second },
    })
    Object.assign(flow.payment, {
      check: async (hex: string) => ({ report: { findings: hex === second ? other : [] } }),
    })
    await remember(first)
    await remember(second)
    expect(await settlePending(flow)).toMatchObject({ txid: idOf(first), repeated: true })
  })

  test('is held as the latest of those that pay something else', async () => {
    const { flow, remember } = await flowOf({
      has: { [idOf(first)]: first, [idOf(second)]: second },
      findings: other,
    })
    await remember(first)
    await remember(second)
    expect(await settlePending(flow)).toMatchObject({ held: 'rejected', report: { hex: second } })
  })

  describe('as a copy', () => {
    const outpoint = `${'ab'.repeat(32)}:1`
    const asCopy = { has: { [idOf(copy)]: copy }, spentBy: { [outpoint]: idOf(copy) } }

    test('is settled under the txid of the copy', async () => {
      const { outcome, lastRecord } = await settled(asCopy)
      expect(outcome).toMatchObject({ txid: idOf(copy), repeated: true, report: { hex: first } })
      expect(await lastRecord()).toMatchObject({
        kind: 'settled',
        txid: idOf(first),
        minedAs: idOf(copy),
      })
    })

    test.each([
      [
        'the spender is another transaction',
        { has: { [idOf(copy)]: second }, spentBy: asCopy.spentBy },
      ],
      ['nobody has the spender', { spentBy: asCopy.spentBy }],
      ['no spender is known', { has: asCopy.has }],
      ['the server does not know spenders', { has: asCopy.has, saysLittle: true }],
    ])('is not settled if %s, but sent again', async (_, world) => {
      const { outcome, asked } = await settled(world)
      expect(outcome).toMatchObject({ txid: idOf(first) })
      expect(outcome).not.toHaveProperty('repeated')
      expect(asked).toContain(`send ${idOf(first)}`)
    })

    test.each([
      ['the server knows no spender', {}],
      ['it is the spender itself', { spentBy: { [outpoint]: idOf(first) } }],
    ])('is not looked up if %s', async (_, world) => {
      const { asked } = await settled(world)
      expect(asked.filter((it) => it.startsWith('look up'))).toEqual([`look up ${idOf(first)}`])
    })

    test('is not settled by the transaction of another payment, which pays only once', async () => {
      const made = await flowOf({ ...asCopy, id: 'rent' })
      const read = await loadAttemptReader()
      const payment = { name: 'id food', terms: 'same', request: '{}', id: 'food' }
      await attemptsOf(made.flow.book, payment, read).remember(read(copy)!)
      await made.remember(first)
      await settlePending(made.flow)
      expect(made.asked).not.toContain(`look up ${idOf(copy)}`)
      expect(made.attempts.settled()).toBeUndefined()
    })
  })
})

describe('an attempt that the server does not have', () => {
  const refused = new RpcError('daemon', 'refused', { code: -26 })
  const lost = new RpcError('transport', 'lost', { uncertain: true })

  test('is sent again, the latest first, and nothing else', async () => {
    const { flow, remember, asked } = await flowOf()
    await remember(first)
    await remember(second)
    expect(await settlePending(flow)).toMatchObject({ txid: idOf(second) })
    expect(asked.filter((it) => it.startsWith('send'))).toEqual([`send ${idOf(second)}`])
  })

  test('is followed by an earlier one if the server refuses it', async () => {
    const answer = async (txid: string) => {
      if (txid === idOf(second)) throw refused
    }
    const { flow, remember, asked } = await flowOf({ answer })
    await remember(first)
    await remember(second)
    expect(await settlePending(flow)).toMatchObject({ txid: idOf(first) })
    expect(asked.filter((it) => it.startsWith('send'))).toHaveLength(2)
  })

  describe('and that could be mined beside another one', () => {
    const apart = spending([5])
    const sentOf = (asked: readonly string[]) => asked.filter((it) => it.startsWith('send'))

    test('is not sent if the caller only names it', async () => {
      const { flow, remember, asked } = await flowOf()
      await remember(first)
      await remember(apart, true)
      expect(await settlePending(flow)).toMatchObject({ txid: idOf(first) })
      expect(sentOf(asked)).toEqual([`send ${idOf(first)}`])
    })

    test('holds the payment if the server refuses the other one', async () => {
      const { flow, remember, asked } = await flowOf({ answer: () => Promise.reject(refused) })
      await remember(first)
      await remember(apart, true)
      const held = { held: 'different-inputs', report: { hex: apart } }
      expect(await settlePending(flow)).toMatchObject(held)
      expect(sentOf(asked)).toEqual([`send ${idOf(first)}`])
    })

    test('is not sent if the server refused it, and the caller names the other one', async () => {
      const { flow, attempts, remember, asked } = await flowOf()
      await remember(first)
      await attempts.note('refused', idOf(first))
      await remember(apart, true)
      expect(await settlePending(flow)).toMatchObject({ held: 'different-inputs' })
      expect(sentOf(asked)).toEqual([])
    })

    test('is not sent if a server has shown the other one, which the caller names', async () => {
      const world = { has: { [idOf(apart)]: apart }, place: {} }
      const { flow, remember, asked, kinds } = await flowOf(world)
      await remember(first)
      await remember(apart, true)
      expect(await settlePending(flow)).toMatchObject({ txid: idOf(apart), repeated: true })
      expect(await kinds()).toEqual(['attempt', 'attempt', 'accepted'])
      Object.assign(world, { has: {} })
      expect(await settlePending(flow)).toMatchObject({ held: 'different-inputs' })
      expect(sentOf(asked)).toEqual([])
    })

    test('is sent if the caller accepts that both are mined', async () => {
      const { flow, remember } = await flowOf({ options: { differentInputs: true } })
      await remember(first)
      await remember(apart, true)
      expect(await settlePending(flow)).toMatchObject({ txid: idOf(apart) })
    })

    test('is sent if it was named first, or shares an input', async () => {
      const { flow, remember, asked } = await flowOf()
      await remember(first, true)
      await remember(second, true)
      expect(await settlePending(flow)).toMatchObject({ txid: idOf(second) })
      expect(sentOf(asked)).toEqual([`send ${idOf(second)}`])
    })
  })

  test('ends the flow if its fate is unknown', async () => {
    const { flow, remember } = await flowOf({ answer: () => Promise.reject(lost) })
    await remember(first)
    await remember(second)
    await expect(settlePending(flow)).rejects.toBe(lost)
  })

  test.each([
    ['the verifier rejects it', { findings: [{ code: 'expired', severity: 'reject' }] }],
    ['its bytes were changed in the journal', { seals: second }],
  ])('is not sent if %s', async (_, world) => {
    const { flow, remember, asked } = await flowOf(world)
    await remember(first)
    expect(await settlePending(flow)).toBeUndefined()
    expect(asked.filter((it) => it.startsWith('send'))).toEqual([])
  })

  test('is not sent beside one that the chain has, if the request is a new payment', async () => {
    const { flow, attempts, remember, asked } = await flowOf({
      has: { [idOf(second)]: second },
    })
    await remember(first)
    await remember(second)
    await attempts.note('accepted', idOf(second))
    vi.setSystemTime(Date.now() + 10 * minute)
    expect(await settlePending(flow)).toBeUndefined()
    expect(asked.filter((it) => it.startsWith('send'))).toEqual([])
  })

  describe('and that can never be mined', () => {
    const rejected = [{ code: 'expired', severity: 'reject' }]
    const trusting = { trustServer: true } as const

    test.each([
      ['a trusted server shows it', { options: trusting, isDead: true }, true],
      ['a server shows it that is not trusted', { isDead: true }, false],
      ['a trusted server does not show it', { options: trusting }, false],
      ['a trusted server knows nothing of it', { options: trusting, saysLittle: true }, false],
    ])('is recorded as such only if %s', async (_, world, isDead) => {
      const { flow, remember, attempts } = await flowOf({ findings: rejected, ...world })
      await remember(first)
      expect(await settlePending(flow)).toBeUndefined()
      expect(attempts.unsettled()).toHaveLength(isDead ? 0 : 1)
    })

    test.each([
      ['malformed', '00'],
      ['those of another transaction', second],
    ])('is not recorded as such if its bytes in the journal are %s', async (_, hex) => {
      const world = { findings: rejected, options: trusting, isDead: true }
      const { flow, attempts, asked } = await flowOf(world)
      await attempts.remember({ txid: idOf(first), hex, outpoints: new Set() })
      expect(await settlePending(flow)).toBeUndefined()
      expect(attempts.unsettled()).toHaveLength(1)
      expect(asked).not.toContain('spender of undefined')
    })

    /** An attempt that spends an output of the first transaction, which a copy has replaced. */
    async function afterCopy({
      knowsHeight = true,
      tip = 5 + depth,
      parent = first,
      isCopy = true,
    }) {
      const made = await flowOf({ findings: rejected, options: trusting, tip, id: 'rent' })
      const read = await loadAttemptReader()
      const payment = { name: 'id food', terms: 'food', request: '{}', id: 'food' }
      const paid = attemptsOf(made.flow.book, payment, read)
      await paid.remember(read(first)!)
      await paid.note('settled', idOf(first), {
        ...(knowsHeight && { height: 5 }),
        ...(isCopy && { minedAs: idOf(copy) }),
      })
      const spender = encodeTransaction({
        ...transfer,
        inputs: [0, 1].map((vout) => ({
          txid: vout === 0 ? 'cd'.repeat(32) : idOf(parent),
          vout,
          scriptSig: '',
          sequence: 0,
        })),
      })
      await made.remember(spender)
      await settlePending(made.flow)
      return made.attempts.unsettled().length === 0
    }

    test('is recorded as such if it spends what a copy has replaced, deep in the chain', async () => {
      expect(await afterCopy({})).toBe(true)
      expect(await afterCopy({ tip: 5 + depth - 1 })).toBe(false)
      expect(await afterCopy({ knowsHeight: false })).toBe(false)
      expect(await afterCopy({ parent: copy })).toBe(false)
      expect(await afterCopy({ isCopy: false })).toBe(false)
    })
  })
})

test.each([
  [[], false],
  [[{ code: 'fee_exceeded', severity: 'reject' }], false],
  [[{ code: 'order_price', severity: 'reject' }], false],
  [[{ code: 'order_price_open', severity: 'reject' }], true],
  [[{ code: 'no_fee_known', severity: 'reject' }], true],
  [[{ code: 'output_unexplained', severity: 'warn' }], false],
  [
    [
      { code: 'fee_exceeded', severity: 'reject' },
      { code: 'output_unexplained', severity: 'reject' },
    ],
    true,
  ],
])(
  'a payment pays something else if it has a reject that is about neither the fee nor the price: %j',
  (findings, isOther) => {
    expect(paysOther({ report: { findings } } as unknown as Checked)).toBe(isOther)
  },
)
