// Signatures of a ledger on other threads. The threads stand in memory here, so each test decides
// which groups they take, and what they answer.

import { describe, expect, test } from 'vitest'

import { answerTo, SignatureChecks, type ThreadWorker } from '../../../src/audit/signatures.ts'
import { decodeTransaction } from '../../../src/index.ts'
import { many } from '../../support/ledgers.ts'

type Group = Parameters<typeof answerTo>[0]

/** A thread that takes a group, or answers, only where a test lets it. */
class MemoryThread {
  readonly groups: Group[] = []
  readonly transferred: unknown[] = []
  isEnded = false
  readonly #handlers = new Map<string, (value: unknown) => void>()

  on(event: string, handler: (value: unknown) => void): void {
    this.#handlers.set(event, handler)
  }

  postMessage(group: Group, transferred: unknown[]): void {
    this.groups.push(group)
    this.transferred.push(...transferred)
  }

  async terminate(): Promise<number> {
    this.isEnded = true
    return 0
  }

  take(at = this.groups.length - 1): void {
    this.groups[at]!.taken[0] = 1
  }

  tell(event: 'message' | 'error' | 'exit', value: unknown): void {
    this.#handlers.get(event)!(value)
  }
}

const groupSize = 64
const outputs = new Map(
  many.flatMap(({ hex }) => {
    const { txid, outputs } = decodeTransaction(hex)
    return outputs.map((output, vout) => [`${txid}:${vout}`, output] as const)
  }),
)
/** The recorded transfer, which a tokeld mined, with the outputs that it spends. */
const { hex } = many.at(-1)!
const raw = Buffer.from(hex, 'hex')
const prevouts = decodeTransaction(hex).inputs.map((it) => outputs.get(`${it.txid}:${it.vout}`))
/** A signature commits to the value of what it spends. */
const false0 = prevouts.map((it, at) => (at === 0 ? { ...it!, value: it!.value + 1n } : it))

const goodOne = (txid: string) => ({ txid, raw, prevouts })
const badOne = (txid: string) => ({ txid, raw, prevouts: false0 })
const disproof = (txid: string, actual: unknown = expect.stringMatching(/ in inputs\[0\]$/)) => ({
  txid,
  rule: 'signature_invalid',
  actual,
})

function opened(threadsMax: number) {
  const threads: MemoryThread[] = []
  const checks = new SignatureChecks(threadsMax, () => {
    threads.push(new MemoryThread())
    return threads.at(-1) as unknown as ThreadWorker
  })
  const add = (count: number, name = 'good') => {
    for (let at = 0; at < count; at += 1) checks.add(goodOne(`${name} ${at}`))
  }
  return { checks, threads, add }
}

describe('without threads', () => {
  test('bad signatures are found, and only among what was added since', async () => {
    const { checks, threads, add } = opened(0)
    add(groupSize)
    checks.add(badOne('bad'))
    expect(await checks.finish()).toEqual([disproof('bad')])
    expect(await checks.finish()).toEqual([])
    expect(threads).toEqual([])
  })

  test('an input whose output is not named is not looked at', async () => {
    const { checks } = opened(0)
    checks.add({ txid: 'one', raw, prevouts: [undefined, ...false0.slice(1)] })
    checks.add({ txid: 'none', raw, prevouts: prevouts.map(() => undefined) })
    expect(await checks.finish()).toEqual([])
  })

  test('a transaction that cannot be read is named with its error', async () => {
    const { checks } = opened(0)
    checks.add({ txid: 'cut', raw: raw.subarray(0, 60), prevouts })
    expect(await checks.finish()).toEqual([disproof('cut', 'count_over_input')])
  })
})

test('an argument of another type is not a bad signature', async () => {
  const { checks } = opened(0)
  checks.add({ txid: 'odd', raw, prevouts: prevouts.map(() => 7 as never) })
  expect(await checks.finish().catch((error: unknown) => error)).toBeInstanceOf(TypeError)
})

