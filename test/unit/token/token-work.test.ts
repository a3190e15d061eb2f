// These tests limit the work that untrusted bytes can cause: they count the work, not the time.

import { beforeEach, expect, test, vi } from 'vitest'
import { putModulesBack } from '../../support/own-modules.ts'

const work = { transactions: 0, payloads: 0, fulfillments: 0, errors: 0 }

// Modules of their own: others may have loaded them without the counts.
putModulesBack()
vi.resetModules()
vi.doMock(import('../../../src/errors/antara-error.ts'), async (original) => {
  const actual = await original()
  return {
    ...actual,
    AntaraError: class extends actual.AntaraError {
      constructor(...given: ConstructorParameters<typeof actual.AntaraError>) {
        super(...given)
        work.errors += 1
      }
    } as typeof actual.AntaraError,
  }
})
vi.doMock(import('../../../src/transaction/decode.ts'), async (original) => {
  const actual = await original()
  const decodeTransaction: typeof actual.decodeTransaction = (source) => {
    work.transactions += 1
    return actual.decodeTransaction(source)
  }
  return { ...actual, decodeTransaction }
})
vi.doMock(import('../../../src/token/payload/decode.ts'), async (original) => {
  const actual = await original()
  const decodeTokenPayload: typeof actual.decodeTokenPayload = (script) => {
    work.payloads += 1
    return actual.decodeTokenPayload(script)
  }
  return { ...actual, decodeTokenPayload }
})
vi.doMock(import('../../../src/script/read-condition-script.ts'), async (original) => {
  const actual = await original()
  const decodeConditionScriptSigs: typeof actual.decodeConditionScriptSigs = (scriptSigs) => {
    work.fulfillments += scriptSigs.length
    return actual.decodeConditionScriptSigs(scriptSigs)
  }
  return { ...actual, decodeConditionScriptSigs }
})

const { createTokenProver, decodeTokenPayload, encodeTransaction, tokenScript, transactionId } =
  await import('../../../src/index.ts')
const { verifyTokenTransfer } = await import('../../../src/index.ts')
const { decodeTransaction } = await import('../../../src/index.ts')
const { createTokenHistory } = await import('../../../src/token/proof/history.ts')
const { komodoRules } = await import('../../../src/token/rules/komodo.ts')
const { finish } = await import('../../../src/primitives/steps.ts')
const { createMissingFinder } = await import('../../../src/token/proof/missing.ts')
vi.doUnmock('../../../src/errors/antara-error.ts')
vi.doUnmock('../../../src/transaction/decode.ts')
vi.doUnmock('../../../src/token/payload/decode.ts')
vi.doUnmock('../../../src/script/read-condition-script.ts')

beforeEach(() => {
  Object.assign(work, { transactions: 0, payloads: 0, fulfillments: 0, errors: 0 })
})

const alice = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const bob = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
const tokenid = 'ab'.repeat(32)
const held = tokenScript(alice)
const fulfillment = `4c79a276a072a26ba067a5658021${alice}8140${'00'.repeat(64)}a100af038001f2a10001`

type Input = readonly [txid: string, vout: number]

function transaction(inputs: readonly Input[], scripts: readonly string[]): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: inputs.map(([txid, vout]) => ({
      txid,
      vout,
      scriptSig: fulfillment,
      sequence: 0xffffffff,
    })),
    outputs: scripts.map((script) => ({ value: script === held ? 1n : 0n, script })),
    lockTime: 0,
  })
}

/** A transfer that says nothing in many words: extras of the assets module without data. */
function transferPayload(extras: number, named = tokenid): string {
  const blob = `f274${named}0121${alice}${'1200'.repeat(extras)}`
  const length = (blob.length / 2).toString(16).padStart(4, '0')
  return `6a4d${length.slice(2)}${length.slice(0, 2)}${blob}`
}

/**
 * A transaction of `size` token inputs, whose one parent has as many outputs and a long payload.
 */
function burden(size: number, named = tokenid): { hex: string; parent: string } {
  const outputs = Array.from({ length: size }, () => held)
  const parent = transaction(
    [['cd'.repeat(32), 0]],
    [...outputs, transferPayload(100 * size, named)],
  )
  const txid = transactionId(parent)
  const inputs = outputs.map((_, vout): Input => [txid, vout])
  return { parent, hex: transaction(inputs, [tokenScript(bob), transferPayload(0)]) }
}

test('an extra without data is a problem of the first of its kind only', () => {
  const payload = decodeTokenPayload(transferPayload(1000))
  expect(payload?.extras).toHaveLength(1000)
  expect(payload?.extras.filter((it) => it.problem !== undefined)).toHaveLength(1)
  expect(work.errors).toBeLessThan(4)
})

