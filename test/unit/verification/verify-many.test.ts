import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

import {
  type Case,
  formatReport,
  parseCase,
  type Report,
  reportToJson,
  verifyCase,
  verifyMany,
} from '../../../src/index.ts'
import { reportLine } from '../../../src/verification/report-json.ts'
import { root } from '../../support/built.ts'
import { chain } from '../../support/vectors.ts'

const cases = ['transfer', 'transfer-stolen-change', 'transfer-wrong-destination', 'create'].map(
  (name) => parseCase(readFileSync(`${root}examples/${name}.json`, 'utf8')),
)
const alone = cases.map(verifyCase)

async function collected(reports: AsyncIterable<Report>): Promise<Report[]> {
  const all = []
  for await (const report of reports) all.push(report)
  return all
}

test('reports are those of the single calls, in the order of the cases', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(cases.length - 1), { maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (chosen, concurrency, isAsync) => {
        const given = chosen.map((index) => cases[index]!)
        const source = isAsync ? later(given) : given
        expect(await collected(verifyMany(source, { concurrency }))).toEqual(
          chosen.map((index) => alone[index]),
        )
      },
    ),
    { numRuns: 25 },
  )
})

async function* later(given: readonly Case[]): AsyncGenerator<Case> {
  for (const one of given) {
    await sleep(0)
    yield one
  }
}

test('takes no more cases than it may verify at a time', async () => {
  let taken = 0
  const endless = (function* () {
    for (;;) {
      taken += 1
      yield cases[0]!
    }
  })()
  let read = 0
  for await (const _ of verifyMany(endless, { concurrency: 3 })) {
    // the report that is handed over counts as one of three until now
    expect(taken - read).toBeLessThanOrEqual(3)
    read += 1
    if (read === 20) break
  }
  expect(taken).toBeLessThanOrEqual(22)
})

test('a report does not wait for the case behind it, and who stops reading ends the cases', async () => {
  let hasEnded = false
  const never = (async function* () {
    try {
      yield cases[0]!
      await new Promise(() => undefined)
    } finally {
      hasEnded = true
    }
  })()
  const first = await verifyMany(never)[Symbol.asyncIterator]().next()
  expect(first.value).toEqual(alone[0])
  const two = (async function* () {
    try {
      yield cases[0]!
      yield cases[1]!
      yield cases[2]!
    } finally {
      hasEnded = true
    }
  })()
  for await (const _ of verifyMany(two, { concurrency: 1 })) break
  await sleep(0)
  expect(hasEnded).toBe(true)
})

test('an abort ends them with its reason, even while a case is awaited', async () => {
  const controller = new AbortController()
  const never = (async function* () {
    yield cases[0]!
    await new Promise(() => undefined)
  })()
  const reports = verifyMany(never, { signal: controller.signal })[Symbol.asyncIterator]()
  expect((await reports.next()).value).toEqual(alone[0])
  const waiting = reports.next()
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(await reports.next()).toEqual({ done: true, value: undefined })
  const aborted = verifyMany(cases, { signal: AbortSignal.abort(new Error('before')) })
  await expect(collected(aborted)).rejects.toThrow('before')
})

const unreadable = {
  get operation() {
    throw new RangeError('this member cannot be read')
  },
}
const wrongTypes: readonly [name: string, given: unknown, code: string][] = [
  ['null', null, 'malformed_case'],
  ['a number', 5, 'malformed_case'],
  ['an unknown operation', { operation: 'none' }, 'malformed_case'],
  ['no intent', { ...cases[0]!, intent: undefined }, 'malformed_case'],
  ['a hex that is a number', { ...cases[0]!, hex: 5 }, 'malformed_case'],
  ['an unknown member', { ...cases[0]!, intent: { ...cases[0]!.intent, x: 1 } }, 'malformed_case'],
  ['a case that throws', unreadable, 'internal_error'],
]

