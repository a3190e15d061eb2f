// These tests cover what inputs spend, by the bytes of whole transactions and by claims:
// docs/verify.md and verify-checklist.md 2.1, which accepts no amount without proof.

import { describe, expect, test } from 'vitest'

import type { Transaction } from '../../../src/index.ts'
import type { Known } from '../../../src/request/report.ts'
import type { KnownTransactions } from '../../../src/verification/evidence.ts'
import { checkConfirmed } from '../../../src/verification/inputs.ts'
import { knownOf, resolveInputs } from '../../../src/verification/previous-outputs.ts'
import { transfer } from '../../support/resigned.ts'

const [one, other] = ['11'.repeat(32), '22'.repeat(32)]
const inputOf = (txid: string, vout: number) => ({ ...transfer.inputs[0]!, txid, vout })
const spending = (...inputs: Transaction['inputs']): Transaction => ({ ...transfer, inputs })
const parent: Transaction = {
  ...transfer,
  outputs: [
    { value: 5n, script: '51' },
    { value: -1n, script: '51' },
    { value: 0n, script: '52' },
  ],
}

function resolve(inputs: Transaction['inputs'], claimed: [string, bigint[]][] = []) {
  const byTxid = new Map([[one, parent]])
  const known: KnownTransactions = {
    byTxid,
    givenAt: new Map(),
    findings: [],
    claims: new Map(claimed),
  }
  const { findings, prevouts, spends } = resolveInputs(spending(...inputs), known)
  const reported = findings.map(({ code, path, expected, actual }) => [
    code,
    path,
    expected,
    actual,
  ])
  return { reported, prevouts, spends }
}

test('an output is read from the transaction that it is in', () => {
  const { reported, prevouts } = resolve([inputOf(one, 0), inputOf(one, 2)])
  expect(reported).toEqual([])
  const [output, , last] = parent.outputs
  expect(prevouts).toEqual([
    { txid: one, vout: 0, value: 5n, script: '51', output, transaction: parent },
    { txid: one, vout: 2, value: 0n, script: '52', output: last, transaction: parent },
  ])
})

test.each([
  ['no transaction', other, 0, ['prevout_missing', 'inputs[1]', other, undefined]],
  ['no such output', one, 3, ['prevout_index', 'inputs[1].vout', 'below 3', 3]],
  ['less than nothing', one, 1, ['value_range', 'inputs[1]', 'at least 0', -1n]],
])('%s is none', (_, txid, vout, finding) => {
  const { reported, prevouts, spends } = resolve([inputOf(one, 0), inputOf(txid, vout)])
  expect(reported).toEqual([finding])
  expect(prevouts[1]).toBeUndefined()
  expect(spends).toEqual([
    { input: 0, value: 5n, known: 'proven' },
    { input: 1, known: 'missing' },
  ])
})

describe('an amount', () => {
  const spent = `${one}:0`
  const unknown = `${other}:0`
  test.each<[string, string, bigint[] | undefined, object]>([
    ['that is proven', one, undefined, { value: 5n, known: 'proven' }],
    ['that is proven, and said', one, [5n], { value: 5n, known: 'proven' }],
    ['that is proven, and said to be another', one, [6n], { value: 5n, known: 'contradictory' }],
    ['on which sources differ', one, [5n, 6n], { value: 5n, known: 'contradictory' }],
    ['that is said', other, [6n], { value: 6n, known: 'asserted' }],
    ['that is said to be nothing', other, [0n], { value: 0n, known: 'asserted' }],
    ['said to be two', other, [6n, 5n], { value: 6n, known: 'contradictory' }],
    ['that nobody says', other, undefined, { known: 'missing' }],
  ])('%s', (_, txid, claimed, expected) => {
    const claims: [string, bigint[]][] = claimed === undefined ? [] : [[`${txid}:0`, claimed]]
    expect(resolve([inputOf(txid, 0)], claims).spends).toEqual([{ input: 0, ...expected }])
  })

  test('is reported with every claim about it', () => {
    const { reported } = resolve([inputOf(one, 0)], [[spent, [6n]]])
    expect(reported).toEqual([['amount_contradicted', 'inputs[0]', '6', 5n]])
    const of = resolve([inputOf(one, 0), inputOf(other, 0)], [[unknown, [6n, 7n]]])
    expect(of.reported).toEqual([
      ['prevout_missing', 'inputs[1]', other, undefined],
      ['amount_contradicted', 'inputs[1]', '6 and 7', undefined],
    ])
  })

  test('an amount of another output says nothing of this one', () => {
    const { spends } = resolve([inputOf(one, 0)], [[`${one}:2`, [7n]]])
    expect(spends).toEqual([{ input: 0, value: 5n, known: 'proven' }])
  })
})

test.each<[Known[], Known]>([
  [[], 'proven'],
  [['proven', 'proven'], 'proven'],
  [['proven', 'asserted'], 'asserted'],
  [['asserted', 'contradictory', 'proven'], 'contradictory'],
  [['contradictory', 'missing', 'asserted'], 'missing'],
])('the sum of amounts %j is %s', (all, expected) => {
  expect(knownOf(all.map((known, input) => ({ input, known })))).toBe(expected)
})

test('reports only the transactions that are in no block', () => {
  const tx = spending(inputOf(one, 0), inputOf(other, 1), inputOf(one, 2))
  const reported = (heights?: Record<string, number>) =>
    checkConfirmed(tx, heights === undefined ? {} : { heights }).map(({ code, path, actual }) => [
      code,
      path,
      actual,
    ])
  expect(reported()).toEqual([])
  expect(reported({})).toEqual([])
  expect(reported({ [one]: 1, [other]: 7 })).toEqual([])
  expect(reported({ [other]: 0 })).toEqual([['unconfirmed_input', 'inputs[1]', other]])
  expect(reported({ [one]: 0, [other]: 1 }).map(([, path]) => path)).toEqual([
    'inputs[0]',
    'inputs[2]',
  ])
  // a member of every object is not a height
  expect(reported(Object.create({ [one]: 0 }))).toEqual([])
})
