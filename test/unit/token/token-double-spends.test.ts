// Two transactions that spend one output cannot both be on a chain, so nothing may rest on both.

import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Checked } from '../../../src/token/proof/check.ts'
import { putModulesBack } from '../../support/own-modules.ts'
import { isQuick } from '../../support/share.ts'

const work = { visits: 0 }

// Modules of their own: others may have loaded them without the count.
putModulesBack()
vi.resetModules()
vi.doMock('../../../src/token/proof/walk.ts', async (original) => {
  const actual = await original<typeof import('../../../src/token/proof/walk.ts')>()
  const walk: typeof actual.walk = (start, enter, leave) => {
    const counted = (txid: string) => {
      work.visits += 1
      return enter(txid)
    }
    return actual.walk(start, counted, leave)
  }
  return { ...actual, walk }
})

const { createTokenProver, encodeTokenPayload, encodeTransaction, tokenScript, transactionId } =
  await import('../../../src/index.ts')
const { createClaims } = await import('../../../src/token/proof/claim.ts')
vi.doUnmock('../../../src/token/proof/walk.ts')

beforeEach(() => {
  work.visits = 0
})

/** A transaction of a made-up history: the numbers of its parents, and what it spends. */
interface Row {
  readonly parents: readonly number[]
  readonly spends: readonly string[]
}

function claimsOf(rows: readonly Row[]) {
  const checked = new Map<string, Checked>(
    rows.map(({ parents, spends }, at) => [
      `${at}`,
      { state: 'sound', amounts: new Map(), missing: [], restsOn: parents.map(String), spends },
    ]),
  )
  const spent = rows.flatMap(({ spends }) => spends)
  const twice = new Set(spent.filter((key, at) => spent.indexOf(key) !== at))
  return createClaims(checked, new Map([...twice].map((key, number) => [key, number])))
}

/** The transactions that some rest on, with these. */
function below(rows: readonly Row[], targets: readonly number[]): Set<number> {
  const found = new Set(targets)
  for (const at of found) for (const parent of rows[at]!.parents) found.add(parent)
  return found
}

function isContradictory(rows: readonly Row[], targets: readonly number[]): boolean {
  const spent = [...below(rows, targets)].flatMap((at) => rows[at]!.spends)
  return new Set(spent).size < spent.length
}

/** Rows that rest on earlier ones, and spend some of few outputs, each at most once. */
const history: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(), { maxLength: 3 }),
      spends: fc.uniqueArray(
        fc.nat(20).map((key) => `output ${key}`),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows) =>
    rows.map(({ parents, spends }, at) => ({
      parents: at === 0 ? [] : parents.map((parent) => parent % at),
      spends,
    })),
  )

describe('a search for double spends', () => {
  test('finds one exactly where ancestors spend an output twice', () => {
    const met = { clean: 0, contradictory: 0 }
    fc.assert(
      fc.property(history, fc.nat(), (rows, first) => {
        const claims = claimsOf(rows)
        for (const [at] of rows.entries()) {
          const target = (at + first) % rows.length
          const disproof = claims()(`${target}`)
          const expected = isContradictory(rows, [target])
          expect(disproof !== undefined).toBe(expected)
          met[expected ? 'contradictory' : 'clean'] += 1
          if (disproof === undefined) continue
          expect(disproof.rule).toBe('double_spend')
          const named = rows[Number(disproof.txid)]!
          const others = [...below(rows, [target])].filter((it) => `${it}` !== disproof.txid)
          const taken = new Set(others.flatMap((it) => rows[it]!.spends))
          expect(named.spends.some((key) => taken.has(key))).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
    expect(Math.min(met.clean, met.contradictory)).toBeGreaterThan(50)
  })

  test('counts transactions of one search as parents of one child', () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (rows, one, other) => {
        const [first, second] = [one % rows.length, other % rows.length]
        const claims = claimsOf(rows)
        const child = claims()
        const disproofs = [child(`${first}`), child(`${second}`)]
        expect(disproofs[0] !== undefined).toBe(isContradictory(rows, [first]))
        expect(disproofs.some((it) => it !== undefined)).toBe(
          isContradictory(rows, [first, second]),
        )
        // Another search begins without what the first one was told.
        expect(claims()(`${second}`) !== undefined).toBe(isContradictory(rows, [second]))
      }),
    )
  })

  test('names the later of two that contradict each other, and the first of several', () => {
    const rows: Row[] = [
      { parents: [], spends: ['a'] },
      { parents: [], spends: ['a', 'b'] },
      { parents: [], spends: ['b'] },
      { parents: [0, 1], spends: [] },
      { parents: [1, 0], spends: [] },
      { parents: [3, 2], spends: [] },
      { parents: [0], spends: ['a'] },
    ]
    const named = (...txids: number[]) => {
      const child = claimsOf(rows)()
      return txids.map((txid) => child(`${txid}`)?.txid)
    }
    expect(named(3)).toEqual(['1'])
    expect(named(4)).toEqual(['0'])
    expect(named(5)).toEqual(['1'])
    expect(named(6)).toEqual(['6'])
    expect(named(0, 1, 2)).toEqual([undefined, '1', '2'])
    expect(named(2, 1, 0)).toEqual([undefined, '1', '0'])
    expect(named(0, 2)).toEqual([undefined, undefined])
    // A contradiction of its own does not keep a transaction from being one with the next.
    expect(named(3, 2)).toEqual(['1', '2'])
  })

  test('knows nothing about a transaction that was not checked', () => {
    const child = claimsOf([{ parents: [], spends: ['a'] }])()
    expect(child('unknown')).toBeUndefined()
    expect(child('0')).toBeUndefined()
  })

  test('visits each transaction once, however many ask for it', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      parents: at === 0 ? [] : [at - 1],
      spends: [`output ${at}`, `output ${at % 2 === 0 ? at + 1 : at - 1}`],
    }))
    const claims = claimsOf(rows)
    const child = claims()
    expect(child('99')?.rule).toBe('double_spend')
    const once = work.visits
    expect(once).toBeLessThanOrEqual(200)
    for (const [at] of rows.entries()) claims()(`${at}`)
    expect(work.visits - once).toBe(100)
  })
})

