// A long verification blocks no other work. The tests count the work between two turns of the event
// loop, on a clock that makes every step as long as a slice.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import {
  buildPayment,
  encodeTransaction,
  signCase,
  type TransactionFields,
  tokenScript,
  transactionId,
  verifyPayment,
  verifyPaymentAsync,
  verifyTokenTransfer,
  verifyTokenTransferAsync,
} from '../../../src/index.ts'
import { finish, inSlices } from '../../../src/primitives/steps.ts'
import type { DaemonClient } from '../../../src/rpc/index.ts'
import { check } from '../../../src/rpc/safe-flow/check.ts'
import { pushOf } from '../../../src/script/push.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import {
  a,
  b,
  p2pk,
  privateKeys,
  transfer,
  transferHex,
  transferIntent,
} from '../../support/resigned.ts'

const engine = replaceableEngine()
const uncounted = { ...engine }
let decoded = 0
let onDecode: (count: number) => void = () => undefined
let work = 0

beforeEach(() => {
  ;[decoded, work] = [0, 0]
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 15
    return now
  })
  for (const [name, original] of Object.entries(uncounted)) {
    if (typeof original !== 'function') continue
    engine[name] = (...args) => {
      for (const arg of args) if (typeof arg === 'string') work += arg.length
      if (name === 'decodeWithTxid') {
        decoded += 1
        onDecode(decoded)
      }
      return Reflect.apply(original, engine, args)
    }
  }
})

afterEach(() => {
  vi.restoreAllMocks()
  onDecode = () => undefined
})

/** The most that is done between two turns of the event loop while `promise` is on its way. */
async function mostAtOnce(promise: Promise<unknown>): Promise<number> {
  let [most, before, isOver] = [0, work, false]
  const over = () => {
    isOver = true
  }
  promise.then(over, over)
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, work - before)
    before = work
  }
  return most
}

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at))

const held = tokenScript(a)
const someKey = (at: number): string => `02${(at + 1).toString(16).padStart(64, '0')}`
const fulfillmentOf = (key: string): string =>
  `4c79a276a072a26ba067a5658021${key}8140${'00'.repeat(64)}a100af038001f2a10001`
const payload = { value: 0n, script: `6a4c45f274${transferIntent.tokenid}0121${a}` }

/** Transfers of tokens, each by many keys, of which the last is spent. */
function history(count: number, inputs: number): { hex: string; ancestors: string[] } {
  const ancestors: string[] = []
  let last = encodeTransaction({
    ...transfer,
    inputs: [],
    outputs: [{ value: 1n, script: held }, payload],
  })
  for (let at = 0; at < count; at += 1) {
    ancestors.push(last)
    last = encodeTransaction(spending(last, inputs, at * inputs))
  }
  return { hex: encodeTransaction(spending(last, 1, 0)), ancestors: [...ancestors, last] }
}

function spending(parent: string, count: number, firstKey: number): TransactionFields {
  const txid = transactionId(parent)
  const inputs = times(count, (vout) => {
    return { txid, vout, scriptSig: fulfillmentOf(someKey(firstKey + vout)), sequence: 0xffffffff }
  })
  return { ...transfer, inputs, outputs: [{ value: 1n, script: held }, payload] }
}

describe('steps', () => {
  function* steps(count: number, done: number[]) {
    for (let at = 0; at < count; at += 1) {
      done.push(at)
      yield
    }
    return 'all'
  }

  test('are done at once, or with turns between', async () => {
    const done: number[] = []
    expect(finish(steps(3, done))).toBe('all')
    expect(done).toEqual([0, 1, 2])
    let turns = 0
    const count = () => {
      turns += 1
      waiting = setImmediate(count)
    }
    let waiting = setImmediate(count)
    expect(await inSlices(steps(20, done))).toBe('all')
    clearImmediate(waiting)
    expect(turns).toBeGreaterThan(5)
  })

  test('have a turn only when a slice is over', async () => {
    vi.mocked(performance.now).mockReturnValue(0)
    const order: string[] = []
    setTimeout(() => order.push('timer'))
    const all = inSlices(steps(1000, [])).then((result) => order.push(result))
    await all
    expect(order).toEqual(['all'])
  })

  test.each([0, 1, 4])('end with the reason of a signal that aborts after %d', async (count) => {
    const done: number[] = []
    const controller = new AbortController()
    const reason = new Error('enough')
    function* aborting() {
      if (count === 0) controller.abort(reason)
      for (const _ of steps(10, done)) {
        if (done.length === count) controller.abort(reason)
        yield
      }
    }
    const all = aborting()
    if (count === 0) all.next()
    await expect(inSlices(all, { signal: controller.signal })).rejects.toBe(reason)
    expect(done).toHaveLength(Math.max(count, count === 0 ? 1 : 0))
  })

  test('throw what a step throws', async () => {
    function* failing() {
      yield
      throw new Error('no')
    }
    await expect(inSlices(failing())).rejects.toThrow('no')
    expect(() => finish(failing())).toThrow('no')
  })
})

