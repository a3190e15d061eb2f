// These tests cover the rules for every transaction, whatever its purpose, and the findings where a
// rule does not hold: verify-checklist.md section 1, with actual and expected values.

import { describe, expect, test } from 'vitest'

import { networks, type Transaction } from '../../../src/index.ts'
import {
  checkExpiry,
  checkLimits,
  checkNoLockTime,
  checkOutpoints,
  checkShielded,
  checkValues,
  checkVersion,
} from '../../../src/verification/envelope.ts'
import { transfer } from '../../support/resigned.ts'

const check = (
  changed: object,
  tipHeight: number | undefined = 12,
  network = networks.assetChain,
) => {
  const tx = { ...transfer, ...changed } as Transaction
  return [
    ...checkVersion(tx),
    ...checkExpiry(tx.expiryHeight, tipHeight, 400),
    ...checkNoLockTime(tx, network),
    ...checkShielded(tx),
    ...checkOutpoints(tx),
  ].map(({ code, path, expected, actual }) => [code, path, expected, actual])
}
const inputOf = (txid: string, vout: number) => ({ ...transfer.inputs[0]!, txid, vout })
const someTxid = '77'.repeat(32)
const noTxid = '00'.repeat(32)

test('the recorded transfer draws no finding', () => {
  expect(check({})).toEqual([])
})

test.each([
  [4, true, undefined],
  [3, true, '3, overwintered'],
  [5, true, '5, overwintered'],
  [4, false, '4'],
  [1, false, '1'],
])('version %i, overwintered: %s', (version, overwintered, actual) => {
  const expected = actual === undefined ? [] : [['version', 'version', '4, overwintered', actual]]
  expect(check({ version, overwintered })).toEqual(expected)
})

test.each([
  [0, 12, 'no_expiry', undefined],
  [12, 12, 'expired', 'above 12'],
  [13, 12, undefined, undefined],
  [412, 12, undefined, undefined],
  [413, 12, 'expiry_range', 'at most 412'],
  [1, 0, undefined, undefined],
  [400, 0, undefined, undefined],
  [401, 0, 'expiry_range', 'at most 400'],
  [499_999_999, 499_999_998, undefined, undefined],
  [500_000_000, 499_999_999, 'expiry_range', 'below 500000000'],
])('expiry at %i of height %i: %s', (expiryHeight, tipHeight, code, expected) => {
  expect(check({ expiryHeight }, tipHeight)).toEqual(
    code === undefined ? [] : [[code, 'expiryHeight', expected, expiryHeight]],
  )
})

test('a lock time and sequences are reported with what they are', () => {
  expect(check({ lockTime: 1 })).toEqual([['lock_time', 'lockTime', 0, 1]])
  const [first, second] = transfer.inputs
  const inputs = [first, { ...second, sequence: 0xfffffffe }]
  expect(check({ inputs })).toEqual([['sequence', 'inputs[1].sequence', 0xffffffff, 0xfffffffe]])
  expect(check({ inputs }, 12, networks.tokel)).toEqual([])
})

test.each([
  ['valueBalance', 1n, 0n, 1n],
  ['valueBalance', -1n, 0n, -1n],
  ['shieldedSpends', [{}], 0, 1],
  ['shieldedOutputs', [{}, {}], 0, 2],
  ['joinSplits', [{}, {}, {}], 0, 3],
])('%s', (part, value, expected, actual) => {
  expect(check({ [part]: value })).toEqual([['shielded', part, expected, actual]])
})

describe('outpoints', () => {
  const reported = (...inputs: Transaction['inputs']) =>
    checkOutpoints({ ...transfer, inputs }).map(({ code, path, actual }) => [code, path, actual])

  test('there is one, and each once', () => {
    expect(reported()).toEqual([['no_inputs', 'inputs', undefined]])
    expect(reported(inputOf(someTxid, 0))).toEqual([])
    expect(reported(inputOf(someTxid, 0), inputOf(someTxid, 1))).toEqual([])
    expect(reported(inputOf(someTxid, 0), inputOf('88'.repeat(32), 0))).toEqual([])
    expect(reported(inputOf(someTxid, 1), inputOf(someTxid, 0), inputOf(someTxid, 1))).toEqual([
      ['duplicate_input', 'inputs[2]', `${someTxid}:1`],
    ])
  })

  // komodo src/primitives/transaction.h, COutPoint::IsNull and IsCoinImport
  test.each([
    [noTxid, 0],
    [someTxid, 0xffffffff],
    [someTxid, 1_000_000_000],
  ])('%s, output %i, is none', (txid, vout) => {
    expect(reported(inputOf(txid, vout))).toEqual([
      ['null_prevout', 'inputs[0]', `${txid}:${vout}`],
    ])
  })
})

test.each([
  [1024, []],
  [1025, [{ path: 'inputs', expected: 'at most 1024', actual: 1025 }]],
])('%i inputs', (count, expected) => {
  const inputs = Array.from({ length: count }, (_, vout) => inputOf(someTxid, vout))
  expect(checkLimits({ ...transfer, inputs })).toMatchObject(expected)
})

describe('values', () => {
  const network = { ...networks.assetChain, maxMoney: 100n }
  test.each<[string, bigint[], [string, string, bigint][]]>([
    ['nothing', [0n], []],
    ['all there is', [100n], []],
    ['all there is, in parts', [60n, 40n, 0n], []],
    [
      'one more',
      [101n],
      [
        ['outputs[0].value', '0 to 100', 101n],
        ['outputs', 'at most 100', 101n],
      ],
    ],
    ['one more, in parts', [60n, 41n], [['outputs', 'at most 100', 101n]]],
    ['less than nothing', [100n, -1n], [['outputs[1].value', '0 to 100', -1n]]],
  ])('%s', (_, values, expected) => {
    const outputs = values.map((value) => ({ value, script: '51' }))
    const found = checkValues({ ...transfer, outputs }, network)
    expect(found.map((it) => [it.code, it.path, it.expected, it.actual])).toEqual(
      expected.map((it) => ['value_range', ...it]),
    )
  })

  // komodo src/komodo_defs.h, KOMODO_VALUETOOBIG; src/main.cpp, ConnectBlock
  test.each<[string, bigint, string[]]>([
    ['10,000,000,001 coins may be in a block', 0n, []],
    ['a satoshi more is in no block, whatever the chain has', 1n, ['outputs']],
  ])('a transaction that pays %s', (_, more, expected) => {
    const values = [9_000_000_000_00000000n, 1_000_000_001_00000000n + more]
    const outputs = values.map((value) => ({ value, script: '51' }))
    const found = checkValues({ ...transfer, outputs }, networks.assetChain)
    expect(found.map(({ path }) => path)).toEqual(expected)
  })
})