const alice = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const marker = tokenScript('03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95')
const held = tokenScript(alice)
const fulfillment = `4c79a276a072a26ba067a5658021${alice}8140${'00'.repeat(64)}a100af038001f2a10001`

function transaction(
  inputs: readonly (readonly [txid: string, vout: number])[],
  outputs: readonly (readonly [value: bigint, script: string])[],
  { scriptSig = fulfillment, lockTime = 0 } = {},
): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: inputs.map(([txid, vout]) => ({ txid, vout, scriptSig, sequence: 0xffffffff })),
    outputs: outputs.map(([value, script]) => ({ value, script })),
    lockTime,
  })
}

const funding = transaction([['11'.repeat(32), 0]], [[50000n, `21${alice}ac`]], { scriptSig: '' })
const creation = transaction(
  [[transactionId(funding), 0]],
  [
    [10000n, marker],
    [2n, held],
    [
      0n,
      encodeTokenPayload({
        layout: 'komodo-v1',
        kind: 'create',
        owner: alice,
        name: 'T',
        description: '',
        extras: [],
      }),
    ],
  ],
  { scriptSig: '' },
)
const tokenid = transactionId(creation)
const moved = encodeTokenPayload({
  layout: 'komodo-v1',
  kind: 'transfer',
  tokenid,
  pubkeys: [alice],
})

/** A transfer of two units, of one unit per output. */
function transfer(inputs: readonly (readonly [string, number])[], lockTime = 0): string {
  const outputs = [
    [1n, held],
    [1n, held],
    [0n, moved],
  ] as const
  return transaction(inputs, outputs, { lockTime })
}

/** `size` transfers, each of the one before; `rivals` of them have a rival for the same output. */
function chainOf(size: number, rivals: number): { all: string[]; chain: string[] } {
  const all = [funding, creation]
  const chain: string[] = []
  let inputs: [string, number][] = [[tokenid, 1]]
  for (let at = 0; at < size; at += 1) {
    const next = transfer(inputs)
    if (at < rivals) all.push(transfer(inputs, 1))
    all.push(next)
    chain.push(next)
    inputs = [
      [transactionId(next), 1],
      [transactionId(next), 0],
    ]
  }
  return { all, chain }
}

/** Two ways from the creation's output that contradict each other, and all that rests on both. */
function forkOf(size: number): { all: string[]; joined: string[] } {
  const inputs: [string, number][] = [[tokenid, 1]]
  const [one, other] = [transfer(inputs), transfer(inputs, 1)]
  let last = transfer([
    [transactionId(one), 0],
    [transactionId(other), 0],
  ])
  const joined = [last]
  for (let at = 1; at < size; at += 1) {
    const txid = transactionId(last)
    last = transfer([
      [txid, 0],
      [txid, 1],
    ])
    joined.push(last)
  }
  return { all: [funding, creation, one, other, ...joined], joined }
}

const orders: Record<string, (all: readonly string[]) => readonly string[]> = {
  'oldest first': (all) => all,
  'latest first': (all) => all.toReversed(),
}

/** The work on a chain of this length is compared with that on chains of two and four times its length. */
const shortest = isQuick ? 20 : 50

describe.each(Object.entries(orders))('a prover asked for every transaction, %s', (_, order) => {
  /** Every transfer of the chain is proven, and every rival: they contradict only each other. */
  test.each([
    ['one transfer has', () => 1],
    ['all transfers have', (size: number) => size],
  ] as const)('is linear where %s a rival', (_, rivalsOf) => {
    const visitsFor = (size: number) => {
      const { all } = chainOf(size, rivalsOf(size))
      const prover = createTokenProver(all)
      work.visits = 0
      for (const hex of order(all.slice(2))) {
        const proof = prover.prove(transactionId(hex), 0, tokenid)
        expect(proof).toEqual({ verdict: 'proven', amount: 1n })
      }
      return work.visits
    }
    const once = visitsFor(shortest)
    expect(visitsFor(2 * shortest)).toBeLessThanOrEqual(2.1 * once)
    expect(visitsFor(4 * shortest)).toBeLessThanOrEqual(4.2 * once)
  })

  test('is linear where all rest on two that contradict each other', () => {
    const visitsFor = (size: number) => {
      const { all, joined } = forkOf(size)
      const prover = createTokenProver(all)
      work.visits = 0
      for (const hex of order(joined)) {
        const proof = prover.prove(transactionId(hex), 0, tokenid)
        expect(proof).toMatchObject({ rule: 'double_spend', txid: transactionId(all[3]!) })
      }
      return work.visits
    }
    const once = visitsFor(shortest)
    expect(visitsFor(2 * shortest)).toBeLessThanOrEqual(2.1 * once)
    expect(visitsFor(4 * shortest)).toBeLessThanOrEqual(4.2 * once)
  })
})