test.each(wrongTypes)('reports %s in its place, and goes on', async (_, given, code) => {
  for (const at of [0, 1, 3]) {
    const hostile = [cases[0]!, cases[1]!, cases[2]!, cases[3]!].with(at, given as Case)
    for (const concurrency of [1, 2]) {
      const reports = await collected(verifyMany(hostile, { concurrency }))
      expect(reports.filter((__, index) => index !== at)).toEqual(
        alone.filter((__, index) => index !== at),
      )
      const { ok, findings, verified, ...rest } = reports[at]!
      expect({ ok, verified, ...rest }).toEqual({
        ok: false,
        broadcast: 'no',
        verified: undefined,
        hex: '',
        effects: [],
      })
      expect(findings).toMatchObject([{ code, severity: 'reject', path: 'case' }])
      expect(formatReport(reports[at]!)).toMatch(/^REJECTED/)
      expect(JSON.parse(reportLine(reports[at]!))).toEqual(reportToJson(reports[at]!))
    }
  }
})

test('repeats no private key of a case that it could not verify', async () => {
  const key = 'U'.repeat(52)
  const [report] = await collected(verifyMany([{ operation: key } as never]))
  expect(JSON.stringify(report)).not.toContain(key)
})

test('passes on errors of a source, and refuses wrong arguments at once', async () => {
  const broken = (function* (): Generator<Case> {
    yield cases[0]!
    throw new Error('no more')
  })()
  await expect(collected(verifyMany(broken))).rejects.toThrow('no more')
  expect(() => verifyMany({} as never)).toThrow(TypeError)
  for (const cases of [5, undefined, null]) {
    expect(() => verifyMany(cases as never)).toThrow(/^cases: /)
  }
  for (const options of [5, null, 'x']) {
    expect(() => verifyMany([], options as never)).toThrow(/^options: /)
  }
  for (const concurrency of [0, -1, 1.5, Number.NaN, '2', null]) {
    const options = { concurrency } as never
    expect(() => verifyMany([], options)).toThrow(/^options\.concurrency: /)
  }
})

test('no case is taken after an aborted signal, even if there is none', async () => {
  const signal = AbortSignal.abort(new Error('before'))
  await expect(collected(verifyMany([], { signal }))).rejects.toThrow('before')
  let taken = 0
  const source = (function* () {
    taken += 1
    yield cases[0]!
  })()
  await expect(collected(verifyMany(source, { signal }))).rejects.toThrow('before')
  expect(taken).toBe(0)
})

test('an abort ends the current verification too', async () => {
  let now = 0
  // every step is as long as a slice, after which others have their turn
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 15))
  try {
    const controller = new AbortController()
    const [given] = cases
    const previousTransactions = chain.map(({ hex }) => hex)
    const evidence = { ...given!.evidence, previousTransactions }
    const long = { ...given, evidence } as Case
    const reports = collected(verifyMany([long], { signal: controller.signal }))
    while (clock.mock.calls.length < 10) await sleep(0)
    controller.abort(new Error('enough'))
    await expect(reports).rejects.toThrow('enough')
    const before = clock.mock.calls.length
    for (let turn = 0; turn < 20; turn += 1) await sleep(0)
    expect(previousTransactions.length).toBeGreaterThan(50)
    expect(clock.mock.calls.length - before).toBeLessThan(5)
  } finally {
    clock.mockRestore()
  }
})

test('leaves no listener at a signal, and does not end a source twice', async () => {
  const { signal } = new AbortController()
  let ended = 0
  const source = (all: readonly Case[]) => {
    const left = [...all]
    return {
      [Symbol.iterator]: () => ({
        next: () => (left.length > 0 ? { value: left.shift()! } : { done: true, value: undefined }),
        return: () => {
          ended += 1
          return { done: true, value: undefined }
        },
      }),
    } as Iterable<Case>
  }
  expect(await collected(verifyMany(source(cases), { signal }))).toEqual(alone)
  expect([ended, getEventListeners(signal, 'abort').length]).toEqual([0, 0])
  for await (const _ of verifyMany(source(cases), { signal, concurrency: 1 })) break
  expect([ended, getEventListeners(signal, 'abort').length]).toEqual([1, 0])
})

test('lets other work run between cases that need no thread', async () => {
  // The clock advances by 10 us at each look, so that no single case takes long on any machine.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01))
  let hasRun = false
  setImmediate(() => {
    hasRun = true
  })
  function* untilOtherWork(): Generator<Case> {
    for (let count = 0; count < 3000 && !hasRun; count += 1) yield cases[0]!
  }
  for await (const report of verifyMany(untilOtherWork())) expect(report.ok).toBe(true)
  clock.mockRestore()
  expect(hasRun).toBe(true)
})