describe('a group of 64', () => {
  test('is sent when it is full, as one buffer that is not copied', () => {
    const { checks, threads, add } = opened(1)
    add(groupSize - 1)
    expect(threads).toEqual([])
    checks.add(badOne('bad'))
    const [group] = threads[0]!.groups
    expect(group!.lengths).toEqual(Array(groupSize).fill(raw.length))
    expect(Buffer.from(group!.bytes)).toEqual(Buffer.concat(Array(groupSize).fill(raw)))
    expect(group!.prevouts).toEqual([...Array(groupSize - 1).fill(prevouts), false0])
    expect(group!.taken).toEqual(new Int32Array(1))
    expect(threads[0]!.transferred).toEqual([group!.bytes.buffer])
  })

  test('is checked here if no thread has taken it, and no thread takes it then', async () => {
    const { checks, threads, add } = opened(1)
    add(groupSize - 1)
    checks.add(badOne('bad'))
    expect(await checks.finish()).toEqual([disproof('bad')])
    expect(threads[0]!.groups[0]!.taken[0]).toBe(1)
  })

  test('is answered by the thread that has taken it, under its txid', async () => {
    const { checks, threads, add } = opened(1)
    add(groupSize)
    threads[0]!.take()
    const found = checks.finish()
    threads[0]!.tell('message', [{ index: 5, actual: 'signature_mismatch in inputs[2]' }])
    expect(await found).toEqual([disproof('good 5', 'signature_mismatch in inputs[2]')])
  })

  test('is answered in the order in which groups were sent to a thread', async () => {
    const { checks, threads, add } = opened(1)
    add(groupSize, 'first')
    add(groupSize, 'second')
    const [thread] = threads
    expect([threads.length, thread!.groups.length]).toEqual([1, 2])
    thread!.take(0)
    thread!.take(1)
    const found = checks.finish()
    thread!.tell('message', [{ index: 0, actual: 'one' }])
    thread!.tell('message', [{ index: 1, actual: 'other' }])
    expect(await found).toEqual([disproof('second 1', 'other'), disproof('first 0', 'one')])
  })

  test('is found bad where it is bad by the thread that takes it, and by no other', async () => {
    const { checks, threads, add } = opened(1)
    add(2)
    checks.add(badOne('bad'))
    add(groupSize - 4)
    checks.add(badOne('last'))
    const [group] = threads[0]!.groups
    const answer = answerTo(group!)
    expect(answer.map(({ index }) => index)).toEqual([2, groupSize - 1])
    expect(answerTo(group!)).toEqual([])
    const found = checks.finish()
    threads[0]!.tell('message', answer)
    expect(await found).toEqual([disproof('bad'), disproof('last')])
  })

  test('goes to an idle thread before another one is started', () => {
    const { threads, add } = opened(2)
    add(groupSize)
    threads[0]!.tell('message', [])
    add(groupSize)
    expect(threads.map(({ groups }) => groups.length)).toEqual([2])
  })

  test('goes to an idle thread, to a new one, or to the one that has least to do', async () => {
    const { checks, threads, add } = opened(2)
    const sent = () => threads.map(({ groups }) => groups.length)
    add(3 * groupSize)
    expect(sent()).toEqual([2, 1])
    add(groupSize)
    expect(sent()).toEqual([2, 2])
    for (let group = 0; group < 2; group += 1) threads[1]!.tell('message', [])
    add(groupSize)
    expect(sent()).toEqual([2, 3])
    add(groupSize)
    expect(sent()).toEqual([2, 4])
    expect(await checks.finish()).toEqual([])
  })

  test('leads to no finding once it was discarded, whoever checks it', async () => {
    const { checks, threads, add } = opened(1)
    add(groupSize - 1)
    checks.add(badOne('bad'))
    checks.add(badOne('further'))
    checks.forget()
    threads[0]!.tell('message', [{ index: 63, actual: 'late' }])
    expect(await checks.finish()).toEqual([])
  })
})

describe('a thread that fails', () => {
  test.each(['error', 'exit'] as const)(
    'fails the check of what it has taken: %s',
    async (event) => {
      const { checks, threads, add } = opened(1)
      add(2 * groupSize)
      threads[0]!.take(0)
      threads[0]!.take(1)
      const found = checks.finish()
      threads[0]!.tell(event, event === 'exit' ? 7 : new Error('out of memory'))
      const message = event === 'exit' ? 'a thread ended with 7' : 'out of memory'
      expect(await found.catch((error: unknown) => error)).toMatchObject({ message })
    },
  )
})

test('every thread is ended at the close', async () => {
  const { checks, threads, add } = opened(2)
  add(2 * groupSize)
  await checks.close()
  expect(threads.map(({ isEnded }) => isEnded)).toEqual([true, true])
})