test.each([
  ['makes tokens up', tokenid],
  ['has another token', 'ef'.repeat(32)],
])('another input of a parent that %s is no more reading', (_, named) => {
  const workFor = (size: number) => {
    const { hex, parent } = burden(size, named)
    Object.assign(work, { transactions: 0, payloads: 0, fulfillments: 0, errors: 0 })
    const intent = { tokenid, destination: bob, amount: BigInt(size), from: alice }
    expect(verifyTokenTransfer(hex, intent, { previousTransactions: [parent] }).ok).toBe(false)
    return { ...work }
  }
  const once = workFor(16)
  expect(workFor(32)).toEqual(once)
  expect(workFor(64)).toEqual(once)
  expect(once.payloads).toBeLessThan(6)
  expect(once.transactions).toBeLessThan(6)
})

test.each([false, true])(
  'a prover reads each transaction once for a token, signatures looked at: %s',
  (signatures) => {
    const workFor = (size: number) => {
      const parent = burden(size).parent
      const txid = transactionId(parent)
      const children = Array.from({ length: size }, (_, vout) =>
        transaction([[txid, vout]], [held, transferPayload(0)]),
      )
      const prover = createTokenProver([parent, ...children], { signatures })
      const outpoints = children.map((it) => [transactionId(it), 0] as const)
      const spent = Array.from({ length: size }, (_, vout) => [txid, vout] as const)
      Object.assign(work, { transactions: 0, payloads: 0, fulfillments: 0, errors: 0 })
      for (const [id, vout] of [...outpoints, ...spent]) prover.prove(id, vout, tokenid)
      return { ...work }
    }
    for (const size of [16, 32, 64]) {
      const { transactions, payloads, fulfillments, errors } = workFor(size)
      expect(transactions).toBe(size + 1)
      expect(payloads).toBe(size + 1)
      expect(fulfillments).toBeLessThanOrEqual(size + 1)
      expect(errors).toBeLessThan(4)
    }
  },
)

// 8,000 of them took 11.6 s while each question walked down to what is missing
test.each([
  ['the creation is missing, oldest first', 'root', (all: string[]) => all],
  ['the creation is missing, latest first', 'root', (all: string[]) => all.toReversed()],
  ['an ancestor is missing too, oldest first', 'both', (all: string[]) => all],
  ['an ancestor is missing too, latest first', 'both', (all: string[]) => all.toReversed()],
] as const)('asking for every transaction of a history is linear: %s', (_, what, order) => {
  const looksFor = (size: number) => {
    const root = what === 'root' ? tokenid : 'cd'.repeat(32)
    const all: string[] = []
    let last = root
    for (let at = 0; at < size; at += 1) {
      const hex = transaction([[last, 0]], [held, transferPayload(0)])
      all.push(hex)
      last = transactionId(hex)
    }
    const known = new Map(all.map((hex) => [transactionId(hex), decodeTransaction(hex)]))
    let looks = 0
    const source = {
      has: (txid: string) => {
        looks += 1
        return known.has(txid)
      },
      get: (txid: string) => {
        looks += 1
        return known.get(txid)
      },
    }
    const history = createTokenHistory(tokenid, source, komodoRules)
    for (const hex of order(all)) {
      const txid = transactionId(hex)
      expect(finish(history.prove([{ txid, vout: 0 }]))).toEqual([{ verdict: 'incomplete' }])
      const before = looks
      const missing = finish(history.missingFor([txid]))
      expect(missing).toEqual(what === 'root' ? [root] : [tokenid, root])
      if (hex !== order(all)[0]) expect(looks - before).toBeLessThan(10)
    }
    return looks
  }
  const once = looksFor(50)
  expect(once).toBeGreaterThan(50)
  expect(looksFor(100)).toBeLessThanOrEqual(2.1 * once)
  expect(looksFor(200)).toBeLessThanOrEqual(4.2 * once)
})

// 4,000 took 30 s while each way to what is missing was a place of its own
test('asking is linear too where each transaction comes to the same few in a way of its own', async () => {
  const visitsFor = (size: number, few: number) => {
    const lacks = new Map<string, { missing: string[]; restsOn: string[] }>()
    const absent = Array.from({ length: few }, (_, at) => `absent ${at}`)
    for (const txid of absent) lacks.set(txid, { missing: [txid], restsOn: [] })
    const all = Array.from({ length: size }, (_, at) => `${at}`)
    for (const [at, txid] of all.entries()) {
      const before = at === 0 ? absent : [all[at - 1]!, absent[at % few]!]
      lacks.set(txid, { missing: [], restsOn: before })
    }
    const finder = createMissingFinder((txid) => lacks.get(txid))
    let visits = 0
    for (const txid of all) {
      const steps = finder.below([txid])
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) visits += 1
      expect([...step.value]).toEqual(absent)
    }
    return visits
  }
  for (const few of [2, 64]) {
    const once = visitsFor(200, few)
    expect(once).toBeGreaterThan(200)
    expect(visitsFor(400, few)).toBeLessThanOrEqual(2.1 * once)
    expect(visitsFor(800, few)).toBeLessThanOrEqual(4.2 * once)
  }
})