describe('a verdict', () => {
  const { hex, ancestors } = history(12, 50)
  const evidence = { previousTransactions: ancestors, tipHeight: 12 }
  const largest = Math.max(...ancestors.map((one) => one.length))

  test('does a small part of its work at once, and gives the same report', async () => {
    const report = verifyTokenTransfer(hex, transferIntent, evidence)
    const all = work
    work = 0
    const verdict = verifyTokenTransferAsync(hex, transferIntent, evidence)
    const most = await mostAtOnce(verdict)
    expect(await verdict).toEqual(report)
    expect(all).toBeGreaterThan(12 * largest)
    expect(most).toBeLessThan(3 * largest)
  })

  test('stops when its signal aborts, and rejects with the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    onDecode = (count) => {
      if (count === 5) controller.abort(reason)
    }
    const { signal } = controller
    const verdict = verifyTokenTransferAsync(hex, transferIntent, evidence, { signal })
    await expect(verdict).rejects.toBe(reason)
    expect(decoded).toBe(5)
    await expect(verifyTokenTransferAsync(hex, transferIntent, evidence, { signal })).rejects.toBe(
      reason,
    )
    expect(decoded).toBe(5)
  })

  test.each([null, 1, 'signal'])('refuses %j for options', async (options) => {
    const given = options as unknown as object
    await expect(verifyTokenTransferAsync(hex, transferIntent, evidence, given)).rejects.toThrow(
      TypeError,
    )
  })
})

test('signatures of half-signed inputs are counted with turns between the inputs', async () => {
  const keys = [a, b]
  const script = `52${keys.map((key) => pushOf(key)).join('')}52ae`
  const source = encodeTransaction({
    ...transfer,
    inputs: [{ ...transfer.inputs[0]!, txid: 'ee'.repeat(32), scriptSig: '51' }],
    outputs: times(20, () => ({ value: 100_000n, script })),
  })
  const request = {
    own: [script],
    coins: times(20, (vout) => ({ txid: transactionId(source), vout })),
    previousTransactions: [source],
    tipHeight: 60,
    recipients: [{ script: p2pk(a), amount: 'max' as const }],
  }
  const built = buildPayment(request)
  const { hex } = signCase(built, [privateKeys.get(b)!])
  expect(hex).not.toBe(built.hex)
  const report = verifyPayment(hex, built.intent, built.evidence)
  let [most, sinceTurn] = [0, 0]
  const { verifySignature } = uncounted
  engine.verifySignature = (...args) => {
    sinceTurn += 1
    most = Math.max(most, sinceTurn)
    return Reflect.apply(verifySignature as (...given: unknown[]) => unknown, engine, args)
  }
  let isOver = false
  const verdict = verifyPaymentAsync(hex, built.intent, built.evidence).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    sinceTurn = 0
  }
  expect(await verdict).toEqual(report)
  expect(report.findings.filter(({ actual }) => actual === '1 of 2 signatures')).toHaveLength(20)
  // Each input needs two checks, because the second key made its signature.
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(4)
})

describe('the safe flow', () => {
  const { hex, ancestors } = history(12, 50)
  const byTxid = new Map(ancestors.map((one) => [transactionId(one), one]))
  const client = {
    getblockcount: async () => 12,
    getrawtransaction: async ({ txid }: { txid: string }) => byTxid.get(txid) ?? transferHex,
    validateaddress: async () => ({ ismine: false }),
  } as unknown as DaemonClient
  const subject = {
    tokenids: [transactionId(transferHex)],
    terms: {},
    pubkey: b,
    verify: (source: string, evidence: object, _: object, options: object) =>
      verifyTokenTransferAsync(
        source,
        transferIntent,
        evidence as Parameters<typeof verifyTokenTransferAsync>[2],
        options,
      ),
  }

  test('verifies in slices', async () => {
    const checked = check({ client, options: {}, subject }, hex)
    const most = await mostAtOnce(checked)
    expect((await checked).report.ok).toBe(false)
    const largest = Math.max(...ancestors.map((one) => one.length))
    expect(work).toBeGreaterThan(60 * largest)
    expect(most).toBeLessThan(3 * largest)
  })

  test('ends in the middle of a verification that its signal aborts', async () => {
    const controller = new AbortController()
    const options = { signal: controller.signal }
    const fetched = 2 * ancestors.length
    onDecode = (count) => {
      if (count === fetched + 10) controller.abort(new Error('enough'))
    }
    const checked = check({ client, options, subject }, hex)
    await expect(checked).rejects.toMatchObject({ kind: 'aborted', cause: { message: 'enough' } })
    const before = decoded
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve))
    expect(decoded).toBe(before)
  })
})
